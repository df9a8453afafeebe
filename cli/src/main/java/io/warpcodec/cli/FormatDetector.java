package io.warpcodec.cli;

import io.warpcodec.Format;
import java.io.IOException;
import java.io.InputStream;

/**
 * Tells a format from the first bytes of a file, and where those do not say, from its name. gzip, bzip2, LZ4 frames and zstd start with a
 * magic number. A zlib header is two bytes that one text in a thousand has too, and Hadoop's framings have none: there, the name decides.
 */
final class FormatDetector {

    /** How far to look behind skippable frames, in bytes: an index of ours fits several times. */
    static final int HEAD_BYTES = 256 << 10;

    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int BZIP2_MAGIC = 'B' << 8 | 'Z';
    private static final long BZIP2_BLOCK_MAGIC = 0x3141_5926_5359L;
    private static final long BZIP2_END_MAGIC = 0x1772_4538_5090L;
    private static final int LZ4_FRAME_MAGIC = 0x184d2204;
    private static final int LZ4_LEGACY_MAGIC = 0x184c2102;
    private static final int ZSTD_MAGIC = 0xfd2fb528;
    private static final int SKIPPABLE_MAGIC = 0x184d2a50;

    private final byte[] head;
    private final int length;

    private FormatDetector(byte[] head, int length) {
        this.head = head;
        this.length = length;
    }

    /**
     * The format of a file.
     *
     * @param source the file, of which at most {@link #HEAD_BYTES} are read; supports mark, and is set back
     * @param fileName its name
     * @return null if neither content nor name tell
     */
    static Format detect(InputStream source, String fileName) throws IOException {
        Format named = Format.ofFileName(fileName);
        source.mark(HEAD_BYTES);
        byte[] head = source.readNBytes(16);
        Format found = new FormatDetector(head, head.length).magic(0);
        if (found == null && startsWithSkippableFrame(head)) {
            source.reset();
            head = source.readNBytes(HEAD_BYTES);
            found = new FormatDetector(head, head.length).behindSkippableFrames();
        }
        source.reset();
        if (found != null) {
            return found;
        }
        if (named != null) {
            return named;
        }
        return looksLikeZlib(head) ? Format.ZLIB : null;
    }

    private Format magic(int at) {
        if (length - at >= 2 && u16be(at) == GZIP_MAGIC) {
            return Format.GZIP;
        }
        if (length - at >= 10 && u16be(at) == BZIP2_MAGIC && isBzip2(at)) {
            return Format.BZIP2;
        }
        if (length - at < 4) {
            return null;
        }
        return switch (i32le(at)) {
            case LZ4_FRAME_MAGIC, LZ4_LEGACY_MAGIC -> Format.LZ4;
            case ZSTD_MAGIC -> Format.ZSTD;
            default -> null;
        };
    }

    private boolean isBzip2(int at) {
        long blockMagic = (long) u16be(at + 4) << 32 | (long) u16be(at + 6) << 16 | u16be(at + 8);
        return head[at + 2] == 'h'
                && head[at + 3] >= '1'
                && head[at + 3] <= '9'
                && (blockMagic == BZIP2_BLOCK_MAGIC || blockMagic == BZIP2_END_MAGIC);
    }

    /** LZ4 and zstd share the magic numbers of skippable frames; the first other frame tells. */
    private Format behindSkippableFrames() {
        long at = 0;
        while (at + 8 <= length && (i32le((int) at) & ~0xf) == SKIPPABLE_MAGIC) {
            at += 8 + (i32le((int) at + 4) & 0xffff_ffffL);
        }
        return at + 4 <= length ? magic((int) at) : null;
    }

    private static boolean startsWithSkippableFrame(byte[] head) {
        return head.length >= 4 && (new FormatDetector(head, head.length).i32le(0) & ~0xf) == SKIPPABLE_MAGIC;
    }

    /** RFC 1950: method 8, window up to 32 KiB, no dictionary, header a multiple of 31. */
    private static boolean looksLikeZlib(byte[] head) {
        if (head.length < 2) {
            return false;
        }
        int cmf = head[0] & 0xff;
        int flg = head[1] & 0xff;
        return (cmf & 0xf) == 8 && cmf >> 4 <= 7 && (flg & 0x20) == 0 && (cmf << 8 | flg) % 31 == 0;
    }

    private int u16be(int at) {
        return (head[at] & 0xff) << 8 | head[at + 1] & 0xff;
    }

    private int i32le(int at) {
        return head[at] & 0xff | (head[at + 1] & 0xff) << 8 | (head[at + 2] & 0xff) << 16 | (head[at + 3] & 0xff) << 24;
    }
}
