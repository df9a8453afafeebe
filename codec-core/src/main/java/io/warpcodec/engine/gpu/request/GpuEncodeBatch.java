package io.warpcodec.engine.gpu.request;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Mode;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import io.warpcodec.engine.gpu.choice.DeviceChoice;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.WorkMeter;
import java.nio.ByteBuffer;
import java.util.List;

/** Raw chunks that devices encode. */
public final class GpuEncodeBatch extends GpuBatch<EncodedChunk, GpuEncodeRequest> {
    private final WorkMeter meter;
    /** Memory of a body that has been written, or null. */
    private Lease spareBody;

    private boolean closed;

    public GpuEncodeBatch(
            LendingEngine cpu,
            DevicePool pool,
            GpuFormat known,
            CodecOptions options,
            List<Chunk> chunks,
            WorkMeter meter,
            EncodeLayout layout,
            DeviceChoice choice) {
        super(cpu, pool, layout.program(), known.format(), Direction.ENCODE, options, chunks);
        this.meter = meter;
        GpuEncodeRequest.Bounds bounds = bounds(layout.program(), mostRequestBytes(known));
        for (Chunk chunk : chunks) {
            if (!layout.takes(chunk.bytes())) {
                refuse(FallbackReason.BLOCK_REFUSED);
                continue;
            }
            int[] blocks = layout.blocks(chunk.bytes());
            if (lastRequest() == null || !lastRequest().canTake(chunk, blocks)) {
                open(new GpuEncodeRequest(choice, layout, bounds));
            }
            assign(lastRequest().add(chunk, blocks, dearBytes(known, chunk)));
        }
    }

    /** Only where there is a choice does it matter what a chunk costs the CPU. */
    private int dearBytes(GpuFormat known, Chunk chunk) {
        return options.mode() == Mode.AUTO ? known.dearBytes(chunk, options) : chunk.bytes();
    }

    private GpuEncodeRequest.Bounds bounds(String program, int mostRequestBytes) {
        int mostBytes = Math.min(mostRequestBytes, pool.mostLeaseBytes());
        return (inputBytes, outputBytes, blockCount) -> inputBytes <= mostBytes
                && blockCount <= GpuRequest.MOST_BLOCKS
                && pool.mayLease(program, inputBytes, outputBytes, blockCount);
    }

    @Override
    GpuEncodeRequest rest(GpuEncodeRequest request, int number, int mostChunks) {
        return request.rest(number, mostChunks);
    }

    @Override
    EncodedChunk fromDevice(GpuEncodeRequest request, int number, Chunk raw, ByteBuffer target)
            throws NotDone, InterruptedException {
        long start = System.nanoTime();
        FallbackReason refusal = request.await(number);
        if (refusal != null) {
            throw new NotDone(refusal);
        }
        long bits = request.bodyBits(number);
        Lease lease = bodyLease((int) ((bits + Byte.SIZE - 1) / Byte.SIZE));
        boolean done = false;
        try {
            ByteBuffer body = lease.memory().duplicate();
            refusal = request.copyBody(number, body);
            if (refusal != null) {
                throw new NotDone(refusal);
            }
            body.flip();
            done = true;
            meter.count(1, raw.bytes(), body.remaining(), System.nanoTime() - start);
            return new EncodedChunk(body, bits, raw.bytes(), request.checksum(number), 1, () -> keep(lease));
        } finally {
            if (!done) {
                lease.release();
            }
        }
    }

    /**
     * The body before, if it is written and was as large, else fresh memory: a batch has up to a thousand bodies, and
     * its writer takes one at a time.
     */
    private Lease bodyLease(int bytes) {
        Lease kept = spareBody;
        if (kept != null && kept.capacity() >= bytes) {
            spareBody = null;
            return kept;
        }
        return cpu.lease(bytes, "encode");
    }

    private void keep(Lease body) {
        Lease dropped = spareBody;
        if (dropped == body) {
            throw new IllegalStateException("a body is released twice");
        }
        if (closed || dropped != null && dropped.capacity() >= body.capacity()) {
            body.release();
            return;
        }
        spareBody = body;
        if (dropped != null) {
            dropped.release();
        }
    }

    @Override
    public void close() {
        closed = true;
        if (spareBody != null) {
            spareBody.release();
            spareBody = null;
        }
        super.close();
    }

    @Override
    Batch<EncodedChunk> cpuBatch(List<Chunk> those) {
        return cpu.encode(format, options, those);
    }
}
