package io.warpcodec.engine.gpu.request;

import io.warpcodec.device.lease.ProcessorTime;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A verified chunk in a device's page-locked memory, copied from there as it is read: once, not twice. If its memory
 * is given to others before all is read, the CPU engine decodes the chunk again. Not thread-safe.
 */
final class GpuDecodedSource implements DecodedChunk.Source {
    private final GpuDecodeBatch batch;
    private final GpuDecodeRequest request;
    private final int number;
    private final Chunk chunk;
    private final int rawBytes;
    private int at;
    private DecodedChunk again;
    private boolean closed;

    GpuDecodedSource(GpuDecodeBatch batch, GpuDecodeRequest request, int number, Chunk chunk) {
        this.batch = batch;
        this.request = request;
        this.number = number;
        this.chunk = chunk;
        this.rawBytes = request.rawBytes(number);
    }

    @Override
    public int remaining() {
        return rawBytes - at;
    }

    @Override
    public void read(ByteBuffer target) throws IOException {
        int bytes = Math.min(target.remaining(), remaining());
        if (again == null) {
            FallbackReason gone = request.copyPart(number, at, target, bytes);
            if (gone == null) {
                at += bytes;
                return;
            }
            long start = System.nanoTime();
            long processorStart = ProcessorTime.nanos();
            again = batch.again(chunk, null, gone);
            request.cpuDid(System.nanoTime() - start, ProcessorTime.nanos() - processorStart);
        }
        readAgain(target, bytes);
    }

    private void readAgain(ByteBuffer target, int bytes) throws IOException {
        int left = bytes;
        int before = 0;
        for (DecodedChunk.Output output : again.outputs()) {
            int from = Math.max(0, at - before);
            int count = Math.min(left, output.bytes() - from);
            if (count > 0) {
                target.put(output.lease().memory().slice(from, count));
                at += count;
                left -= count;
            }
            before += output.bytes();
        }
        if (left > 0) {
            throw new IOException(
                    "the CPU engine decodes to " + before + " bytes what a device decoded to " + rawBytes);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (again != null) {
                again.release();
            }
            request.taken();
        }
    }
}
