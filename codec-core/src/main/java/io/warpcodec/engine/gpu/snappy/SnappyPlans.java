package io.warpcodec.engine.gpu.snappy;

import static io.warpcodec.engine.gpu.block.DecodePlan.MOST_BLOCK_BYTES;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.engine.gpu.block.DecodePlan.Body;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.Window;
import io.warpcodec.format.snappy.SnappyFormat;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Plans for the two containers of raw Snappy bodies, which name their own lengths. */
final class SnappyPlans {
    private static final int LENGTH_BYTES = 4;

    private SnappyPlans() {}

    /** An outer block of Hadoop's framing. */
    static DecodePlan outerBlock(Chunk chunk, int budgetBytes) {
        ByteBuffer bytes = chunk.bytesView();
        return bytes.limit() < LENGTH_BYTES
                ? DecodePlan.refused(FallbackReason.NOT_WELL_FORMED)
                : bodies(bytes, LENGTH_BYTES, bytes.getInt(0), budgetBytes);
    }

    /** Blocks of a xerial stream. */
    static DecodePlan blocks(Chunk chunk, int budgetBytes) {
        return bodies(chunk.bytesView(), 0, chunk.rawBytes(), budgetBytes);
    }

    private static DecodePlan bodies(ByteBuffer bytes, int start, int rawBytes, int budgetBytes) {
        if (rawBytes < 0 || rawBytes > budgetBytes) {
            return DecodePlan.refused(rawBytes < 0 ? FallbackReason.NOT_WELL_FORMED : FallbackReason.OVER_BUDGET);
        }
        Window window = new BufferWindow(bytes, 0);
        List<Body> bodies = new ArrayList<>();
        int rawAt = 0;
        int at = start;
        while (at < bytes.limit()) {
            if (bytes.limit() - at < LENGTH_BYTES) {
                return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
            }
            int bodyBytes = bytes.getInt(at);
            at += LENGTH_BYTES;
            if (bodyBytes <= 0 || bodyBytes > bytes.limit() - at) {
                return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
            }
            int prefixBytes = Math.min(bodyBytes, SnappyFormat.MAX_VARINT_BYTES);
            int bodyRawBytes = SnappyFormat.SIZES.rawBytes(window, at, prefixBytes);
            if (bodyRawBytes <= 0 || bodyRawBytes > rawBytes - rawAt) {
                return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
            }
            if (bodyRawBytes > MOST_BLOCK_BYTES || bodyBytes > SnappyKernels.MAX_INPUT_BYTES) {
                return DecodePlan.refused(FallbackReason.BLOCK_TOO_LONG);
            }
            bodies.add(new Body(at, bodyBytes, bodyRawBytes, false));
            rawAt += bodyRawBytes;
            at += bodyBytes;
        }
        return rawAt == rawBytes
                ? DecodePlan.of(bodies, rawBytes, List.of())
                : DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
    }
}
