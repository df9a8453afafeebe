package io.warpcodec.format.gzip;

import io.warpcodec.format.checksum.Crc32Combine;
import io.warpcodec.format.gzip.GzipIndexException.Defect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The side-car index of a gzip file: places at which decoding can begin, each with what it needs. The file lies
 * beside the gzip file as {@code .NAME.wci}. Wire layout, little-endian, as {@code docs/format/gzip-index.md} has it:
 *
 * <pre>
 *  0  MAGIC                89 'W' 'C' 'I' 0d 0a 1a 0a
 *  8  VERSION              u16, 1
 * 10  FLAGS                u16, 0
 * 12  POINT_COUNT          u32, 2 to 2^20
 * 16  FILE_BYTES           u64, of the gzip file
 * 24  HEAD_CRC TAIL_CRC    u32 each, of its first and its last 16,384 bytes, or all of it
 * 32  POINT_COUNT + 1 rows of 40 bytes; the last one is where the last member ends
 *      0  BIT_OFFSET            u64
 *      8  RAW_OFFSET            u64
 *     16  MEMBER_RAW_BYTES      u64
 *     24  RAW_CRC MEMBER_CRC    u32 each
 *     32  WINDOW_STORED_BYTES   u32
 *     36  WINDOW_CRC            u32
 *     TABLE_CRC            u32, of all before it
 *     windows              one behind the other, each a raw DEFLATE stream
 * </pre>
 *
 * <p>Nothing in it is trusted: {@link #parse} and {@link #check} refuse what cannot be true, and who decodes from a
 * point compares what comes out with {@link #spanCrc}. Immutable.
 */
public final class GzipIndex {
    /** What the name of the gzip file is followed by, after a dot in front of it. */
    public static final String SUFFIX = ".wci";

    /** Size of the part in front of the rows. */
    public static final int HEADER_BYTES = 32;

    /** How much of the gzip file's start and end is compared. */
    public static final int SAMPLE_BYTES = 16 << 10;

    static final long MAGIC = 0x0a1a_0a0d_4943_5789L;
    static final int VERSION = 1;
    /** Most points of an index. */
    public static final int MAX_POINTS = 1 << 20;
    /** An index is held in memory while it is made: most bytes of its windows as they are stored. */
    public static final int MAX_ALL_WINDOWS_BYTES = 1 << 30;

    private static final int FILE_BYTES_AT = 16;
    private static final int HEAD_CRC_AT = 24;
    private static final int TAIL_CRC_AT = 28;
    static final int ROW_BYTES = 40;
    static final int CRC_BYTES = 4;
    /** 32 KiB that cannot be compressed: stored blocks of zlib, and some more. */
    static final int MAX_STORED_BYTES = GzipSeekPoint.MAX_WINDOW_BYTES + 256;
    /** A match of 258 bytes takes two bits at least. */
    private static final long MAX_EXPANSION = 1032;

    /*
     * The table stays as it was read: an object for each row would take five times the memory, and an index may have a
     * million of them.
     */
    private final ByteBuffer table;
    private final int rowCount;
    private final long[] windowOffsets;

    /**
     * A row of the table.
     *
     * @param storedBytes size of the point's window as it is stored; 0 if it needs none
     * @param windowCrc CRC-32 of the window
     */
    record Row(GzipSeekPoint point, int storedBytes, int windowCrc) {

        /** Reads the row at an index of a little-endian table. */
        static Row at(ByteBuffer table, int at) {
            GzipSeekPoint point = new GzipSeekPoint(
                    table.getLong(at),
                    table.getLong(at + 8),
                    table.getInt(at + 24),
                    table.getLong(at + 16),
                    table.getInt(at + 28));
            return new Row(point, table.getInt(at + 32), table.getInt(at + 36));
        }

        /** Writes the row at the position of a little-endian table. */
        void put(ByteBuffer table) {
            table.putLong(point.bitOffset()).putLong(point.rawOffset()).putLong(point.memberRawBytes());
            table.putInt(point.rawCrc())
                    .putInt(point.memberCrc())
                    .putInt(storedBytes)
                    .putInt(windowCrc);
        }
    }

    private GzipIndex(ByteBuffer table) {
        this.table = table;
        rowCount = (table.capacity() - HEADER_BYTES - CRC_BYTES) / ROW_BYTES;
        windowOffsets = new long[rowCount + 1];
        windowOffsets[0] = table.capacity();
        for (int i = 0; i < rowCount; i++) {
            windowOffsets[i + 1] = windowOffsets[i] + row(i).storedBytes;
        }
    }

    private Row row(int i) {
        return Row.at(table, HEADER_BYTES + ROW_BYTES * i);
    }

    /** Where the index of a gzip file of this name lies, in the same folder. Hidden from jobs that list input files. */
    public static String nameFor(String fileName) {
        return "." + fileName + SUFFIX;
    }

    /** Whether a file that begins with these bytes is meant to be an index, of whatever version. */
    public static boolean isIndex(byte[] head) {
        return head.length >= Long.BYTES
                && ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getLong(0) == MAGIC;
    }

    /**
     * Size of the gzip file that an index is of.
     *
     * @param header the first {@link #HEADER_BYTES} of the index
     */
    public static long fileBytes(byte[] header) {
        return ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getLong(16);
    }

    /**
     * How many bytes {@link #parse} needs.
     *
     * @param header the first {@link #HEADER_BYTES} of the index, or all of it
     * @param indexBytes size of the index
     */
    public static int tableBytes(byte[] header, long indexBytes) throws GzipIndexException {
        ByteBuffer in = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        if (header.length < HEADER_BYTES || in.getLong(0) != MAGIC) {
            throw unreadable("it is no index");
        }
        if (in.getShort(8) != VERSION || in.getShort(10) != 0) {
            throw unreadable("it is of version " + in.getShort(8) + ", flags " + in.getShort(10));
        }
        int points = in.getInt(12);
        if (points < 2 || points > MAX_POINTS) {
            throw unreadable("it has " + points + " points");
        }
        int bytes = HEADER_BYTES + ROW_BYTES * (points + 1) + CRC_BYTES;
        if (bytes > indexBytes) {
            throw unreadable("it is cut short");
        }
        return bytes;
    }

    /**
     * Compares an index with the gzip file as it is now, by its header alone: before memory is taken for the table of
     * an index that may be of another file.
     *
     * @param header the first {@link #HEADER_BYTES} of an index that {@link #tableBytes} has accepted
     * @param bytesNow size of the gzip file
     * @param head its first {@link #SAMPLE_BYTES}, or all of it
     * @param tail its last ones
     */
    public static void checkFile(byte[] header, long bytesNow, byte[] head, byte[] tail) throws GzipIndexException {
        ByteBuffer in = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        long fileBytes = in.getLong(FILE_BYTES_AT);
        if (bytesNow != fileBytes) {
            throw stale("the file has " + bytesNow + " bytes, the index is of one of " + fileBytes);
        }
        if (crcOf(head, 0, head.length) != in.getInt(HEAD_CRC_AT)
                || crcOf(tail, 0, tail.length) != in.getInt(TAIL_CRC_AT)) {
            throw stale("the file's first or last bytes are others than those that the index is of");
        }
    }

    /**
     * Reads header and rows, which it keeps as they are: 48 bytes a point.
     *
     * @param table as many bytes as {@link #tableBytes} says, not to be changed from now on
     * @param indexBytes size of the whole index
     */
    public static GzipIndex parse(byte[] table, long indexBytes) throws GzipIndexException {
        int bytes = tableBytes(table, indexBytes);
        ByteBuffer in = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
        if (table.length != bytes || in.getInt(bytes - CRC_BYTES) != crcOf(table, 0, bytes - CRC_BYTES)) {
            throw unreadable("its table is damaged");
        }
        GzipIndex index = new GzipIndex(in);
        index.checkWindows(indexBytes);
        index.checkRows();
        return index;
    }

    private void checkWindows(long indexBytes) throws GzipIndexException {
        for (int i = 0; i < rowCount; i++) {
            Row row = row(i);
            boolean hasWindow = i < count() && !row.point.startsMember();
            if (hasWindow
                    ? row.storedBytes < 1 || row.storedBytes > MAX_STORED_BYTES
                    : row.storedBytes != 0 || row.windowCrc != 0) {
                throw lying("window of " + row.storedBytes + " bytes", i);
            }
        }
        if (indexBytes != windowOffsets[rowCount]) {
            throw unreadable("it has " + indexBytes + " bytes, not " + windowOffsets[rowCount]);
        }
    }

    private void checkRows() throws GzipIndexException {
        if (!point(0).equals(GzipSeekPoint.START)) {
            throw lying("not the start of a file", 0);
        }
        for (int i = 1; i < rowCount; i++) {
            GzipSeekPoint before = point(i - 1);
            GzipSeekPoint point = point(i);
            // strictly, so that a byte of the file belongs to one split only
            long compressedBytes = point.byteOffset() - before.byteOffset();
            long rawBytes = point.rawOffset() - before.rawOffset();
            if (point.bitOffset() < 0 || compressedBytes <= 0 || rawBytes <= 0) {
                throw lying("not behind the one before", i);
            }
            if (rawBytes / MAX_EXPANSION > compressedBytes + 1) {
                throw lying("more bytes than DEFLATE can make of those between", i);
            }
            if (point.memberRawBytes() < 0 || point.memberRawBytes() > point.rawOffset()) {
                throw lying("a member of " + point.memberRawBytes() + " bytes before", i);
            }
            if (point.startsMember() && (point.bit() != 0 || point.memberCrc() != 0)) {
                throw lying("no start of a member", i);
            }
            checkSums(i, before, point, rawBytes);
        }
        if (end().bit() != 0 || end().byteOffset() > fileBytes()) {
            throw lying("not in a file of " + fileBytes() + " bytes", rowCount - 1);
        }
    }

    /** The sums of neighbours must fit each other, where they are of the same member. */
    private void checkSums(int i, GzipSeekPoint before, GzipSeekPoint point, long rawBytes) throws GzipIndexException {
        boolean sameMember = point.memberRawBytes() == before.memberRawBytes() + rawBytes;
        if (sameMember) {
            if (point.memberCrc() != Crc32Combine.combine(before.memberCrc(), spanCrc(i - 1), rawBytes)) {
                throw lying("sums that do not fit", i);
            }
        } else if (point.memberRawBytes() > rawBytes
                || point.memberRawBytes() == rawBytes && point.memberCrc() != spanCrc(i - 1)) {
            throw lying("sums that do not fit", i);
        }
        if (point.memberRawBytes() == point.rawOffset() && point.memberCrc() != point.rawCrc()) {
            throw lying("sums that do not fit", i);
        }
    }

    /**
     * Compares the index with the gzip file as it is now: {@link #checkFile}, and the trailer of the last member if
     * it is seen.
     *
     * @param bytesNow size of the file
     * @param head its first {@link #SAMPLE_BYTES}, or all of it
     * @param tail its last ones
     */
    public void check(long bytesNow, byte[] head, byte[] tail) throws GzipIndexException {
        checkFile(table.array(), bytesNow, head, tail);
        long trailerAt = end().byteOffset() - GzipFormat.TRAILER_BYTES - (bytesNow - tail.length);
        if (trailerAt >= 0) {
            ByteBuffer in = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
            if (in.getInt((int) trailerAt) != end().memberCrc()
                    || in.getInt((int) trailerAt + 4) != (int) end().memberRawBytes()) {
                throw lying("not the sums of the last member's trailer", rowCount - 1);
            }
        }
    }

    /** Size of the gzip file. */
    public long fileBytes() {
        return table.getLong(FILE_BYTES_AT);
    }

    /** How many points there are. The first is the start of the file. */
    public int count() {
        return rowCount - 1;
    }

    /** A point, or {@link #end} for the number {@link #count}. */
    public GzipSeekPoint point(int i) {
        return row(i).point;
    }

    /** Where the last member ends. */
    public GzipSeekPoint end() {
        return point(count());
    }

    /** The first point whose byte does not lie before this offset; {@link #count} if all do. */
    public int firstFrom(long byteOffset) {
        int low = 0;
        int high = count();
        while (low < high) {
            int middle = low + high >>> 1;
            if (point(middle).byteOffset() < byteOffset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Raw bytes between a point and the next one. */
    public long spanBytes(int i) {
        return point(i + 1).rawOffset() - point(i).rawOffset();
    }

    /** CRC-32 of the raw bytes between a point and the next one. */
    public int spanCrc(int i) {
        return point(i + 1).rawCrc() ^ Crc32Combine.combine(point(i).rawCrc(), 0, spanBytes(i));
    }

    /** Where in the index a point's window is stored. */
    public long windowOffset(int i) {
        return windowOffsets[i];
    }

    /** How many bytes of the index it takes; 0 if the point needs none. */
    public int windowStoredBytes(int i) {
        return row(i).storedBytes;
    }

    /** The window of a point from its stored bytes. */
    public byte[] window(int i, byte[] stored) throws GzipIndexException {
        byte[] window = new byte[point(i).windowBytes()];
        if (window.length == 0) {
            return window;
        }
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(stored);
            int count = 0;
            for (int more;
                    count < window.length && (more = inflater.inflate(window, count, window.length - count)) > 0; ) {
                count += more;
            }
            boolean whole = count == window.length && inflater.inflate(new byte[1]) == 0 && inflater.finished();
            if (!whole || crcOf(window, 0, count) != row(i).windowCrc) {
                throw unreadable("the window of point " + i + " is damaged");
            }
            return window;
        } catch (DataFormatException damaged) {
            throw unreadable("the window of point " + i + " is damaged");
        } finally {
            inflater.end();
        }
    }

    static int crcOf(byte[] bytes, int start, int limit) {
        CRC32 crc = new CRC32();
        crc.update(bytes, start, limit - start);
        return (int) crc.getValue();
    }

    private static GzipIndexException unreadable(String reason) {
        return new GzipIndexException(Defect.UNREADABLE, reason);
    }

    private static GzipIndexException stale(String reason) {
        return new GzipIndexException(Defect.STALE, reason);
    }

    private static GzipIndexException lying(String reason, int i) {
        return new GzipIndexException(Defect.LYING, "point " + i + ": " + reason);
    }
}
