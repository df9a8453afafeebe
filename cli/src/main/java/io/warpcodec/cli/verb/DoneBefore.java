package io.warpcodec.cli.verb;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.input.DecodedSource;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Whether an output that is there already is what this call would make of its input: another file, of the right format, complete, and of the same content.
 * Nothing less counts, for the input may be deleted next.
 */
final class DoneBefore {

    private static final int COMPARED_BYTES = 1 << 20;
    private static final String NOT_REPLACED = ", not replaced without -f";

    private DoneBefore() {}

    /** Throws if the output is the input under another name: that is never replaced. */
    static void requireOther(Location output, Location input) throws IOException {
        if (output.isSameFile(input)) {
            throw new FileProblem(output.name(), "is the same file as " + input.name());
        }
    }

    /** Raw bytes of one side. */
    interface Content {
        InputStream open() throws IOException;
    }

    /**
     * Throws unless the output is done.
     *
     * @param format the format that the output has to have; null if it holds the raw bytes
     * @param content the raw bytes of the input
     */
    static void require(Location output, Format format, Mode mode, Location input, Content content) throws IOException {
        requireOther(output, input);
        FileVerb.requireRegular(output);
        try (CountedInput file = output.openRegular();
                InputStream there = raw(output, file, format, mode);
                InputStream wanted = content.open()) {
            requireEqual(output, there, wanted);
        }
    }

    private static InputStream raw(Location output, CountedInput file, Format format, Mode mode) throws IOException {
        if (format == null) {
            return file;
        }
        DecodedSource compressed = DecodedSource.of(output, file);
        if (compressed.format() != format) {
            throw new FileProblem(
                    output.name(),
                    "exists already, but is " + compressed.format().word() + " and not " + format.word()
                            + NOT_REPLACED);
        }
        return compressed.decode(mode);
    }

    private static void requireEqual(Location output, InputStream there, InputStream wanted) throws IOException {
        while (true) {
            byte[] some = wanted.readNBytes(COMPARED_BYTES);
            byte[] same = readOutput(output, there, COMPARED_BYTES);
            if (!Arrays.equals(some, same)) {
                throw new FileProblem(output.name(), "exists already with other content" + NOT_REPLACED);
            }
            if (some.length < COMPARED_BYTES) {
                return;
            }
        }
    }

    private static byte[] readOutput(Location output, InputStream there, int bytes) throws IOException {
        try {
            return there.readNBytes(bytes);
        } catch (CorruptDataException | TruncatedDataException incomplete) {
            throw new FileProblem(
                    output.name(),
                    "exists already, but is damaged or not complete" + NOT_REPLACED + ": " + incomplete.getMessage());
        }
    }
}
