package io.warpcodec.engine.gpu.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Mode;
import io.warpcodec.SizedOptions;
import io.warpcodec.TestSeed;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sound and damaged chunks in one batch: the GPU engine accepts and rejects as the CPU engine, with the same reason
 * and the same bytes, and no chunk harms another.
 *
 * <p>{@code -Dwarpcodec.test.mutations=N}: chunks of each container. A failure names its batch's seed;
 * {@code -Dwarpcodec.test.seed=S} then begins with that batch.
 */
abstract class MutatedChunksContract {
    private static final int MUTATIONS = Integer.getInteger("warpcodec.test.mutations", 4000);

    private static final int BATCH_CHUNKS = 64;
    private static final int SAMPLES = 400;
    private static final long SAMPLE_SEED = 20261122;
    /** One sample in so many has several blocks. */
    private static final int LONG_SAMPLE_TURN = 40;

    private static final int SHORT_BYTES = 8 << 10;
    private static final int LONG_BYTES = 200_000;
    private static final int BUDGET_BYTES = 1 << 20;
    private static final int SHORTEST_ROOM_BYTES = 64;
    private static final byte POISON = (byte) 0xC7;
    private static final byte CANARY = (byte) 0xA5;
    private static final int CANARY_BYTES = 32;

    /** The GPU engine, started. */
    abstract Engine gpu();

    private final Engine cpu = new CpuEngine();
    private final LongAdder damagedCount = new LongAdder();
    private final LongAdder acceptedCount = new LongAdder();

    @ParameterizedTest
    @EnumSource
    void bothEnginesJudgeMutatedChunksAlike(GpuStreams kind) throws Exception {
        CodecOptions options = SizedOptions.withOutputBudgetBytes(kind.options.withMode(Mode.GPU), BUDGET_BYTES);
        List<ChunkSample> samples = samples(kind, options);
        long seed = TestSeed.value();
        long before = kind.deviceChunks();
        long refusedBefore = refusedCount(kind);
        int threadCount = Runtime.getRuntime().availableProcessors();
        int batches = (MUTATIONS + BATCH_CHUNKS - 1) / BATCH_CHUNKS;
        ExecutorService threads = Executors.newFixedThreadPool(threadCount);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < threadCount; thread++) {
                int first = thread;
                running.add(threads.submit(() -> {
                    Trial trial = new Trial(kind, options, samples);
                    for (int batch = first; batch < batches; batch += threadCount) {
                        trial.run(seed + batch);
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        long chunkCount = (long) batches * BATCH_CHUNKS;
        long deviceCount = kind.deviceChunks() - before;
        System.out.printf(
                "%s: %d chunks, %d damaged, of these %d accepted by both; a device decoded %d and refused %d; first seed %d%n",
                kind,
                chunkCount,
                damagedCount.sum(),
                acceptedCount.sum(),
                deviceCount,
                refusedCount(kind) - refusedBefore,
                seed);
        assertThat(deviceCount).as("chunks decoded on a device").isGreaterThan(chunkCount / 10);
        assertThat(acceptedCount.sum())
                .as("damaged chunks that are accepted")
                .isGreaterThan(0)
                .isLessThan(damagedCount.sum());
    }

    private static long refusedCount(GpuStreams kind) {
        return kind.fallbacks("block-refused") + kind.fallbacks("checksum");
    }

    /** Chunks that decode: where a scanner guesses, as in Hadoop's framing, it may have cut a chunk that does not. */
    private List<ChunkSample> samples(GpuStreams kind, CodecOptions options) throws IOException {
        Random random = new Random(SAMPLE_SEED);
        List<ChunkSample> samples = new ArrayList<>();
        while (samples.size() < SAMPLES) {
            int most = samples.size() % LONG_SAMPLE_TURN == 0 ? LONG_BYTES : SHORT_BYTES;
            byte[] raw = BlockData.make(random, random.nextInt(BlockData.KINDS), 1 + random.nextInt(most));
            for (ChunkSample sample : ChunkSample.of(kind, kind.write(raw, LONG_BYTES), options)) {
                boolean bare = sample.mayLackContentChecksum() && random.nextBoolean();
                if (isSound(sample, options)) {
                    samples.add(bare ? sample.withoutContentChecksum(options) : sample);
                }
            }
        }
        return samples;
    }

    private boolean isSound(ChunkSample sample, CodecOptions options) throws IOException {
        List<Chunk> chunks = List.of(sample.chunk(sample.bytes()));
        try (Batch<DecodedChunk> batch = cpu.decode(sample.kind().format, options, chunks)) {
            DecodedChunk chunk = batch.take(0);
            chunk.release();
            return chunk.status() == DecodedChunk.Status.DONE;
        }
    }

    /** One thread's work. */
    private final class Trial {
        private final GpuStreams kind;
        private final CodecOptions options;
        private final List<ChunkSample> samples;
        private final byte[] gpuBytes = new byte[BUDGET_BYTES + CANARY_BYTES];
        private final byte[] cpuBytes = new byte[BUDGET_BYTES];

        Trial(GpuStreams kind, CodecOptions options, List<ChunkSample> samples) {
            this.kind = kind;
            this.options = options;
            this.samples = samples;
        }

        void run(long seed) throws IOException {
            Random random = new Random(seed);
            List<Chunk> chunks = new ArrayList<>();
            List<Boolean> damaged = new ArrayList<>();
            for (int index = 0; index < BATCH_CHUNKS; index++) {
                ChunkSample sample = samples.get(random.nextInt(samples.size()));
                damaged.add(random.nextInt(4) != 0);
                ChunkSample other = samples.get(random.nextInt(samples.size()));
                chunks.add(sample.chunk(damaged.get(index) ? sample.damaged(random, other) : sample.bytes()));
            }
            try (Batch<DecodedChunk> onDevice = gpu().decode(kind.format, options, chunks);
                    Batch<DecodedChunk> onCpu = cpu.decode(kind.format, options, chunks)) {
                for (int index = 0; index < BATCH_CHUNKS; index++) {
                    DecodedChunk result = compare(onDevice, onCpu, chunks.get(index), index, seed);
                    if (damaged.get(index)) {
                        damagedCount.increment();
                        acceptedCount.add(result.status() == DecodedChunk.Status.DONE ? 1 : 0);
                    } else {
                        assertThat(result.reason()).as(name(seed, index)).isNull();
                    }
                }
            }
        }

        /**
         * Takes a chunk from both, into a poisoned room with canaries behind it: as long as the hint, or so short
         * that a device's result is read from where it lies.
         */
        private DecodedChunk compare(
                Batch<DecodedChunk> onDevice, Batch<DecodedChunk> onCpu, Chunk chunk, int index, long seed)
                throws IOException {
            int capacityBytes = index % 4 == 0
                    ? SHORTEST_ROOM_BYTES
                    : Math.max(SHORT_BYTES, Math.min(BUDGET_BYTES, chunk.rawBytes()));
            Arrays.fill(gpuBytes, 0, capacityBytes, POISON);
            Arrays.fill(gpuBytes, capacityBytes, capacityBytes + CANARY_BYTES, CANARY);
            DecodedChunk got = onDevice.take(
                    index, ByteBuffer.wrap(gpuBytes, 0, capacityBytes).slice());
            DecodedChunk expected = onCpu.take(
                    index, ByteBuffer.wrap(cpuBytes, 0, capacityBytes).slice());
            if (got.status() != expected.status()
                    || !String.valueOf(got.reason()).equals(expected.reason() + "")) {
                assertThat(got.status() + " " + got.reason())
                        .as(name(seed, index))
                        .isEqualTo(expected.status() + " " + expected.reason());
            }
            ByteBuffer gotContent = content(got);
            ByteBuffer expectedContent = content(expected);
            if (!gotContent.equals(expectedContent)) {
                assertThat(bytes(gotContent)).as(name(seed, index)).isEqualTo(bytes(expectedContent));
            }
            for (int at = capacityBytes; at < capacityBytes + CANARY_BYTES; at++) {
                if (gpuBytes[at] != CANARY) {
                    assertThat(gpuBytes[at])
                            .as("%s, behind its room", name(seed, index))
                            .isEqualTo(CANARY);
                }
            }
            got.release();
            expected.release();
            return got;
        }

        private String name(long seed, int index) {
            return "%s, seed %d, chunk %d".formatted(kind, seed, index);
        }
    }

    /** The content: a view where it lies in one piece, as it nearly always does. */
    private static ByteBuffer content(DecodedChunk chunk) throws IOException {
        if (chunk.source() != null) {
            ByteBuffer all = ByteBuffer.allocate(chunk.source().remaining());
            while (chunk.source().remaining() > 0) {
                chunk.source().read(all);
            }
            return all.flip();
        }
        if (chunk.outputs().size() == 1) {
            DecodedChunk.Output output = chunk.outputs().get(0);
            return output.lease().memory().slice(0, output.bytes());
        }
        int bytes =
                chunk.outputs().stream().mapToInt(DecodedChunk.Output::bytes).sum();
        ByteBuffer all = ByteBuffer.allocate(bytes);
        for (DecodedChunk.Output output : chunk.outputs()) {
            all.put(output.lease().memory().slice(0, output.bytes()));
        }
        return all.flip();
    }

    private static byte[] bytes(ByteBuffer content) {
        byte[] bytes = new byte[content.remaining()];
        content.get(content.position(), bytes);
        return bytes;
    }
}
