package io.warpcodec.engine.cpu.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.DecodedChunk.Status;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.base.CpuChunkDecoder;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.engine.cpu.base.HeapView;
import io.warpcodec.engine.cpu.base.NativeMemory;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.FrameWalk;
import io.warpcodec.format.Window;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import io.warpcodec.format.zstd.ZstdFrameLayout;
import io.warpcodec.format.zstd.ZstdFrameTracker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Decodes a chunk that is one frame, in one call of libzstd. The frame's headers are checked as a session would check
 * them. The output capacity is the size that the frame declares, or the most that its blocks can make.
 */
final class ZstdChunkDecoder implements CpuChunkDecoder {
    private static final long CONTEXT_BYTES = 160 << 10;

    private final ZstdDecompressCtx context = new ZstdDecompressCtx();
    private final Runnable free = NativeMemory.own(this, CONTEXT_BYTES, context::close);
    private final HeapLeases leases;
    private final HeapView bytes = new HeapView();
    private final ZstdFrameTracker tracker = new ZstdFrameTracker();

    ZstdChunkDecoder(HeapLeases leases) {
        this.leases = leases;
    }

    @Override
    public DecodedChunk decode(Chunk chunk, int budgetBytes, ByteBuffer target) {
        ByteBuffer frame = chunk.bytesView();
        Window window = new BufferWindow(frame, chunk.offset());
        ZstdFrameLayout layout;
        try {
            if (!window.require(MAGIC_BYTES) || window.i32le(0) != MAGIC) {
                return undecodable("no frame");
            }
            layout = ZstdFrameLayout.at(window, 0, budgetBytes, frame.remaining(), budgetBytes);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        if (layout.end() != FrameWalk.End.COMPLETE) {
            ZstdFrameHeader header = layout.header();
            return header != null && header.hasContentSize() && !header.declaresAtMost(budgetBytes)
                    ? DecodedChunk.failed(Status.NEEDS_OUTPUT, "over the output budget")
                    : undecodable("chunk is not a whole frame");
        }
        if (layout.bytes() != frame.remaining()) {
            return undecodable((frame.remaining() - layout.bytes()) + " bytes follow the frame");
        }
        tracker.start(layout.header());
        tracker.follow(frame.slice().position(layout.header().bytes()));
        return tracker.defect() != null ? undecodable(tracker.defect()) : decodeFrame(frame, layout, target);
    }

    private static DecodedChunk undecodable(String reason) {
        return DecodedChunk.failed(Status.UNDECODABLE, reason);
    }

    private DecodedChunk decodeFrame(ByteBuffer frame, ZstdFrameLayout layout, ByteBuffer callersTarget) {
        bytes.of(frame);
        Lease lease = leases.lease(
                Math.max(1, layout.capacityBytes()), "decode", layout.header().hasContentSize() ? callersTarget : null);
        ByteBuffer raw = lease.memory();
        int rawBytes = 0;
        try {
            rawBytes = context.decompressByteArray(
                    raw.array(),
                    raw.arrayOffset(),
                    layout.capacityBytes(),
                    bytes.array(),
                    bytes.start(),
                    frame.remaining());
        } catch (ZstdException bad) {
            return undecodable(ZstdRefusal.reason(bad.getErrorCode(), bad.getMessage()));
        } finally {
            if (rawBytes == 0) {
                lease.release();
            }
        }
        return DecodedChunk.done(rawBytes == 0 ? List.of() : List.of(new DecodedChunk.Output(lease, rawBytes)));
    }

    @Override
    public void close() {
        free.run();
    }
}
