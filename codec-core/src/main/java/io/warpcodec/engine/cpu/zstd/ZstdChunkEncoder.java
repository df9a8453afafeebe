package io.warpcodec.engine.cpu.zstd;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.base.CpuChunkEncoder;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.engine.cpu.base.HeapView;
import io.warpcodec.engine.cpu.base.NativeMemory;
import io.warpcodec.format.EncodedChunk;
import java.nio.ByteBuffer;

/** Encodes each chunk as a frame with content size and checksum, in one call of libzstd. */
final class ZstdChunkEncoder implements CpuChunkEncoder {
    /** What libzstd takes at level 3 for a chunk of ordinary size. */
    private static final long CONTEXT_BYTES = 2 << 20;

    private final ZstdCompressCtx context = new ZstdCompressCtx();
    private final Runnable free = NativeMemory.own(this, CONTEXT_BYTES, context::close);
    private final HeapLeases leases;
    private final HeapView raw = new HeapView();

    ZstdChunkEncoder(int level, HeapLeases leases) {
        this.leases = leases;
        context.setLevel(level).setChecksum(true).setContentSize(true);
    }

    @Override
    public EncodedChunk encode(Chunk chunk) {
        raw.of(chunk.bytesView());
        int capacityBytes = Math.toIntExact(Zstd.compressBound(chunk.bytes()));
        Lease lease = leases.lease(capacityBytes, "encode");
        ByteBuffer body = lease.memory().duplicate();
        boolean done = false;
        try {
            int bodyBytes = context.compressByteArray(
                    body.array(), body.arrayOffset(), capacityBytes, raw.array(), raw.start(), chunk.bytes());
            body.limit(bodyBytes);
            done = true;
        } finally {
            if (!done) {
                lease.release();
            }
        }
        return new EncodedChunk(body, 8L * body.remaining(), chunk.bytes(), 0, lease::release);
    }

    @Override
    public void close() {
        free.run();
    }
}
