package io.warpcodec.engine.gpu.request;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.engine.gpu.block.DecodePlanner;
import io.warpcodec.engine.gpu.cost.RouteCosts;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Chunks that devices decode. As the CPU has the last word on all that they refuse, a chunk is accepted or rejected exactly as by the CPU engine. */
public final class GpuDecodeBatch extends GpuBatch<DecodedChunk, GpuDecodeRequest> {
    private final WorkMeter meter;

    /**
     * @param program what devices run for it
     * @param poolMostBytes the most that the pool admits at once
     */
    public GpuDecodeBatch(
            LendingEngine cpu,
            String program,
            Format format,
            CodecOptions options,
            List<Chunk> chunks,
            WorkMeter meter,
            DecodePlanner planner,
            RouteCosts costs,
            int poolMostBytes) {
        super(cpu, program, format, Direction.DECODE, options, chunks);
        this.meter = meter;
        for (Chunk chunk : chunks) {
            DecodePlan plan = planner.plan(chunk, options.outputBudgetBytes());
            if (plan.refusal() != null) {
                refuse(plan.refusal());
                continue;
            }
            if (lastRequest() == null || !lastRequest().canTake(plan)) {
                open(new GpuDecodeRequest(costs, poolMostBytes));
            }
            assign(lastRequest().add(chunk, plan));
        }
    }

    @Override
    DecodedChunk fromDevice(GpuDecodeRequest request, int number, Chunk chunk, ByteBuffer target)
            throws NotDone, InterruptedException {
        long start = System.nanoTime();
        int rawBytes = request.rawBytes(number);
        if (target != null && target.capacity() < rawBytes && request.isVerifiedByDevice(number)) {
            FallbackReason refusal = request.verify(number);
            if (refusal != null) {
                throw new NotDone(refusal);
            }
            meter.count(1, chunk.bytes(), rawBytes, System.nanoTime() - start);
            return DecodedChunk.done(new GpuDecodedSource(this, request, number, chunk));
        }
        Lease lease = target != null && target.capacity() >= rawBytes
                ? new Lease(target, "decode", () -> {})
                : cpu.lease(rawBytes, "decode");
        boolean done = false;
        try {
            byte[] array = lease.memory().array();
            FallbackReason refusal =
                    request.copyOut(number, array, lease.memory().arrayOffset());
            if (refusal != null) {
                throw new NotDone(refusal);
            }
            done = true;
        } finally {
            if (!done) {
                lease.release();
            }
        }
        meter.count(1, chunk.bytes(), rawBytes, System.nanoTime() - start);
        return DecodedChunk.done(List.of(new DecodedChunk.Output(lease, rawBytes)));
    }

    @Override
    boolean isHeld(DecodedChunk result) {
        return result.source() != null;
    }

    @Override
    DecodedChunk onCpu(Chunk chunk, ByteBuffer target) throws IOException {
        try (Batch<DecodedChunk> again = cpu.decode(format, options, List.of(chunk))) {
            return again.take(0, target);
        }
    }
}
