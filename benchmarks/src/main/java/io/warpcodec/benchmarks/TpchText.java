package io.warpcodec.benchmarks;

import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import java.nio.charset.StandardCharsets;

/**
 * TPC-H lineitem as text, the data of every table, cut at a multiple of 64 KiB. Up to 700 MB are the first bytes of
 * scale factor 1; each 700 MB more take the next scale factor.
 */
public final class TpchText {
    /** Scale factor 1 has 759 million. */
    private static final int BYTES_PER_SCALE_FACTOR = 700_000_000;

    private TpchText() {}

    /** At least this many bytes, rounded up to what one benchmark operation takes; always the same. */
    public static byte[] lineitem(int leastBytes) {
        int bytes = Math.toIntExact(
                (leastBytes + CodecWork.OPERATION_BYTES - 1L) / CodecWork.OPERATION_BYTES * CodecWork.OPERATION_BYTES);
        byte[] text = new byte[bytes];
        int filled = 0;
        int scaleFactor = (bytes - 1) / BYTES_PER_SCALE_FACTOR + 1;
        for (LineItem item : new LineItemGenerator(scaleFactor, 1, 1)) {
            byte[] line = item.toLine().getBytes(StandardCharsets.ISO_8859_1);
            int count = Math.min(line.length, bytes - filled);
            System.arraycopy(line, 0, text, filled, count);
            filled += count;
            if (filled < bytes) {
                text[filled++] = '\n';
            }
            if (filled == bytes) {
                return text;
            }
        }
        throw new IllegalArgumentException(
                "scale factor " + scaleFactor + " has only " + filled + " bytes of lineitem");
    }
}
