package io.warpcodec.engine.gpu.request;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.device.pool.DevicePool;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import io.warpcodec.engine.gpu.cost.RouteCosts;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Raw chunks that devices encode. */
public final class GpuEncodeBatch extends GpuBatch<EncodedChunk, GpuEncodeRequest> {
    private final WorkMeter meter;

    public GpuEncodeBatch(
            LendingEngine cpu,
            DevicePool pool,
            Format format,
            CodecOptions options,
            List<Chunk> chunks,
            WorkMeter meter,
            EncodeLayout layout,
            RouteCosts costs) {
        super(cpu, pool, layout.program(), 0, format, Direction.ENCODE, options, chunks);
        this.meter = meter;
        int poolMostBytes = pool.mostLeaseBytes();
        for (Chunk chunk : chunks) {
            if (lastRequest() == null || !lastRequest().canTake(chunk)) {
                open(new GpuEncodeRequest(costs, layout, poolMostBytes));
            }
            assign(lastRequest().add(chunk));
        }
    }

    /** @throws UnsupportedOperationException always: chunks to be encoded do not wait for memory */
    @Override
    GpuEncodeRequest rest(GpuEncodeRequest request, int number, int mostChunks) {
        throw new UnsupportedOperationException("encoding does not wait for memory");
    }

    @Override
    EncodedChunk fromDevice(GpuEncodeRequest request, int number, Chunk raw, ByteBuffer target)
            throws NotDone, InterruptedException {
        long start = System.nanoTime();
        FallbackReason refusal = request.await(number);
        if (refusal != null) {
            throw new NotDone(refusal);
        }
        Lease lease = cpu.lease(request.bodyBytes(number), "encode");
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
            return new EncodedChunk(body, 8L * body.remaining(), raw.bytes(), request.checksum(number), lease::release);
        } finally {
            if (!done) {
                lease.release();
            }
        }
    }

    @Override
    EncodedChunk onCpu(Chunk raw, ByteBuffer target) throws IOException {
        try (Batch<EncodedChunk> again = cpu.encode(format, options, List.of(raw))) {
            return again.take(0);
        }
    }
}
