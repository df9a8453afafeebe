package io.warpcodec.engine.gpu.bzip2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Direction;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.bzip2.Bzip2Expansion;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.BlockProgram;
import io.warpcodec.engine.gpu.block.ChunkSample;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.format.bzip2.Bzip2Randomisation;
import io.warpcodec.format.checksum.Bzip2Crc32;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is particular to bzip2 on devices: lengths that are known afterwards, blocks that expand, waiting for memory.
 */
class Bzip2OnDevicesTest {
    private static final GpuStreams KIND = GpuStreams.BZIP2;
    private static final int MEBI = 1 << 20;
    private static final PoolLimits LIMITS =
            new PoolLimits(200L * MEBI, 64 * MEBI, 8 * MEBI, 0, TimeUnit.SECONDS.toNanos(60));

    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        gpu = new ScriptedGpu(new CpuEngine(), 1, LIMITS).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void close() {
        Engines.installAccelerator(null);
        gpu.awaitNothingLent();
        gpu.close();
    }

    private static byte[] runs(int bytes) {
        byte[] raw = new byte[bytes];
        for (int at = 0; at < bytes; at++) {
            raw[at] = (byte) (at / 100_003);
        }
        return raw;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 100_000, 1 << 20})
    void aBlockThatExpandsIsDeliveredPieceByPieceAndHoldsNoDevicesMemory(int readBytes) throws IOException {
        byte[] raw = runs(readBytes == 1 ? 2_000_000 : 12_000_000);
        byte[] file = Bzip2ByCommons.file(raw, 9);
        long before = KIND.deviceChunks();
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        try (ChunkedInputStream in = KIND.open(file)) {
            got.write(in.read());
            assertThat(gpu.pool().lentBytes()).isZero();
            byte[] piece = new byte[readBytes];
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                got.write(piece, 0, count);
            }
        }
        assertThat(got.toByteArray()).isEqualTo(raw);
        assertThat(KIND.deviceChunks() - before).isEqualTo(1);
    }

    @Test
    void aBlockThatExpandsIsRefusedBeforeItsFirstByteIfItsChecksumIsWrong() throws IOException {
        byte[] file = Bzip2ByCommons.file(runs(12_000_000), 9);
        file[12] ^= 1;
        long before = KIND.fallbacks("checksum");
        try (ChunkedInputStream in = KIND.open(file)) {
            assertThatThrownBy(in::read).isInstanceOf(CorruptDataException.class);
        }
        assertThat(KIND.fallbacks("checksum")).isGreaterThan(before);
    }

    /** The first block's CRC and the bit behind it, which says that the block is randomised. */
    private static final int CRC_AT = 10;

    private static final int RANDOMISED_AT = 14;

    @Test
    void aRandomisedBlockComesBackAsTextAndIsDelivered() throws IOException {
        // Neighbours differ by more than the bit that is flipped, so that no run comes or goes.
        byte[] raw = new byte[200_000];
        for (int at = 0; at < raw.length; at++) {
            raw[at] = (byte) (37 * at);
        }
        ChunkSample sample =
                ChunkSample.of(KIND, Bzip2ByCommons.file(raw, 9), KIND.options).get(0);
        Bzip2Randomisation.undo(raw, raw.length);
        int crc = Bzip2Crc32.value(Bzip2Crc32.update(Bzip2Crc32.START, raw, 0, raw.length));
        byte[] bytes = sample.bytes().clone();
        ByteBuffer.wrap(bytes).putInt(CRC_AT, crc);
        bytes[RANDOMISED_AT] |= (byte) 0x80;
        long before = KIND.deviceChunks();
        try (Batch<DecodedChunk> batch =
                gpu.engine().decode(Format.BZIP2, KIND.options, List.of(sample.chunk(bytes)))) {
            DecodedChunk done = batch.take(0);
            assertThat(done.status()).isEqualTo(DecodedChunk.Status.DONE);
            ByteBuffer got = ByteBuffer.allocate(raw.length);
            done.source().read(got);
            assertThat(got.array()).isEqualTo(raw);
            assertThat(done.source().remaining()).isZero();
            done.release();
        }
        assertThat(KIND.deviceChunks() - before).isEqualTo(1);
    }

    @Test
    void aTextThatEndsWhereARunsLengthShouldBeIsNotVerified() {
        byte[] cut = {1, 2, 7, 7, 7, 7};
        int crc = Bzip2Crc32.value(Bzip2Crc32.update(Bzip2Crc32.START, cut, 0, cut.length));
        assertThat(Bzip2Expansion.verified(cut, crc)).isNull();
        byte[] whole = {1, 2, 7, 7, 7, 7, 0};
        assertThat(Bzip2Expansion.verified(whole, crc).remaining()).isEqualTo(cut.length);
        assertThat(Bzip2Expansion.verified(whole, crc + 1)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 9})
    void aSlotIsInProportionToTheLevelAndHoldsEveryText(int level) throws IOException {
        byte[] raw = GpuStreams.text(1_500_000, level);
        byte[] file = Bzip2ByCommons.file(raw, level);
        for (ChunkSample sample : ChunkSample.of(KIND, file, KIND.options)) {
            DecodePlan.Body body = sample.bodies().get(0);
            assertThat(body.rawBytes())
                    .isBetween(level * 100_000, level * MEBI / 9)
                    .matches(bytes -> bytes % 16 == 0);
        }
        long before = KIND.deviceChunks();
        assertThat(KIND.read(file)).isEqualTo(raw);
        assertThat(KIND.deviceChunks()).isGreaterThan(before);
    }

    /** A block of 100,000 bytes of text, which come to 240,000. */
    private static ChunkSample longBlock() throws IOException {
        byte[] raw = new byte[240_000];
        for (int at = 0; at < raw.length; at++) {
            raw[at] = (byte) (at / 12 * 7);
        }
        return ChunkSample.of(KIND, Bzip2ByCommons.file(raw, 1), KIND.options).get(0);
    }

    /** Whether the host expanded what a device decoded. */
    private static boolean isExpandedByTheHost(ScriptedGpu gpu, ChunkSample sample) throws IOException {
        long before = KIND.deviceChunks();
        try (Batch<DecodedChunk> batch =
                gpu.engine().decode(Format.BZIP2, KIND.options, List.of(sample.chunk(sample.bytes())))) {
            DecodedChunk done = batch.take(0);
            assertThat(done.status()).isEqualTo(DecodedChunk.Status.DONE);
            boolean expanded = done.source() instanceof Bzip2Expansion;
            done.release();
            assertThat(KIND.deviceChunks() - before).isEqualTo(1);
            return expanded;
        }
    }

    @Test
    void slotsAreAsLongAsBlocksHaveBeenLately() throws IOException {
        ChunkSample longOne = longBlock();
        List<Boolean> expanded = new ArrayList<>();
        for (int turn = 0; turn < 7; turn++) {
            expanded.add(isExpandedByTheHost(gpu, longOne));
        }
        assertThat(expanded).startsWith(true).endsWith(false);
        ChunkSample shortOne = ChunkSample.of(KIND, Bzip2ByCommons.file(GpuStreams.text(150_000, 1), 1), KIND.options)
                .get(0);
        for (int turn = 0; turn < 16; turn++) {
            isExpandedByTheHost(gpu, shortOne);
        }
        assertThat(isExpandedByTheHost(gpu, longOne)).isTrue();
    }

    @Test
    void noSlotIsLongerThanHalfOfWhatOneMayAskFor() throws IOException {
        byte[] raw = runs(1_500_000);
        ChunkSample sample =
                ChunkSample.of(KIND, Bzip2ByCommons.file(raw, 9), KIND.options).get(0);
        PoolLimits small = new PoolLimits(160L * MEBI, 64 * MEBI, MEBI, 0, TimeUnit.SECONDS.toNanos(60));
        try (ScriptedGpu device = new ScriptedGpu(new CpuEngine(), 1, small).started()) {
            for (int turn = 0; turn < 20; turn++) {
                assertThat(isExpandedByTheHost(device, sample)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 116_497, 1 << 20, 2_000_001, 3_900_000, 4 << 20, Integer.MAX_VALUE})
    void everySlotIsWhatAKernelTakes(int likelyBytes) {
        for (int level = 1; level <= 9; level++) {
            assertThat(Bzip2Plans.slotBytes(level, likelyBytes))
                    .isBetween(Bzip2Plans.slotBytes(level, 0), Bzip2Kernels.MAX_OUTPUT_BYTES)
                    .isGreaterThanOrEqualTo(Math.min(likelyBytes, Bzip2Kernels.MAX_OUTPUT_BYTES))
                    .matches(bytes -> bytes % 16 == 0);
        }
    }

    /** So many chunks as a stream submits them. */
    private static List<Chunk> chunks(int count) throws IOException {
        byte[] file = KIND.write(
                GpuStreams.text(20_000 * count, 3),
                KIND.options.withMode(Mode.CPU).withChunkBytes(20_000));
        List<Chunk> chunks = new ArrayList<>();
        for (ChunkSample sample : ChunkSample.of(KIND, file, KIND.options)) {
            chunks.add(sample.chunk(sample.bytes()));
        }
        assertThat(chunks).hasSize(count);
        return chunks;
    }

    private static void requireDone(Batch<DecodedChunk> batch, int index) throws IOException {
        DecodedChunk done = batch.take(index);
        assertThat(done.status()).isEqualTo(DecodedChunk.Status.DONE);
        assertThat(done.rawBytes()).isEqualTo(20_000);
        done.release();
    }

    @Test
    void aRequestHasAWaveOfBlocks() throws IOException {
        List<Chunk> chunks = chunks(20);
        long before = Metrics.counter("pool.leases").sum();
        try (Batch<DecodedChunk> batch = gpu.engine().decode(Format.BZIP2, KIND.options, chunks)) {
            for (int index = 0; index < chunks.size(); index++) {
                requireDone(batch, index);
            }
        }
        assertThat(Metrics.counter("pool.leases").sum() - before).isEqualTo(3);
    }

    @Test
    void withLittleMemoryARequestHasFewerBlocks() throws IOException {
        PoolLimits little = new PoolLimits(160L * MEBI, 64 * MEBI, 8 * MEBI, 0, TimeUnit.SECONDS.toNanos(60));
        List<Chunk> chunks = chunks(20);
        long refusedBefore = KIND.fallbacks("over-memory") + KIND.fallbacks("pool-full");
        try (ScriptedGpu small = new ScriptedGpu(new CpuEngine(), 1, little).started()) {
            long before = KIND.deviceChunks();
            try (Batch<DecodedChunk> batch = small.engine().decode(Format.BZIP2, KIND.options, chunks)) {
                for (int index = 0; index < chunks.size(); index++) {
                    requireDone(batch, index);
                }
            }
            assertThat(KIND.deviceChunks() - before).isEqualTo(20);
            assertThat(small.pool().mostLeaseBytes()).isEqualTo(4 * MEBI);
        }
        assertThat(KIND.fallbacks("over-memory") + KIND.fallbacks("pool-full")).isEqualTo(refusedBefore);
    }

    @Test
    void whereMemoryIsScarceARequestHasFourBlocks() throws IOException {
        List<Chunk> chunks = chunks(20);
        List<DeviceLease> taken = new ArrayList<>();
        while (!gpu.pool().isCrowded()) {
            taken.add(gpu.pool().tryLease(BlockProgram.name(Format.LZ4, Direction.DECODE), 1, MEBI, 1));
        }
        long leasesBefore = Metrics.counter("pool.leases").sum();
        long before = KIND.deviceChunks();
        try (Batch<DecodedChunk> batch = gpu.engine().decode(Format.BZIP2, KIND.options, chunks)) {
            for (int index = 0; index < chunks.size(); index++) {
                requireDone(batch, index);
            }
        }
        taken.forEach(DeviceLease::close);
        assertThat(KIND.deviceChunks() - before).isEqualTo(20);
        assertThat(Metrics.counter("pool.leases").sum() - leasesBefore).isEqualTo(5);
    }

    /** Takes all of the pool's page-locked memory but a little. */
    private List<DeviceLease> takeAll() {
        String program = BlockProgram.name(Format.LZ4, Direction.DECODE);
        List<DeviceLease> taken = new ArrayList<>();
        for (int bytes = 4 * MEBI; bytes >= 128 << 10; bytes /= 2) {
            DeviceLease lease = gpu.pool().tryLease(program, 1, bytes, 1);
            while (lease != null) {
                taken.add(lease);
                lease = gpu.pool().tryLease(program, 1, bytes, 1);
            }
        }
        return taken;
    }

    @Test
    void aChunkThatFoundThePoolFullAsksAgainWhenItIsTaken() throws Exception {
        List<Chunk> chunks = chunks(3);
        List<DeviceLease> taken = takeAll();
        long askedBefore = Metrics.counter("pool.asked-again").sum();
        long fullBefore = KIND.fallbacks("pool-full");
        long before = KIND.deviceChunks();
        try (Batch<DecodedChunk> batch = gpu.engine().decode(Format.BZIP2, KIND.options, chunks)) {
            taken.forEach(DeviceLease::close);
            for (int index = 0; index < chunks.size(); index++) {
                requireDone(batch, index);
            }
        }
        assertThat(KIND.deviceChunks() - before).isEqualTo(3);
        assertThat(Metrics.counter("pool.asked-again").sum() - askedBefore).isEqualTo(1);
        assertThat(KIND.fallbacks("pool-full")).isEqualTo(fullBefore);
    }

    /** The pool has memory for one block, and for no more of them. */
    @Test
    void aChunkAsksForItselfAloneWhereThereIsNotEnoughForMore() throws Exception {
        List<Chunk> chunks = chunks(6);
        List<DeviceLease> taken = takeAll();
        long before = KIND.deviceChunks();
        long askedBefore = Metrics.counter("pool.asked-again").sum();
        try (Batch<DecodedChunk> batch = gpu.engine().decode(Format.BZIP2, KIND.options, chunks)) {
            // 4 MiB, for no more than three
            taken.remove(0).close();
            for (int index = 0; index < chunks.size(); index++) {
                requireDone(batch, index);
            }
        } finally {
            taken.forEach(DeviceLease::close);
        }
        assertThat(KIND.deviceChunks() - before).isEqualTo(6);
        assertThat(Metrics.counter("pool.asked-again").sum() - askedBefore).isBetween(2L, 6L);
    }

    /** As of a task that works on each block for long. */
    @Test
    void whatASlowReadersMemoryWasTakenForADeviceDecodesAgain() throws Exception {
        List<Chunk> chunks = chunks(6);
        long revokedBefore = KIND.fallbacks("results-revoked");
        long before = KIND.deviceChunks();
        try (Batch<DecodedChunk> batch = gpu.engine().decode(Format.BZIP2, KIND.options, chunks)) {
            requireDone(batch, 0);
            long takenBack = gpu.pool().revokedCount();
            while (gpu.pool().revokedCount() == takenBack) {
                takeAll().forEach(DeviceLease::close);
            }
            for (int index = 1; index < chunks.size(); index++) {
                requireDone(batch, index);
            }
        }
        assertThat(KIND.deviceChunks() - before).isEqualTo(6);
        assertThat(KIND.fallbacks("results-revoked")).isEqualTo(revokedBefore);
    }

    @Test
    void whatIsReadAheadLeavesMemoryToATaskThatNeedsIt() throws Exception {
        List<Chunk> chunks = chunks(4);
        CompletableFuture<Boolean> served = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                gpu.pool().attempt(() -> served.getNow(false), TimeUnit.SECONDS.toNanos(60));
            } catch (InterruptedException stopped) {
                served.completeExceptionally(stopped);
            }
        });
        waiting.start();
        while (!gpu.pool().isAwaited()) {
            Thread.sleep(1);
        }
        long before = KIND.deviceChunks();
        try (Batch<DecodedChunk> batch = gpu.engine().decode(Format.BZIP2, KIND.options, chunks)) {
            assertThat(gpu.pool().lentBytes()).as("read ahead").isZero();
            requireDone(batch, 0);
            served.complete(true);
            waiting.join();
            for (int index = 1; index < chunks.size(); index++) {
                requireDone(batch, index);
            }
        }
        assertThat(KIND.deviceChunks() - before).as("when they came in turn").isEqualTo(4);
    }

    @Test
    void aBatchOfManyBlocksLeavesMemoryToOthers() throws IOException {
        List<Chunk> chunks = chunks(100);
        long before = KIND.deviceChunks();
        long fullBefore = KIND.fallbacks("pool-full");
        try (Batch<DecodedChunk> batch = gpu.engine().decode(Format.BZIP2, KIND.options, chunks)) {
            assertThat(gpu.pool().lentBytes()).isBetween(32L * MEBI, 42L * MEBI);
            for (int index = 0; index < chunks.size(); index++) {
                requireDone(batch, index);
                assertThat(gpu.pool().lentBytes()).isLessThan(42L * MEBI);
            }
        }
        assertThat(KIND.deviceChunks() - before).isEqualTo(100);
        assertThat(KIND.fallbacks("pool-full")).isEqualTo(fullBefore);
    }

    @Test
    void aChunkThatWaitedInVainIsTheCpus() throws Exception {
        List<Chunk> chunks = chunks(2);
        List<DeviceLease> taken = takeAll();
        long fullBefore = KIND.fallbacks("pool-full");
        long before = KIND.deviceChunks();
        long start = System.nanoTime();
        try (Batch<DecodedChunk> batch = gpu.engine().decode(Format.BZIP2, KIND.options, chunks)) {
            for (int index = 0; index < chunks.size(); index++) {
                requireDone(batch, index);
            }
        } finally {
            taken.forEach(DeviceLease::close);
        }
        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(2 * 30));
        assertThat(KIND.fallbacks("pool-full") - fullBefore).isEqualTo(2);
        assertThat(KIND.deviceChunks()).isEqualTo(before);
    }

    @Test
    void fourBatchesAreInFlightWhileHalfOfTheMemoryIsFree() {
        assertThat(gpu.engine().batchesInFlight(Format.BZIP2)).isEqualTo(4);
        List<DeviceLease> taken = takeAll();
        assertThat(gpu.engine().batchesInFlight(Format.BZIP2)).isEqualTo(2);
        taken.forEach(DeviceLease::close);
    }

    @Test
    void devicesHaveTheFirstBlocksOfAProcess() throws IOException {
        List<Chunk> chunks = chunks(3);
        try (ScriptedGpu fresh =
                new ScriptedGpu(new CpuEngine(), 1, LIMITS, DeviceChoices.learning(), () -> 0).started()) {
            long before = KIND.deviceChunks();
            try (Batch<DecodedChunk> batch =
                    fresh.engine().decode(Format.BZIP2, KIND.options.withMode(Mode.AUTO), chunks)) {
                for (int index = 0; index < chunks.size(); index++) {
                    requireDone(batch, index);
                }
            }
            assertThat(KIND.deviceChunks() - before).isEqualTo(3);
        }
    }

    @Test
    void filesOfManySmallStreamsAreRead() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (int part = 0; part < 50; part++) {
            byte[] raw = GpuStreams.mixture(1 + 700 * part, part);
            all.write(raw);
            file.write(Bzip2ByCommons.file(raw, 1 + part % 9));
        }
        try (ChunkedInputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file.toByteArray()), KIND.format, KIND.options)) {
            assertThat(Arrays.equals(in.readAllBytes(), all.toByteArray())).isTrue();
        }
    }
}
