package io.warpcodec.engine.cpu.deflate;

import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.engine.gzip.StreamPosition;
import io.warpcodec.format.checksum.Crc32Combine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;

/**
 * Reads what a {@link SegmentDecoder} decodes of a DEFLATE stream, a segment at a time. A segment's bytes lie where a
 * device put them, until others need that memory more. So the input of a segment is not passed before all of its
 * bytes have been taken. If they are gone by then, the Inflater decodes the segment again, to the heap. Its CRC-32
 * then has to be the device's. Not thread-safe.
 */
final class SegmentReader {
    private final SegmentDecoder segments;

    // the segment whose bytes are taken: where it begins, and what is known of it
    private StreamPosition start = StreamPosition.BEGIN;
    private int inputBytes;
    private int rawBytes;
    /** Its bytes, if they had to be decoded again; else null. */
    private ByteBuffer again;

    SegmentReader(SegmentDecoder segments) {
        this.segments = segments;
    }

    void reset() {
        inputBytes = 0;
        rawBytes = 0;
        again = null;
    }

    /**
     * Has the next segment decoded; all bytes of the last one have been taken.
     *
     * @param input from the byte on in which the segment begins; moves only if no bytes come of it
     * @return false if there is none: what follows is not the decoder's
     */
    boolean advance(ByteBuffer input) throws IOException {
        reset();
        start = segments.position();
        ByteBuffer ahead = input.duplicate();
        if (!segments.advance(ahead)) {
            return false;
        }
        inputBytes = ahead.position() - input.position();
        rawBytes = segments.outputBytes();
        passIfTaken(input);
        return true;
    }

    private void passIfTaken(ByteBuffer input) {
        if (remaining() == 0) {
            input.position(input.position() + inputBytes);
            reset();
        }
    }

    /** Bytes of the segment that have not been taken yet. */
    int remaining() {
        return again == null ? segments.outputBytes() : again.remaining();
    }

    /**
     * Takes bytes of the segment, as many as there are and fit. With the last one, the input moves behind the
     * segment, to the byte in which the next one begins.
     *
     * @param input from the byte on in which the segment begins
     * @param output its position moves
     * @throws IOException if they were gone, and the Inflater makes others
     */
    void take(ByteBuffer input, ByteBuffer output) throws IOException {
        int taken = rawBytes - remaining();
        if (again == null && !segments.take(output)) {
            again = decodeAgain(input.duplicate()).position(taken);
        }
        if (again != null) {
            int count = Math.min(again.remaining(), output.remaining());
            output.put(output.position(), again, again.position(), count);
            output.position(output.position() + count);
            again.position(again.position() + count);
        }
        passIfTaken(input);
    }

    private ByteBuffer decodeAgain(ByteBuffer input) throws IOException {
        byte[] bytes = new byte[rawBytes];
        ByteBuffer output = ByteBuffer.wrap(bytes);
        try (InflateBody body = new InflateBody()) {
            body.resume(start.bit(), start.window(), start.header(), start.headerBits());
            body.inflate(input, output);
        } catch (DataFormatException bad) {
            throw new IOException("zlib finds the DEFLATE data invalid that a device has decoded", bad);
        }
        CRC32 crc = new CRC32();
        crc.update(bytes);
        int crcBehind = Crc32Combine.combine(start.crc32(), (int) crc.getValue(), rawBytes);
        if (output.hasRemaining() || crcBehind != segments.position().crc32()) {
            throw new IOException("zlib decodes to other bytes what a device decoded to " + rawBytes);
        }
        return output.flip();
    }
}
