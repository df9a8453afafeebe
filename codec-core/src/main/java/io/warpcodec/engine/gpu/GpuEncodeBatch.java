package io.warpcodec.engine.gpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.device.DevicePool;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.Lease;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A batch that devices encode. What they do not take, or do not finish, the CPU engine encodes inside {@link #take}, on the thread that asks,
 * from the raw bytes that are still held; each such chunk is counted with its reason.
 */
final class GpuEncodeBatch implements Batch<EncodedChunk> {
    private final Engine cpu;
    private final DevicePool pool;
    private final Format format;
    private final CodecOptions options;
    private final List<Chunk> chunks;
    private final WorkMeter meter;
    private final Assignment[] assignments;
    private final List<GpuEncodeRequest> requests = new ArrayList<>();

    /**
     * Who encodes a chunk.
     *
     * @param request on a device, null if the CPU does
     * @param number of the chunk in the request
     * @param refusal why the CPU, null if a device
     */
    private record Assignment(GpuEncodeRequest request, int number, String refusal) {}

    GpuEncodeBatch(
            Engine cpu,
            DevicePool pool,
            Format format,
            CodecOptions options,
            List<Chunk> chunks,
            WorkMeter meter,
            EncodeLayout layout) {
        this.cpu = cpu;
        this.pool = pool;
        this.format = format;
        this.options = options;
        this.chunks = chunks;
        this.meter = meter;
        this.assignments = new Assignment[chunks.size()];
        GpuEncodeRequest request = null;
        for (int index = 0; index < chunks.size(); index++) {
            Chunk chunk = chunks.get(index);
            if (request == null || !request.hasRoomFor(chunk)) {
                request = new GpuEncodeRequest(format, layout, pool.mostLeaseBytes());
                requests.add(request);
            }
            assignments[index] = new Assignment(request, request.add(chunk), null);
        }
    }

    /** Submits everything, as far as the pool has room. */
    GpuEncodeBatch submit(String program) {
        for (GpuEncodeRequest request : List.copyOf(requests)) {
            if (!request.submit(pool, program)) {
                String why = pool.absence() == null ? "pool-full" : pool.absence();
                requests.remove(request);
                for (int index = 0; index < assignments.length; index++) {
                    if (assignments[index].request == request) {
                        assignments[index] = new Assignment(null, 0, why);
                    }
                }
            }
        }
        return this;
    }

    @Override
    public int size() {
        return chunks.size();
    }

    @Override
    public EncodedChunk take(int index) throws IOException {
        Assignment assignment = assignments[index];
        String refusal = assignment.refusal;
        if (refusal == null) {
            long start = System.nanoTime();
            try {
                refusal = assignment.request.await(assignment.number);
                if (refusal == null) {
                    EncodedChunk encoded = fromDevice(assignment, chunks.get(index));
                    if (encoded != null) {
                        int bodyBytes = encoded.body().remaining();
                        meter.count(1, encoded.rawBytes(), bodyBytes, System.nanoTime() - start);
                        return encoded;
                    }
                    refusal = assignment.request.failure();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                InterruptedIOException stopped = new InterruptedIOException("interrupted while a device encoded");
                stopped.initCause(interrupted);
                throw stopped;
            } finally {
                assignment.request.taken();
            }
        }
        Metrics.countFallback("encode", format, refusal);
        try (Batch<EncodedChunk> again = cpu.encode(format, options, List.of(chunks.get(index)))) {
            return again.take(0);
        }
    }

    /** Null if the results were taken back. */
    private EncodedChunk fromDevice(Assignment assignment, Chunk raw) {
        GpuEncodeRequest request = assignment.request;
        Lease lease = cpu.tryLease(request.bodyBytes(assignment.number), "encode");
        boolean done = false;
        try {
            ByteBuffer body = lease.memory().duplicate();
            if (!request.copyBody(assignment.number, body)) {
                return null;
            }
            body.flip();
            done = true;
            return new EncodedChunk(
                    body, 8L * body.remaining(), raw.bytes(), request.checksum(assignment.number), lease::release);
        } finally {
            if (!done) {
                lease.release();
            }
        }
    }

    @Override
    public void close() {
        requests.forEach(GpuEncodeRequest::close);
    }
}
