package io.warpcodec.cli.input;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A compressed input whose format is known.
 *
 * @param format what it is
 * @param bytes its compressed bytes from the first one on
 */
public record DecodedSource(Format format, InputStream bytes) {

    /**
     * Finds out the format of an input.
     *
     * @throws FileProblem if nothing tells
     */
    public static DecodedSource of(Location input, CountedInput source) throws IOException {
        return of(input, source, "");
    }

    /**
     * Finds out the format of an input.
     *
     * @param remedy what the message says at its end if nothing tells
     * @throws FileProblem if nothing tells
     */
    public static DecodedSource of(Location input, CountedInput source, String remedy) throws IOException {
        return of(input, new BufferedInputStream(source, CountedInput.BUFFER_BYTES), remedy);
    }

    /** As {@link #of(Location, CountedInput)}, but for an input that is buffered already. */
    public static DecodedSource of(Location input, BufferedInputStream buffered) throws IOException {
        return of(input, buffered, "");
    }

    private static DecodedSource of(Location input, BufferedInputStream buffered, String remedy) throws IOException {
        Format format = FormatDetector.detect(buffered, input.name());
        if (format == null) {
            throw new FileProblem(
                    input.isStandard() ? "(standard input)" : input.name(), ForeignFormat.reason(buffered) + remedy);
        }
        return new DecodedSource(format, buffered);
    }

    /** A stream of the decoded bytes. */
    public InputStream decode(Mode mode) {
        return new ChunkedInputStream(bytes, format, CodecOptions.DEFAULTS.withMode(mode));
    }
}
