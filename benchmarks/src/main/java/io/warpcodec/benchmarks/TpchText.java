package io.warpcodec.benchmarks;

import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import java.nio.charset.StandardCharsets;

/** TPC-H lineitem as text, the data of every table: the first bytes of scale factor 1, cut at a multiple of 64 KiB. */
public final class TpchText {
    private TpchText() {}

    /** At least this many bytes, rounded up to what one benchmark operation takes; always the same. */
    public static byte[] lineitem(int leastBytes) {
        int bytes = Math.toIntExact(
                (leastBytes + CodecWork.OPERATION_BYTES - 1L) / CodecWork.OPERATION_BYTES * CodecWork.OPERATION_BYTES);
        byte[] text = new byte[bytes];
        int filled = 0;
        for (LineItem item : new LineItemGenerator(1, 1, 1)) {
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
        throw new IllegalArgumentException("scale factor 1 has only " + filled + " bytes of lineitem");
    }
}
