package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.ForwardingBatch;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.cpu.ThreadedCpuEngine;
import io.warpcodec.engine.gpu.block.ChunkSample;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What devices do not do is done by as many threads as the CPU engine has, side by side. Here a chunk is done only
 * when another one is in work.
 */
@Timeout(120)
class CpuThreadsBesideDevicesTest {
    private static final CodecOptions AUTO = CodecOptions.DEFAULTS.withMode(Mode.AUTO);
    private static final int CHUNKS = 4;
    private static final int CHUNK_BYTES = 64 << 10;

    private final CyclicBarrier pair = new CyclicBarrier(2);
    private final ScriptedGpu gpu = new ScriptedGpu(
                    new ThreadedCpuEngine(new InPairs(), 2),
                    1,
                    ScriptedGpu.smallLimits(),
                    // the first pieces of a kind are the CPU's
                    DeviceChoices.learning())
            .started();

    @AfterEach
    void close() {
        gpu.awaitNothingLent();
        gpu.close();
    }

    /** The CPU engine, which does a chunk when another thread comes with one. */
    private final class InPairs extends ForwardingEngine {
        InPairs() {
            super(new CpuEngine());
        }

        @Override
        public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
            return new Waiting<>(super.decode(format, options, chunks));
        }

        @Override
        public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
            return new Waiting<>(super.encode(format, options, chunks));
        }
    }

    private final class Waiting<R> extends ForwardingBatch<R> {
        Waiting(Batch<R> batch) {
            super(batch);
        }

        @Override
        public R take(int index) throws IOException {
            try {
                pair.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
                throw new IOException("no other chunk is in work", alone);
            }
            return super.take(index);
        }
    }

    private static List<Chunk> chunks(byte[] raw) {
        List<Chunk> chunks = new ArrayList<>();
        for (int at = 0; at < raw.length; at += CHUNK_BYTES) {
            chunks.add(Chunk.raw(new Lease(ByteBuffer.wrap(raw), "sample", () -> {}), at, CHUNK_BYTES, at, 0));
        }
        return chunks;
    }

    private static long refusals(Direction direction) {
        return Metrics.counter("fallback." + direction.word() + ".lz4." + FallbackReason.AUTO.word())
                .sum();
    }

    @Test
    void chunksAreEncodedSideBySideInOrderAndCounted() throws IOException {
        byte[] raw = GpuStreams.text(CHUNKS * CHUNK_BYTES, 1);
        long before = refusals(Direction.ENCODE);
        List<Chunk> chunks = chunks(raw);
        try (Batch<EncodedChunk> batch = gpu.engine().encode(Format.LZ4, AUTO, chunks);
                Batch<EncodedChunk> expected = new CpuEngine().encode(Format.LZ4, AUTO, chunks)) {
            for (int index = 0; index < CHUNKS; index++) {
                EncodedChunk mine = batch.take(index);
                EncodedChunk its = expected.take(index);
                assertThat(mine.body()).isEqualTo(its.body());
                mine.release().run();
                its.release().run();
            }
        }
        assertThat(refusals(Direction.ENCODE)).isEqualTo(before + CHUNKS);
    }

    @Test
    void chunksAreDecodedSideBySideInOrderAndCounted() throws IOException {
        byte[] raw = GpuStreams.text(CHUNKS * CHUNK_BYTES, 2);
        List<ChunkSample> samples =
                ChunkSample.of(GpuStreams.LZ4_FRAME, GpuStreams.LZ4_FRAME.write(raw, CHUNK_BYTES), AUTO);
        assertThat(samples).hasSize(CHUNKS);
        long before = refusals(Direction.DECODE);
        List<Chunk> chunks =
                samples.stream().map(each -> each.chunk(each.bytes())).toList();
        try (Batch<DecodedChunk> batch = gpu.engine().decode(Format.LZ4, AUTO, chunks)) {
            int at = 0;
            for (int index = 0; index < CHUNKS; index++) {
                DecodedChunk decoded = batch.take(index);
                for (DecodedChunk.Output output : decoded.outputs()) {
                    assertThat(output.lease().memory().slice(0, output.bytes()))
                            .isEqualTo(ByteBuffer.wrap(raw, at, output.bytes()));
                    at += output.bytes();
                }
                decoded.release();
            }
            assertThat(at).isEqualTo(raw.length);
        }
        assertThat(refusals(Direction.DECODE)).isEqualTo(before + CHUNKS);
    }

    @Test
    void aBatchThatIsClosedEarlyLendsNothing() throws IOException {
        byte[] raw = GpuStreams.text(CHUNKS * CHUNK_BYTES, 3);
        try (Batch<EncodedChunk> batch = gpu.engine().encode(Format.LZ4, AUTO, chunks(raw))) {
            batch.take(0).release().run();
        }
    }
}
