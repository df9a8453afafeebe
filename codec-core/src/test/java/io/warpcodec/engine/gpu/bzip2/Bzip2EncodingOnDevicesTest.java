package io.warpcodec.engine.gpu.bzip2;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.BlockProgram;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.format.bzip2.Bzip2Format;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** bzip2 blocks that devices encode: bit to bit, at every level, and the CPU's where they are no block. */
class Bzip2EncodingOnDevicesTest {
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

    private static byte[] byCommons(byte[] file) throws IOException {
        try (BZip2CompressorInputStream in = new BZip2CompressorInputStream(new ByteArrayInputStream(file), false)) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9})
    void blocksAreJoinedBitToBit(int level) throws IOException {
        byte[] raw = GpuStreams.text(1_300_000, level);
        long before = KIND.deviceEncodedChunks();
        CodecOptions options = KIND.options.withMode(Mode.GPU).withLevel(level);
        byte[] file = KIND.write(raw, options);
        assertThat(byCommons(file)).isEqualTo(raw);
        assertThat(KIND.deviceEncodedChunks() - before)
                .isEqualTo((1_300_000 - 1) / Bzip2Format.maxEncodedBlockBytes(level) + 1);
        assertThat(KIND.write(raw, options)).as("on every run").isEqualTo(file);
    }

    /** Runs of four, each of which becomes five bytes. */
    private static byte[] runsOfFour(int bytes) {
        byte[] raw = new byte[bytes];
        for (int at = 0; at < raw.length; at++) {
            raw[at] = (byte) (at / 4);
        }
        return raw;
    }

    /** 720,000 bytes of it fill a block. */
    @Test
    void aChunkEndsWhereItsTextFillsABlock() throws IOException {
        byte[] raw = runsOfFour(1_500_000);
        long before = KIND.encodeFallbacks("block-refused");
        long chunks = KIND.deviceEncodedChunks();
        byte[] file = KIND.write(raw, KIND.options.withMode(Mode.GPU));
        assertThat(byCommons(file)).isEqualTo(raw);
        assertThat(KIND.encodeFallbacks("block-refused") - before).isZero();
        assertThat(KIND.deviceEncodedChunks() - chunks).isEqualTo(3);
    }

    /** Bytes in runs of 100, of which 18 million would fill a block. */
    @Test
    void aChunkOfLongRunsIsLongerThanABlock() throws IOException {
        byte[] raw = new byte[17_000_000];
        for (int at = 0; at < raw.length; at++) {
            raw[at] = (byte) (at / 100);
        }
        long before = KIND.encodeFallbacks("block-refused");
        long chunks = KIND.deviceEncodedChunks();
        byte[] file = KIND.write(raw, KIND.options.withMode(Mode.GPU));
        assertThat(byCommons(file)).isEqualTo(raw);
        assertThat(KIND.encodeFallbacks("block-refused") - before).isZero();
        assertThat(KIND.deviceEncodedChunks() - chunks).isEqualTo(3);
        assertThat(KIND.write(raw, KIND.options.withMode(Mode.CPU))).isEqualTo(file);
    }

    @Test
    void aChunkIsAFullBlock() throws IOException {
        byte[] raw = GpuStreams.text(899_980, 3);
        byte[] byCpu = KIND.write(raw, KIND.options.withMode(Mode.CPU));
        byte[] onDevice = KIND.write(raw, KIND.options.withMode(Mode.GPU));
        assertThat(blocks(byCpu)).isEqualTo(1);
        assertThat(blocks(onDevice)).isEqualTo(1);
    }

    /** Magics of blocks at any bit; a file has no other such bits but by a chance of one in a hundred million. */
    private static int blocks(byte[] file) {
        long bits = 0;
        int found = 0;
        for (int bit = 0; bit < Byte.SIZE * file.length; bit++) {
            bits = bits << 1 | file[bit / Byte.SIZE] >> 7 - bit % Byte.SIZE & 1;
            found += (bits & (1L << Bzip2Format.MAGIC_BITS) - 1) == Bzip2Format.BLOCK_MAGIC ? 1 : 0;
        }
        return found;
    }

    @Test
    void aWaveLooksAfterEachRoundOfItsSort() throws IOException {
        byte[] raw = GpuStreams.text(8 * 20_000, 4);
        long launches = gpu.driver().count(ScriptedDriver.Call.LAUNCH);
        CodecOptions options = KIND.options.withMode(Mode.GPU).withChunkBytes(20_000);
        assertThat(byCommons(KIND.write(raw, options))).isEqualTo(raw);
        // 4 for the text, 3 + 14 + 1 for the first sort, four rounds of refine and rank, two of them with
        // gather, 8 of the sort and split; then columns, 3 of move-to-front, codes and bits
        assertThat(gpu.driver().count(ScriptedDriver.Call.LAUNCH) - launches).isEqualTo(4 + 18 + 4 * 2 + 2 * 10 + 6);
    }

    /** @param crowded whether more than half of the page-locked memory is lent to others */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withLittleMemoryARequestHasFewerBlocks(boolean crowded) throws IOException {
        PoolLimits little = new PoolLimits(160L * MEBI, 64 * MEBI, 8 * MEBI, 0, TimeUnit.SECONDS.toNanos(60));
        byte[] raw = GpuStreams.text(4 * 890_000, 5);
        // the memory of both would be too much for a test
        Engines.installAccelerator(null);
        gpu.close();
        try (ScriptedGpu small = new ScriptedGpu(new CpuEngine(), 1, little).started()) {
            Engines.installAccelerator(small.engine());
            List<DeviceLease> taken = new ArrayList<>();
            while (crowded && !small.pool().isCrowded()) {
                taken.add(small.pool().tryLease(BlockProgram.name(Format.LZ4, Direction.DECODE), 1, MEBI, 1));
            }
            long before = KIND.deviceEncodedChunks();
            assertThat(byCommons(KIND.write(raw, KIND.options.withMode(Mode.GPU))))
                    .isEqualTo(raw);
            assertThat(KIND.deviceEncodedChunks() - before).isEqualTo(4);
            taken.forEach(DeviceLease::close);
            Engines.installAccelerator(null);
            small.awaitNothingLent();
        }
    }
}
