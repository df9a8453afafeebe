package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.Direction;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.ChoiceReport;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.block.BlockProgram;
import io.warpcodec.engine.gpu.block.ChunkSample;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.deflate.GzipMembers;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams on the GPU engine over a scripted driver that does not fail. */
class GpuEngineTest {
    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        gpu = new ScriptedGpu(new CpuEngine(), 2, ScriptedGpu.smallLimits()).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
        gpu.awaitNothingLent();
        gpu.close();
        assertThat(gpu.driver().allocatedBytes()).as("device memory not freed").isZero();
        assertThat(gpu.driver().pinnedBytes())
                .as("page-locked memory not freed")
                .isZero();
        assertThat(gpu.driver().streamCount()).as("streams not closed").isZero();
    }

    @ParameterizedTest
    @EnumSource
    void everySizeIsReadAndDevicesDoIt(GpuStreams kind) throws IOException {
        for (int size : new int[] {1, 100, 65535, 65536, 65537, 131072, 300_000, 5_000_000}) {
            byte[] raw = GpuStreams.text(size, size);
            byte[] file = kind.write(raw, 128 << 10);
            long before = kind.deviceChunks();
            assertThat(kind.read(file)).isEqualTo(raw);
            assertThat(kind.deviceChunks()).as("chunks of %d bytes", size).isGreaterThan(before);
        }
    }

    @Test
    void streamsOfDeflateKeepAThirdBatchInFlightWhileHalfOfTheRoomIsFree() {
        assertThat(gpu.engine().batchesInFlight(Format.GZIP)).isEqualTo(3);
        assertThat(gpu.engine().batchesInFlight(Format.ZLIB)).isEqualTo(3);
        assertThat(gpu.engine().batchesInFlight(Format.ZSTD)).isEqualTo(3);
        List<DeviceLease> taken = new ArrayList<>();
        String program = BlockProgram.name(Format.GZIP, Direction.DECODE);
        while (!gpu.pool().isCrowded()) {
            DeviceLease lease = gpu.pool().tryLease(program, 1 << 20, 1 << 20, 1);
            assertThat(lease).as("lease %d", taken.size()).isNotNull();
            taken.add(lease);
        }
        assertThat(gpu.engine().batchesInFlight(Format.GZIP)).isEqualTo(2);
        taken.forEach(DeviceLease::close);
        assertThat(gpu.engine().batchesInFlight(Format.GZIP)).isEqualTo(3);
        assertThat(gpu.engine().batchesInFlight(Format.LZ4)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void storedBlocksBetweenOthersAreRead(GpuStreams kind) throws IOException {
        for (int seed = 0; seed < 5; seed++) {
            byte[] raw = GpuStreams.mixture(3_000_000, seed);
            assertThat(kind.read(kind.write(raw, 256 << 10))).isEqualTo(raw);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDamagedChunkHarmsNoOtherAndIsRejectedAsByTheCpu(GpuStreams kind) throws IOException {
        byte[] raw = GpuStreams.text(2_000_000, 1);
        byte[] file = kind.write(raw, 64 << 10);
        Random random = new Random(2);
        for (int round = 0; round < 40; round++) {
            byte[] bad = file.clone();
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            assertThat(outcome(kind, bad, true)).as("round %d", round).isEqualTo(outcome(kind, bad, false));
        }
        assertThat(kind.read(file)).isEqualTo(raw);
    }

    /** What scripted kernels encode with the libraries of the CPU engine, so that the files must be the same. */
    static Stream<GpuStreams> writtenByTheSameLibraries() {
        return Arrays.stream(GpuStreams.values()).filter(kind -> kind != GpuStreams.BZIP2);
    }

    @ParameterizedTest
    @MethodSource("writtenByTheSameLibraries")
    void everySizeIsWrittenAsByTheCpuEngineAndDevicesDoIt(GpuStreams kind) throws IOException {
        for (int size : new int[] {1, 2, 13, 100, 65535, 65536, 65537, 131072, 300_000, 5_000_000}) {
            byte[] raw = GpuStreams.text(size, size);
            long before = kind.deviceEncodedChunks();
            assertThat(kind.writeOnDevice(raw, 128 << 10)).as("%d bytes", size).isEqualTo(kind.write(raw, 128 << 10));
            assertThat(kind.deviceEncodedChunks())
                    .as("chunks of %d bytes", size)
                    .isGreaterThan(before);
        }
    }

    @ParameterizedTest
    @MethodSource("writtenByTheSameLibraries")
    void blocksThatDoNotCompressAreStoredAsByTheCpuEngine(GpuStreams kind) throws IOException {
        for (int seed = 0; seed < 5; seed++) {
            byte[] raw = GpuStreams.mixture(3_000_000, seed);
            assertThat(kind.writeOnDevice(raw, 256 << 10)).isEqualTo(kind.write(raw, 256 << 10));
        }
        byte[] noise = new byte[1_000_000];
        new Random(9).nextBytes(noise);
        assertThat(kind.writeOnDevice(noise, 64 << 10)).isEqualTo(kind.write(noise, 64 << 10));
    }

    @Test
    void levelsBetweenFastAndBestAreTheCpus() throws IOException {
        GpuStreams kind = GpuStreams.LZ4_FRAME;
        byte[] raw = GpuStreams.text(500_000, 3);
        long before = kind.encodeFallbacks("level");
        long chunks = kind.deviceEncodedChunks();
        byte[] file = kind.write(raw, kind.options.withMode(Mode.GPU).withLevel(8));
        assertThat(file)
                .isEqualTo(kind.write(raw, kind.options.withMode(Mode.CPU).withLevel(8)));
        assertThat(kind.encodeFallbacks("level")).isGreaterThan(before);
        assertThat(kind.deviceEncodedChunks()).isEqualTo(chunks);
    }

    @ParameterizedTest
    @EnumSource
    void autoAsksBothSidesAndTheBytesAreTheSame(GpuStreams kind) throws IOException {
        byte[] raw = GpuStreams.text(3_000_000, 4);
        byte[] file = kind.write(raw, 64 << 10);
        // waits are measured by a clock that stands
        try (ScriptedGpu choosing = new ScriptedGpu(
                        new CpuEngine(), 1, ScriptedGpu.smallLimits(), DeviceChoices.learning(), () -> 0)
                .started()) {
            Engines.installAccelerator(choosing.engine());
            long refusedBefore = kind.fallbacks("auto") + kind.encodeFallbacks("auto");
            long decodedBefore = kind.deviceChunks();
            long encodedBefore = kind.deviceEncodedChunks();
            for (int round = 0; round < 3; round++) {
                assertThat(kind.read(file)).isEqualTo(raw);
                assertThat(kind.write(raw, kind.options.withChunkBytes(64 << 10)))
                        .isEqualTo(file);
            }
            if (kind.format != Format.BZIP2) { // of which the CPU is known to be slow
                assertThat(kind.fallbacks("auto") + kind.encodeFallbacks("auto"))
                        .isGreaterThan(refusedBefore);
            }
            assertThat(kind.deviceChunks()).isGreaterThan(decodedBefore);
            assertThat(kind.deviceEncodedChunks()).isGreaterThan(encodedBefore);
            assertThat(choosing.engine().choices(1)).hasSize(2).allMatch(report -> report.cpuNanosPerByte() > 0);
            choosing.awaitNothingLent();
        }
    }

    @Test
    void autoLearnsFromWhatTheCpuDoes() throws IOException {
        GpuStreams kind = GpuStreams.LZ4_FRAME;
        byte[] raw = GpuStreams.text(3_000_000, 4);
        byte[] file = kind.write(raw, 64 << 10);
        // waits are measured by a clock that stands
        try (ScriptedGpu choosing = new ScriptedGpu(
                        new CpuEngine(), 1, ScriptedGpu.smallLimits(), DeviceChoices.learning(), () -> 0)
                .started()) {
            Engines.installAccelerator(choosing.engine());
            for (int round = 0; round < 8; round++) {
                assertThat(kind.read(file)).isEqualTo(raw);
            }
            ChoiceReport decoding = choosing.engine().choices(1).get(0);
            assertThat(decoding.work()).isEqualTo("decode lz4");
            assertThat(decoding.cpuNanosPerByte())
                    .as("seen, not the known price; no core decodes at 20 GB/s")
                    .isGreaterThan(0.05)
                    .isNotEqualTo(0.7e6 / (1 << 20));
        }
    }

    @Test
    void aRequestHasAThousandBlocksAtMost() throws IOException {
        GpuStreams kind = GpuStreams.SNAPPY_HADOOP;
        int chunkCount = 3000;
        byte[] raw = GpuStreams.text(chunkCount << 10, 8);
        List<Chunk> chunks = new ArrayList<>();
        for (ChunkSample sample : ChunkSample.of(kind, kind.write(raw, 1 << 10), kind.options)) {
            chunks.add(sample.chunk(sample.bytes()));
        }
        assertThat(chunks).hasSize(chunkCount);
        PoolLimits limits = new PoolLimits(400L << 20, 64 << 20, 8 << 20, 0, TimeUnit.SECONDS.toNanos(20));
        try (ScriptedGpu large = new ScriptedGpu(new CpuEngine(), 1, limits).started()) {
            long before = Metrics.counter("pool.leases").sum();
            try (Batch<DecodedChunk> batch = large.engine().decode(kind.format, kind.options, chunks)) {
                for (int index = 0; index < chunkCount; index++) {
                    DecodedChunk done = batch.take(index);
                    assertThat(done.status()).isEqualTo(DecodedChunk.Status.DONE);
                    done.outputs().forEach(output -> output.lease().release());
                    if (done.source() != null) {
                        done.source().close();
                    }
                }
            }
            assertThat(Metrics.counter("pool.leases").sum() - before).isEqualTo(3);
        }
    }

    /** What reading a file comes to: all bytes, or those before the error and the error. */
    private String outcome(GpuStreams kind, byte[] file, boolean onDevice) {
        Engines.installAccelerator(onDevice ? gpu.engine() : null);
        java.io.ByteArrayOutputStream got = new java.io.ByteArrayOutputStream();
        String error = "";
        var options = kind.options.withMode(onDevice ? io.warpcodec.Mode.GPU : io.warpcodec.Mode.CPU);
        try (ChunkedInputStream in =
                new ChunkedInputStream(new java.io.ByteArrayInputStream(file), kind.format, options)) {
            in.transferTo(got);
        } catch (IOException failed) {
            error = failed.toString();
        }
        CRC32 crc = new CRC32();
        crc.update(got.toByteArray());
        return got.size() + " bytes, " + crc.getValue() + ", " + error;
    }

    @Test
    void aThousandHalfReadStreamsInOneThreadAllFinish() throws IOException {
        GpuStreams kind = GpuStreams.LZ4_FRAME;
        byte[] raw = GpuStreams.text(600_000, 3);
        byte[] file = kind.write(raw, 16 << 10);
        List<ChunkedInputStream> open = new ArrayList<>();
        long revokedBefore = gpu.pool().revokedCount();
        for (int index = 0; index < 1000; index++) {
            ChunkedInputStream in = kind.open(file);
            assertThat(in.readNBytes(1000 + index)).isEqualTo(Arrays.copyOf(raw, 1000 + index));
            open.add(in);
        }
        for (int index = 0; index < 1000; index++) {
            byte[] rest = open.get(index).readAllBytes();
            assertThat(Arrays.equals(rest, 0, rest.length, raw, 1000 + index, raw.length))
                    .isTrue();
            open.get(index).close();
        }
        assertThat(gpu.pool().revokedCount()).as("the pool is small").isGreaterThan(revokedBefore);
    }

    @Test
    void resultsThatAreNotFetchedMakeRoomAndAreDecodedAgainWhenAskedFor() throws Exception {
        GpuStreams kind = GpuStreams.SNAPPY_HADOOP;
        byte[] raw = GpuStreams.text(3_000_000, 4);
        byte[] file = kind.write(raw, 64 << 10);
        List<ChunkedInputStream> idle = new ArrayList<>();
        long revokedBefore = kind.fallbacks("results-revoked");
        long leasedBytes = -1;
        while (gpu.pool().lentBytes() > leasedBytes) {
            leasedBytes = gpu.pool().lentBytes();
            ChunkedInputStream in = kind.open(file);
            assertThat(in.read()).isEqualTo(raw[0] & 0xff);
            idle.add(in);
        }
        // room is made once results are there and have lain for a while
        long before = kind.deviceChunks();
        while (kind.deviceChunks() == before) {
            assertThat(kind.read(file)).isEqualTo(raw);
        }
        for (ChunkedInputStream in : idle) {
            byte[] rest = in.readAllBytes();
            assertThat(Arrays.equals(rest, 0, rest.length, raw, 1, raw.length)).isTrue();
            in.close();
        }
        assertThat(kind.fallbacks("results-revoked")).isGreaterThan(revokedBefore);
    }

    @Test
    void longBlocksGoToTheCpuAndAreCounted() throws IOException {
        GpuStreams kind = GpuStreams.LZ4_BLOCK;
        byte[] raw = GpuStreams.text(2_000_000, 5);
        byte[] file = kind.write(raw, 1 << 20);
        long before = kind.fallbacks("block-too-long");
        assertThat(kind.read(file)).isEqualTo(raw);
        assertThat(kind.fallbacks("block-too-long") - before).isEqualTo(2);
    }

    @Test
    void membersOfBgzfAreDecodedByDevices() throws IOException {
        byte[] raw = GpuStreams.text(500_000, 6);
        byte[] file = GzipMembers.bgzf(raw);
        long before = GpuStreams.GZIP.deviceChunks();
        assertThat(GpuStreams.GZIP.read(file)).isEqualTo(raw);
        assertThat(GpuStreams.GZIP.deviceChunks() - before).isEqualTo((raw.length + 65_279) / 65_280);
    }

    @Test
    void theLongestMembersOfOursAreDecodedByDevices() throws IOException {
        GpuStreams kind = GpuStreams.GZIP;
        byte[] raw = GpuStreams.text(2_000_000, 5);
        long before = kind.deviceChunks();
        assertThat(kind.read(kind.write(raw, 1 << 20))).isEqualTo(raw);
        assertThat(kind.deviceChunks() - before).isEqualTo(2);
    }

    @Test
    void membersWithOtherFieldsGoToTheCpuAndAreCounted() throws IOException {
        GpuStreams kind = GpuStreams.GZIP;
        byte[] raw = GpuStreams.text(1000, 5);
        long fields = kind.fallbacks("header-fields");
        assertThat(kind.read(GzipMembers.bgzfWithName(raw))).isEqualTo(raw);
        assertThat(kind.fallbacks("header-fields") - fields).isEqualTo(1);
    }

    @Test
    void modeGpuSaysWhyNot() {
        gpu.close();
        GpuStreams kind = GpuStreams.LZ4_FRAME;
        assertThatThrownBy(() -> new ChunkedInputStream(
                                new java.io.ByteArrayInputStream(kind.write(new byte[1000], 64 << 10)),
                                kind.format,
                                kind.options.withMode(Mode.GPU))
                        .read())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("pool-closed");
    }

    /** Arenas are 8 MiB and a half at most for waves of 1 MiB, and twice that for 2 MiB. */
    @Test
    void asManyWavesAreUnderWayAsMemoryHoldsAndNoMore() {
        long mebi = 1 << 20;
        for (long memoryBytes : new long[] {26 * mebi, 51 * mebi, 100 * mebi, 400 * mebi}) {
            PoolLimits limits = new PoolLimits(memoryBytes, 24 * mebi, 2 << 20, 0, TimeUnit.SECONDS.toNanos(20));
            try (ScriptedGpu other = new ScriptedGpu(new CpuEngine(), 1, limits).started()) {
                assertThat(other.pool().isRunning()).isTrue();
                assertThat(other.driver().allocatedBytes())
                        .as("device memory under a limit of %d", memoryBytes)
                        .isPositive()
                        .isLessThanOrEqualTo(memoryBytes);
                long arenaBytes = memoryBytes < 51 * mebi ? 17 * mebi / 2 : 17 * mebi;
                assertThat(other.driver().streamCount())
                        .isBetween((int) Math.min(11, memoryBytes / arenaBytes - 1), 12);
            }
        }
    }
}
