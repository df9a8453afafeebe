package io.warpcodec.format.zstd;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.SplitSeam;
import io.warpcodec.format.Window;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The seek table of zstd's seekable format, 0.1.0: a skippable frame at the end of a file, which holds the lengths of
 * all its frames. Wire layout, little-endian:
 *
 * <pre>
 *  0  MAGIC          u32, 0x184D2A5E
 *  4  FRAME_SIZE     u32, length of what follows
 *  8  ENTRIES        for each frame its length u32, its content's u32 and, if the descriptor says so, a checksum u32
 *     FRAMES         u32, number of entries
 *     DESCRIPTOR     u8, bit 7 for checksums; 6 to 2 are 0, the others free
 *     FOOTER_MAGIC   u32, 0x8F92EAB1
 * </pre>
 *
 * <p>A table counts only if its lengths add up to the offset at which it begins. Immutable.
 */
public final class ZstdSeekTable {
    /** No split owns a sync point. */
    public static final long NONE = Long.MAX_VALUE;

    private static final int FOOTER_BYTES = 9;
    private static final int MAGIC = SkippableFrames.MAGIC | 0xe;
    private static final int FOOTER_MAGIC = 0x8f92_eab1;
    private static final int CHECKSUMS = 0x80;
    private static final int RESERVED_BITS = 0x7c;
    /** A longer table is not used: each task reads all of it. */
    private static final int MAX_BYTES = 8 << 20;

    private final long[] frames;

    private ZstdSeekTable(long[] frames) {
        this.frames = frames;
    }

    /** Reads a file anywhere. */
    @FunctionalInterface
    public interface Bytes {
        /** So many bytes from an offset on, all of them within the file's length. */
        byte[] read(long offset, int count) throws IOException;
    }

    /**
     * Looks for the table of a file.
     *
     * @param fileBytes length of the file; -1 if that is not known
     * @return null if there is none that counts
     */
    public static ZstdSeekTable find(long fileBytes, Bytes file) throws IOException {
        long footerAt = fileBytes - FOOTER_BYTES;
        int tableBytes = footerAt <= 0 ? 0 : tableBytes(file.read(footerAt, FOOTER_BYTES));
        long tableAt = fileBytes - tableBytes;
        return tableBytes == 0 || tableAt <= 0 ? null : parse(file.read(tableAt, tableBytes), tableAt);
    }

    /** Length of the table that ends so; 0 if it is none, or too short or long to be used. */
    private static int tableBytes(byte[] footer) {
        ByteBuffer fields = ByteBuffer.wrap(footer).order(ByteOrder.LITTLE_ENDIAN);
        long count = fields.getInt(0) & 0xffff_ffffL;
        if (fields.getInt(5) != FOOTER_MAGIC || (footer[4] & RESERVED_BITS) != 0) {
            return 0;
        }
        long bytes = SkippableFrames.HEADER_BYTES + count * entryBytes(footer[4]) + FOOTER_BYTES;
        return count < 2 || bytes > MAX_BYTES ? 0 : (int) bytes;
    }

    private static int entryBytes(int descriptor) {
        return (descriptor & CHECKSUMS) == 0 ? 8 : 12;
    }

    private static ZstdSeekTable parse(byte[] table, long offset) {
        ByteBuffer fields = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
        int entriesEnd = table.length - FOOTER_BYTES;
        if (fields.getInt(0) != MAGIC
                || fields.getInt(SkippableFrames.SIZE_AT) != table.length - SkippableFrames.HEADER_BYTES) {
            return null;
        }
        int entryBytes = entryBytes(table[entriesEnd + 4]);
        long[] frames = new long[fields.getInt(entriesEnd)];
        int count = 0;
        long at = 0;
        for (int entry = SkippableFrames.HEADER_BYTES; entry < entriesEnd; entry += entryBytes) {
            // what is empty, as skippable frames are, belongs to the frame behind it
            if (fields.getInt(entry + 4) != 0) {
                frames[count++] = at;
            }
            at += fields.getInt(entry) & 0xffff_ffffL;
        }
        return at == offset ? new ZstdSeekTable(Arrays.copyOf(frames, count)) : null;
    }

    /** Frames with content. */
    public int count() {
        return frames.length;
    }

    /** Offset of the first frame that begins there or later; {@link #NONE} if none does. */
    public long firstFrom(long offset) {
        int found = Arrays.binarySearch(frames, offset);
        int index = found < 0 ? -found - 1 : found;
        return index < frames.length ? frames[index] : NONE;
    }

    /**
     * The end of a split, at the first frame from an offset on. If no unit begins where the table says so, other tasks
     * have read something else: an error.
     */
    public SplitSeam seamFrom(long offset) {
        long seam = firstFrom(offset);
        return window -> isAt(seam, window);
    }

    private static boolean isAt(long seam, Window window) throws CorruptDataException {
        if (window.offset() > seam) {
            throw noFrame(seam);
        }
        return window.offset() == seam;
    }

    /** What is said of a table that lies. */
    public static CorruptDataException noFrame(long offset) {
        return new CorruptDataException(
                Format.ZSTD, offset, "the seek table at the file's end names a frame here, and none begins");
    }
}
