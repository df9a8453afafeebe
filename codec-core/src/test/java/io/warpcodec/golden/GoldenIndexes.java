package io.warpcodec.golden;

import static io.warpcodec.golden.GoldenFiles.*;

import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.stream.gzipindex.GzipIndexer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;

/**
 * Golden indexes of gzip files. The list names gzip files, each with its index beside it under the usual name. In
 * {@code errors} it names bare indexes of {@code one-member.gz} with one defect, whose note is the word of the defect.
 * The defect {@code window} is seen only by the task that decodes from that point.
 */
final class GoldenIndexes {
    private static final int SPACING_BYTES = 2_000;
    private static final int BLOCK_BYTES = 3_000;
    private static final int ROW_BYTES = 40;
    private static final int SECOND_ROW = GzipIndex.HEADER_BYTES + ROW_BYTES;

    private GoldenIndexes() {}

    static void write(GoldenFiles files) throws IOException {
        byte[] raw = new byte[0];
        for (int seed = 20; seed < 25; seed++) {
            raw = concat(raw, GoldenInput.text(4_000, seed), GoldenInput.run(11_000, seed));
        }
        byte[] file = gzip(raw);
        byte[] index = indexed(files, "one-member.gz", file, raw);
        byte[] parts = concat(raw, TAIL);
        indexed(files, "two-members.gz", concat(file, gzip(TAIL)), parts);
        indexed(files, "two-members-and-zeros.gz", concat(file, gzip(TAIL), new byte[500]), parts);
        errors(files, index);
    }

    private static final byte[] TAIL = GoldenInput.text(9_000, 12);

    private static byte[] indexed(GoldenFiles files, String name, byte[] file, byte[] raw) throws IOException {
        byte[] index = GzipIndexer.index(() -> new ByteArrayInputStream(file), SPACING_BYTES);
        files.good(name, file, raw);
        files.good(GzipIndex.nameFor(name), index, raw);
        return index;
    }

    private static void errors(GoldenFiles files, byte[] index) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(index).order(ByteOrder.LITTLE_ENDIAN);
        int table = GzipIndex.HEADER_BYTES + ROW_BYTES * (in.getInt(12) + 1) + 4;
        files.bad("magic.wci", u8(index, 0, 0x88), "unreadable");
        files.bad("version.wci", summed(u8(index, 8, 2), table), "unreadable");
        files.bad("flags.wci", summed(u8(index, 10, 1), table), "unreadable");
        files.bad("one-point.wci", le32(index, 12, 1), "unreadable");
        files.bad("points-without-end.wci", le32(index, 12, -1), "unreadable");
        files.bad("table-sum.wci", u8(index, table - 1, index[table - 1] ^ 1), "unreadable");
        files.bad("cut-in-header.wci", Arrays.copyOf(index, 20), "unreadable");
        files.bad("cut-in-table.wci", Arrays.copyOf(index, table - 9), "unreadable");
        files.bad("cut-in-windows.wci", Arrays.copyOf(index, index.length - 1), "unreadable");
        files.bad("byte-behind.wci", Arrays.copyOf(index, index.length + 1), "unreadable");
        files.bad("file-bytes.wci", summed(u8(index, 16, index[16] ^ 1), table), "stale");
        files.bad("head-sum.wci", summed(u8(index, 24, index[24] ^ 1), table), "stale");
        files.bad("tail-sum.wci", summed(u8(index, 28, index[28] ^ 1), table), "stale");
        files.bad("first-point-not-the-start.wci", summed(u8(index, 32, 8), table), "lying");
        files.bad("point-before-the-one-before.wci", summed(le64(index, SECOND_ROW, 0), table), "lying");
        files.bad("more-bytes-than-deflate-makes.wci", summed(le64(index, SECOND_ROW + 8, 1L << 40), table), "lying");
        files.bad("member-larger-than-the-file.wci", summed(le64(index, SECOND_ROW + 16, 1L << 40), table), "lying");
        files.bad("raw-sum.wci", summed(u8(index, SECOND_ROW + 24, index[SECOND_ROW + 24] ^ 1), table), "lying");
        files.bad("member-sum.wci", summed(u8(index, SECOND_ROW + 28, index[SECOND_ROW + 28] ^ 1), table), "lying");
        files.bad("window-too-long.wci", summed(le32(index, SECOND_ROW + 32, 33_025), table), "lying");
        files.bad("end-behind-the-file.wci", summed(u8(index, table - 4 - ROW_BYTES + 5, 1), table), "lying");
        int sumAt = SECOND_ROW + 36;
        files.bad("window-sum.wci", summed(u8(index, sumAt, index[sumAt] ^ 1), table), "window");
        files.bad("window-bit-flipped.wci", u8(index, table + 40, index[table + 40] ^ 4), "window");
    }

    /** A file whose DEFLATE blocks end where a flush did, so that a small file has several. */
    private static byte[] gzip(byte[] raw) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(file, 512, true)) {
            for (int at = 0; at < raw.length; at += BLOCK_BYTES) {
                out.write(raw, at, Math.min(BLOCK_BYTES, raw.length - at));
                out.flush();
            }
        }
        return file.toByteArray();
    }

    private static byte[] le64(byte[] file, int at, long value) {
        byte[] changed = file.clone();
        ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
        return changed;
    }

    /** The index with a right TABLE_CRC, so that the change before it is its only defect. */
    private static byte[] summed(byte[] index, int tableBytes) {
        CRC32 crc = new CRC32();
        crc.update(index, 0, tableBytes - 4);
        return le32(index, tableBytes - 4, (int) crc.getValue());
    }
}
