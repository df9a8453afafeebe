package io.warpcodec.engine.gpu.deflate;

import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** What the JDK's zlib makes of a raw DEFLATE body. */
public final class DeflateReference {
    private DeflateReference() {}

    /**
     * The body's bytes, or nothing if it has a defect, decodes to more than the limit, or does not end where its last
     * block does.
     */
    public static Optional<byte[]> decode(byte[] body, int outputLimit) {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(body);
            byte[] output = new byte[outputLimit + 1];
            int bytes = 0;
            while (bytes < output.length && !inflater.finished()) {
                int more = inflater.inflate(output, bytes, output.length - bytes);
                if (more == 0 && !inflater.finished()) {
                    return Optional.empty();
                }
                bytes += more;
            }
            boolean sound = inflater.finished() && bytes <= outputLimit && inflater.getRemaining() == 0;
            return sound ? Optional.of(Arrays.copyOf(output, bytes)) : Optional.empty();
        } catch (DataFormatException defect) {
            return Optional.empty();
        } finally {
            inflater.end();
        }
    }
}
