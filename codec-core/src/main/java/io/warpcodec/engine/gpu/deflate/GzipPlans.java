package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.engine.gpu.block.DecodePlan.Body;
import io.warpcodec.engine.gpu.block.DecodePlan.Content;
import io.warpcodec.format.gzip.GzipFormat;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Plans for gzip members whose header says where they end, ours and BGZF's. */
final class GzipPlans {
    // Such a header has an extra field and nothing else; what has more goes to the CPU, which checks it. The trailer
    // says how long the member is when decoded. A body that is longer than stored blocks would be is no device's work:
    // it
    // may hold a million empty blocks. One that is longer than its header claims is the CPU's, which gives it up.
    // Members of 1 MiB, the longest of ours, are a device's too, unlike other formats'
    // long
    // blocks: two warps take some 6 ms for one, a core 4, and a device has room for dozens at a time.

    private static final int WORD_BYTES = 4;
    private static final int LEAST_BODY_BYTES = 2;
    /** Beyond an eighth: for bodies of next to nothing. */
    private static final int EXCESS_BYTES = 64;

    private GzipPlans() {}

    static DecodePlan member(Chunk chunk, int budgetBytes) {
        ByteBuffer bytes = chunk.bytesView().order(ByteOrder.LITTLE_ENDIAN);
        int extraAt = GzipFormat.HEADER_BYTES + Short.BYTES;
        if (bytes.limit() < extraAt
                || bytes.get(0) != (byte) GzipFormat.ID1
                || bytes.get(1) != (byte) GzipFormat.ID2
                || bytes.get(2) != GzipFormat.CM_DEFLATE) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        if (bytes.get(3) != GzipFormat.FEXTRA) {
            return DecodePlan.refused(FallbackReason.HEADER_FIELDS);
        }
        int bodyAt = extraAt + (bytes.getShort(GzipFormat.HEADER_BYTES) & 0xffff);
        int bodyBytes = bytes.limit() - GzipFormat.TRAILER_BYTES - bodyAt;
        if (bodyBytes < LEAST_BODY_BYTES) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        int crc32 = bytes.getInt(bodyAt + bodyBytes);
        int rawBytes = bytes.getInt(bodyAt + bodyBytes + WORD_BYTES);
        if (rawBytes < 0 || rawBytes > Math.min(budgetBytes, DeflateDecodeKernels.MAX_OUTPUT_BYTES)) {
            return DecodePlan.refused(FallbackReason.BLOCK_TOO_LONG);
        }
        if (bodyBytes > rawBytes + rawBytes / 8 + EXCESS_BYTES) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        return DecodePlan.of(
                List.of(new Body(bodyAt, bodyBytes, rawBytes, false)),
                rawBytes,
                List.of(new Content(0, rawBytes, 0, -1, crc32)));
    }
}
