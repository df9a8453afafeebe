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
import io.warpcodec.format.zstd.ZstdFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Encodes each chunk as a frame with content size and checksum, in one call of libzstd. The checksum is cut off the
 * body.
 */
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
        ByteBuffer body = lease.memory().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int bodyBytes;
        boolean done = false;
        try {
            bodyBytes = context.compressByteArray(
                            body.array(), body.arrayOffset(), capacityBytes, raw.array(), raw.start(), chunk.bytes())
                    - ZstdFormat.CHECKSUM_BYTES;
            done = true;
        } finally {
            if (!done) {
                lease.release();
            }
        }
        int checksum = body.getInt(bodyBytes);
        return new EncodedChunk(body.limit(bodyBytes), 8L * bodyBytes, chunk.bytes(), checksum, lease::release);
    }

    @Override
    public void close() {
        free.run();
    }
}
