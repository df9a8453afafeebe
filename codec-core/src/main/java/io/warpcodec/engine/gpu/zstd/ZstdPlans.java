package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.engine.gpu.block.DecodePlan.Body;
import io.warpcodec.engine.gpu.block.DecodePlan.Content;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.FrameWalk;
import io.warpcodec.format.zstd.ZstdFormat;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import io.warpcodec.format.zstd.ZstdFrameLayout;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Plans for zstd frames, as the scanner cuts them. Devices decode those that tell what they decode to. */
final class ZstdPlans {
    /** Most that a whole frame decodes to. */
    static final int MOST_FRAME_BYTES = 8 << 20;

    private ZstdPlans() {}

    /** A frame. */
    static DecodePlan frame(Chunk chunk, int budgetBytes) {
        ByteBuffer bytes = chunk.bytesView().order(ByteOrder.LITTLE_ENDIAN);
        ZstdFrameLayout layout;
        try {
            BufferWindow window = new BufferWindow(bytes, chunk.offset());
            if (!window.require(ZstdFormat.MAGIC_BYTES) || window.i32le(0) != ZstdFormat.MAGIC) {
                return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
            }
            layout = ZstdFrameLayout.at(window, 0, budgetBytes, bytes.limit(), budgetBytes);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        if (layout.end() != FrameWalk.End.COMPLETE || layout.bytes() != bytes.limit()) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        ZstdFrameHeader header = layout.header();
        if (!header.hasContentSize()) {
            return DecodePlan.refused(FallbackReason.NO_CONTENT_SIZE);
        }
        if (!header.declaresAtMost(Math.min(budgetBytes, MOST_FRAME_BYTES))) {
            return DecodePlan.refused(FallbackReason.BLOCK_TOO_LONG);
        }
        int rawBytes = (int) header.contentBytes();
        if (rawBytes == 0) {
            return DecodePlan.refused(FallbackReason.EMPTY);
        }
        ZstdBlocks blocks = ZstdBlocks.of(bytes, header);
        if (blocks.refusal() != null) {
            return DecodePlan.refused(blocks.refusal());
        }
        byte[] record = ZstdRecord.of(blocks.all(), rawBytes, header.maxBlockBytes());
        Body body = new Body(0, bytes.limit(), rawBytes, false, record);
        List<Content> contents = header.checksum()
                ? List.of(new Content(0, rawBytes, 0, -1, bytes.getInt(bytes.limit() - ZstdFormat.CHECKSUM_BYTES)))
                : List.of();
        return DecodePlan.of(List.of(body), rawBytes, contents);
    }
}
