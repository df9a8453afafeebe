package io.warpcodec.engine.gpu.request;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.engine.gpu.block.DecodePlanner;
import io.warpcodec.engine.gpu.choice.DeviceChoice;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.WorkMeter;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Chunks that devices decode. As the CPU has the last word on all that they refuse, a chunk is accepted or rejected
 * exactly as by the CPU engine.
 */
public final class GpuDecodeBatch extends GpuBatch<DecodedChunk, GpuDecodeRequest> {
    private final WorkMeter meter;
    private final RecentLengths lengths;

    /**
     * @param known of the chunks' format
     * @param lengths takes the lengths of chunks whose containers do not tell them
     */
    public GpuDecodeBatch(
            LendingEngine cpu,
            DevicePool pool,
            GpuFormat known,
            CodecOptions options,
            List<Chunk> chunks,
            WorkMeter meter,
            RecentLengths lengths,
            DecodePlanner planner,
            DeviceChoice choice) {
        super(cpu, pool, known.decodeProgram(), known.format(), Direction.DECODE, options, chunks);
        this.meter = meter;
        this.lengths = lengths;
        int mostRawBytes = Math.min(mostRequestBytes(known), pool.mostLeaseBytes());
        boolean ofWaves = isOfWaves(known);
        GpuDecodeRequest.Bounds bounds = (inputBytes, rawBytes, blockCount) -> rawBytes <= mostRawBytes
                && blockCount <= GpuRequest.MOST_BLOCKS
                && (!ofWaves || pool.mayLease(known.decodeProgram(), inputBytes, rawBytes, blockCount));
        for (Chunk chunk : chunks) {
            DecodePlan plan = planner.plan(chunk, options.outputBudgetBytes());
            if (plan.refusal() != null) {
                refuse(plan.refusal());
                continue;
            }
            if (lastRequest() == null || !lastRequest().canTake(plan)) {
                open(new GpuDecodeRequest(choice, bounds));
            }
            assign(lastRequest().add(chunk, plan));
        }
    }

    @Override
    GpuDecodeRequest rest(GpuDecodeRequest request, int number, int mostChunks) {
        return request.rest(number, mostChunks);
    }

    @Override
    DecodedChunk fromDevice(GpuDecodeRequest request, int number, Chunk chunk, ByteBuffer target)
            throws NotDone, InterruptedException {
        long start = System.nanoTime();
        if (request.isUpTo(number)) {
            require(request.verify(number));
            DecodePlan.Expansion expansion = request.expansion(number);
            if (expansion != null) {
                return expanded(request, number, chunk, expansion, start);
            }
            lengths.add(request.rawBytes(number));
        }
        int rawBytes = request.rawBytes(number);
        if (target != null && target.capacity() < rawBytes && request.isVerifiedByDevice(number)) {
            require(request.verify(number));
            meter.count(1, chunk.bytes(), rawBytes, System.nanoTime() - start);
            return DecodedChunk.done(new GpuDecodedSource(this, request, number, chunk));
        }
        Lease lease = target != null && target.capacity() >= rawBytes
                ? new Lease(target, "decode", () -> {})
                : cpu.lease(rawBytes, "decode");
        boolean done = false;
        try {
            byte[] array = lease.memory().array();
            require(request.copyOut(number, array, lease.memory().arrayOffset()));
            done = true;
        } finally {
            if (!done) {
                lease.release();
            }
        }
        meter.count(1, chunk.bytes(), rawBytes, System.nanoTime() - start);
        return DecodedChunk.done(List.of(new DecodedChunk.Output(lease, rawBytes)));
    }

    /** @throws NotDone if there is a reason why the device did not do it */
    private static void require(FallbackReason refusal) throws NotDone {
        if (refusal != null) {
            throw new NotDone(refusal);
        }
    }

    private DecodedChunk expanded(
            GpuDecodeRequest request, int number, Chunk chunk, DecodePlan.Expansion expansion, long start)
            throws NotDone {
        byte[] text = new byte[request.rawBytes(number)];
        require(request.copyPart(number, 0, ByteBuffer.wrap(text), text.length));
        DecodedChunk.Source source = expansion.verified(text);
        require(source == null ? FallbackReason.CHECKSUM : null);
        lengths.add(source.remaining());
        meter.count(1, chunk.bytes(), source.remaining(), System.nanoTime() - start);
        return DecodedChunk.done(source);
    }

    @Override
    boolean isHeld(DecodedChunk result) {
        return result.source() instanceof GpuDecodedSource;
    }

    @Override
    Batch<DecodedChunk> cpuBatch(List<Chunk> those) {
        return cpu.decode(format, options, those);
    }
}
