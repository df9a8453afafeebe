package io.warpcodec.cli.input;

import io.warpcodec.Format;
import io.warpcodec.format.Container;
import io.warpcodec.format.ContainerHeader;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.stream.Containers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Tells a format from the first bytes of a file, and where those do not say, from its name. gzip, bzip2, LZ4 frames
 * and zstd start with a magic number. A zlib header is two bytes that one text in a thousand has too, and Hadoop's
 * framings have none: there, the name decides.
 */
public final class FormatDetector {

    /** How far to look behind skippable frames, in bytes: an index of ours fits several times. */
    public static final int HEAD_BYTES = 256 << 10;

    private static final int FIRST_BYTES = 16;

    /** Formats of which every file begins with a magic number. */
    private static final Set<Format> ALWAYS_RECOGNISED = EnumSet.of(Format.GZIP, Format.BZIP2, Format.ZSTD);

    private FormatDetector() {}

    /**
     * The format of a file.
     *
     * @param source the file, of which at most {@link #HEAD_BYTES} are read; supports mark, and is set back
     * @param fileName its name
     * @return null if neither content nor name tell
     */
    public static Format detect(InputStream source, String fileName) throws IOException {
        ByteBuffer seen = headOf(source);
        Format recognised = recognised(seen);
        if (recognised != null) {
            return recognised;
        }
        Format named = FileSuffix.formatOf(fileName);
        return named != null ? named : first(container -> container.isPossible(seen));
    }

    /**
     * Whether a file is not compressed: its first bytes show no format and no skippable frame, and its name says no
     * format that first bytes cannot show.
     *
     * @param source as for {@link #detect}
     */
    public static boolean isPlain(InputStream source, String fileName) throws IOException {
        Format named = FileSuffix.formatOf(fileName);
        ByteBuffer head = headOf(source);
        return (named == null || ALWAYS_RECOGNISED.contains(named))
                && recognised(head) == null
                && !SkippableFrames.isAt(head, 0);
    }

    private static Format recognised(ByteBuffer head) {
        return first(container -> container.isRecognised(head));
    }

    private static ByteBuffer headOf(InputStream source) throws IOException {
        source.mark(HEAD_BYTES);
        ByteBuffer head = view(source.readNBytes(FIRST_BYTES));
        if (SkippableFrames.isAt(head, 0)) {
            source.reset();
            head = view(source.readNBytes(HEAD_BYTES));
        }
        source.reset();
        return head;
    }

    private static Format first(Predicate<Container> condition) {
        return Containers.ALL.stream()
                .filter(condition)
                .map(Container::format)
                .findFirst()
                .orElse(null);
    }

    /**
     * What the head of a file says about its container.
     *
     * @param head as many bytes as there are, up to {@link #HEAD_BYTES}
     */
    public static ContainerHeader describe(Format format, byte[] head) {
        return Containers.of(format).describe(view(head));
    }

    private static ByteBuffer view(byte[] head) {
        return ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    }
}
