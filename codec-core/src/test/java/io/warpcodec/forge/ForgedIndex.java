package io.warpcodec.forge;

import io.warpcodec.format.checksum.Crc32Combine;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexWriter;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.stream.StreamRig;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * A gzip file of two members, and a forged index for it. All sums in the index fit each other and the last trailer, but
 * it leaves out a block. So a span of it decodes to wrong bytes, of the CRC-32 that the index says. Only the trailer of
 * the first member tells.
 */
public final class ForgedIndex {
    private static final int BLOCK_BYTES = 20_000;
    private static final int BLOCKS = 4;
    private static final int HEADER_BYTES = 10;
    private static final int STORED_HEADER_BYTES = 5;
    private static final int TRAILER_BYTES = 8;

    private ForgedIndex() {}

    /** What the file decodes to. */
    public static byte[] raw() {
        return StreamRig.noise((BLOCKS + 1) * BLOCK_BYTES, 3);
    }

    /** The file: a member of four stored blocks, and one of one. */
    public static byte[] file() {
        byte[] raw = raw();
        ByteBuffer out = ByteBuffer.allocate(raw.length + 200).order(ByteOrder.LITTLE_ENDIAN);
        putMember(out, raw, 0, BLOCKS);
        putMember(out, raw, BLOCKS, BLOCKS + 1);
        return Arrays.copyOf(out.array(), out.position());
    }

    private static void putMember(ByteBuffer out, byte[] raw, int from, int to) {
        out.put(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff});
        for (int i = from; i < to; i++) {
            out.put((byte) (i == to - 1 ? 1 : 0));
            out.putShort((short) BLOCK_BYTES).putShort((short) ~BLOCK_BYTES);
            out.put(raw, i * BLOCK_BYTES, BLOCK_BYTES);
        }
        out.putInt((int) crc(raw, from, to)).putInt((to - from) * BLOCK_BYTES);
    }

    /** The index: it begins at the third block where the second is due. */
    public static byte[] index() {
        byte[] raw = raw();
        byte[] file = file();
        int first = (int) crc(raw, 0, 1);
        int third = (int) crc(raw, 2, 3);
        int last = (int) crc(raw, BLOCKS, BLOCKS + 1);
        int both = Crc32Combine.combine(first, third, BLOCK_BYTES);
        long secondMember = HEADER_BYTES + BLOCKS * (long) (STORED_HEADER_BYTES + BLOCK_BYTES) + TRAILER_BYTES;
        int rest = Crc32Combine.combine(both, 0, (BLOCKS - 2) * (long) BLOCK_BYTES);
        GzipIndexWriter writer = new GzipIndexWriter();
        writer.add(GzipSeekPoint.START, new byte[0]);
        addBlock(writer, 2, 1, first);
        addBlock(writer, 3, 2, both);
        writer.add(new GzipSeekPoint(8 * secondMember, BLOCKS * (long) BLOCK_BYTES, rest, 0, 0), new byte[0]);
        GzipSeekPoint end = new GzipSeekPoint(
                8L * file.length, raw.length, Crc32Combine.combine(rest, last, BLOCK_BYTES), BLOCK_BYTES, last);
        int sample = GzipIndex.SAMPLE_BYTES;
        return writer.finish(
                end,
                file.length,
                Arrays.copyOf(file, sample),
                Arrays.copyOfRange(file, file.length - sample, file.length));
    }

    /** A point at a block, of which the index says that it is another. */
    private static void addBlock(GzipIndexWriter writer, int block, int said, int crc) {
        long at = HEADER_BYTES + block * (long) (STORED_HEADER_BYTES + BLOCK_BYTES);
        long rawOffset = said * (long) BLOCK_BYTES;
        GzipSeekPoint point = new GzipSeekPoint(8 * at, rawOffset, crc, rawOffset, crc);
        writer.add(point, new byte[point.windowBytes()]);
    }

    private static long crc(byte[] raw, int from, int to) {
        CRC32 crc = new CRC32();
        crc.update(raw, from * BLOCK_BYTES, (to - from) * BLOCK_BYTES);
        return crc.getValue();
    }
}
