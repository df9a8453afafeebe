package io.warpcodec.engine.gpu.deflate;

import static io.warpcodec.format.gzip.GzipFormat.SUBFIELD_AT;
import static io.warpcodec.format.gzip.GzipFormat.TRAILER_BYTES;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.engine.gpu.block.DecodePlan.Body;
import io.warpcodec.engine.gpu.block.DecodePlan.Content;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.gzip.GzipHeader;
import io.warpcodec.format.gzip.GzipTrailer;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Plans for gzip members whose header says where they end, ours and BGZF's. */
final class GzipPlans {
    // Such a header has an extra field and nothing else; what has more goes to the CPU, which checks it. The trailer
    // says how long the member is when decoded. A body that is longer than stored blocks would be is no device's
    // work: it may hold a million empty blocks. A member that decodes to more than its header claims is the CPU's,
    // which gives it up. Members of 1 MiB, the longest of ours, are a device's too, unlike other formats' long
    // blocks. Two warps take some 6 ms for such a member, a core 4, and a device runs dozens at a time.

    private static final int LEAST_BODY_BYTES = 2;
    /** Beyond an eighth: for bodies of next to nothing. */
    private static final int EXCESS_BYTES = 64;

    private GzipPlans() {}

    static DecodePlan member(Chunk chunk, int budgetBytes) {
        ByteBuffer bytes = chunk.bytesView().order(ByteOrder.LITTLE_ENDIAN);
        GzipHeader header =
                bytes.limit() < SUBFIELD_AT ? null : GzipHeader.startAt(new BufferWindow(bytes, chunk.offset()), 0);
        if (header == null) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        if (!header.hasOnlyExtra()) {
            return DecodePlan.refused(FallbackReason.HEADER_FIELDS);
        }
        int bodyAt = SUBFIELD_AT + header.extraBytes();
        int bodyBytes = bytes.limit() - TRAILER_BYTES - bodyAt;
        if (bodyBytes < LEAST_BODY_BYTES) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        GzipTrailer trailer = GzipTrailer.of(bytes.getLong(bodyAt + bodyBytes));
        int rawBytes = trailer.rawBytes();
        if (rawBytes < 0 || rawBytes > Math.min(budgetBytes, DeflateDecodeKernels.MAX_OUTPUT_BYTES)) {
            return DecodePlan.refused(FallbackReason.BLOCK_TOO_LONG);
        }
        if (bodyBytes > rawBytes + rawBytes / 8 + EXCESS_BYTES) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        return DecodePlan.of(
                List.of(new Body(bodyAt, bodyBytes, rawBytes, false)),
                rawBytes,
                List.of(new Content(0, rawBytes, 0, -1, trailer.crc32())));
    }
}
