package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdException;
import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Direction;
import io.warpcodec.Engines;
import io.warpcodec.Framing;
import io.warpcodec.Mode;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to zstd on devices: levels of its scale, and that libzstd judges what they refuse. */
class ZstdOnDevicesTest {
    private static final GpuStreams KIND = GpuStreams.ZSTD;

    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        gpu = new ScriptedGpu(new CpuEngine(), 1, ScriptedGpu.smallLimits()).started();
        Engines.installAccelerator(gpu.engine());
    }

    /** Mode auto chooses from here on; its waits have no end, for its clock stands. */
    private void choose() {
        close();
        gpu = new ScriptedGpu(new CpuEngine(), 1, ScriptedGpu.smallLimits(), DeviceChoices.learning(), () -> 0)
                .started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void close() {
        Engines.installAccelerator(null);
        gpu.awaitNothingLent();
        gpu.close();
    }

    private static byte[] frame(byte[] raw, boolean contentSize, boolean checksum) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            return context.setContentSize(contentSize).setChecksum(checksum).compress(raw);
        }
    }

    private static byte[] write(byte[] raw, Mode mode, int level) throws IOException {
        return KIND.write(raw, KIND.options.withMode(mode).withLevel(level).withChunkBytes(64 << 10));
    }

    /** The scripted kernels of our three levels write what libzstd's levels 1, 3 and 9 do. */
    @ParameterizedTest
    @CsvSource({"-131072, 1", "-5, 1", "-1, 1", "0, 3", "1, 1", "2, 1", "3, 3", "4, 3", "10, 9", "15, 9", "22, 9"})
    void devicesHaveThreeLevels(int level, int libzstdsLevel) throws IOException {
        byte[] raw = GpuStreams.text(300_000, 1);
        long chunks = KIND.deviceEncodedChunks();
        assertThat(write(raw, Mode.GPU, level)).isEqualTo(write(raw, Mode.CPU, libzstdsLevel));
        assertThat(KIND.deviceEncodedChunks() - chunks).isEqualTo(5);
    }

    /** Until a core's rate is seen, what no kind of data takes less than bounds the wait. */
    @ParameterizedTest
    @ValueSource(ints = {10, 19, 22})
    void aStrongFrameWaitsASecondAtMostUntilACoresRateIsSeen(int level) {
        CodecOptions strong = CodecOptions.DEFAULTS.withLevel(level);
        double mebibytes = strong.chunkBytes(KIND.format) / 1048576.0;
        assertThat(mebibytes).isEqualTo(8);
        double cpuNanos = mebibytes * ZstdGpuFormat.INSTANCE.cpuNanosPerMebibyte(Direction.ENCODE, strong);
        assertThat(2.5 * cpuNanos).as("2.5 times what the CPU takes").isLessThan(1e9);
    }

    /** libzstd takes zeros and long repeats in no time, so no frame of them waits for a device. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 300})
    void whatRepeatsIsTheCpusWithoutAWait(int period) throws IOException {
        byte[] raw = new byte[2_000_000];
        byte[] once = new byte[period];
        new Random(period).nextBytes(once);
        for (int i = 0; i < raw.length; i++) {
            raw[i] = once[i % period];
        }
        CodecOptions strong = KIND.options.withMode(Mode.AUTO).withLevel(19).withChunkBytes(500_000);
        choose();
        long chunks = KIND.deviceEncodedChunks();
        long byChoice = KIND.encodeFallbacks("auto");
        byte[] file = KIND.write(raw, strong);
        assertThat(KIND.encodeFallbacks("auto") - byChoice).isEqualTo(4);
        assertThat(KIND.deviceEncodedChunks()).isEqualTo(chunks);
        assertThat(KIND.read(file)).isEqualTo(raw);
        assertThat(KIND.read(KIND.write(raw, strong.withMode(Mode.GPU)))).isEqualTo(raw);
        assertThat(KIND.deviceEncodedChunks() - chunks).as("in mode gpu").isEqualTo(4);
    }

    /** Text is the devices' from the first frame on. */
    @Test
    void textOfAStrongLevelIsNotTriedOnTheCpu() throws IOException {
        byte[] raw = GpuStreams.text(2_000_000, 11);
        choose();
        long chunks = KIND.deviceEncodedChunks();
        KIND.write(raw, KIND.options.withMode(Mode.AUTO).withLevel(19).withChunkBytes(500_000));
        assertThat(KIND.deviceEncodedChunks() - chunks).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 7, 9})
    void theOtherLevelsAreTheCpusAndThatIsCounted(int level) throws IOException {
        byte[] raw = GpuStreams.text(300_000, 1);
        long before = KIND.encodeFallbacks("level");
        long chunks = KIND.deviceEncodedChunks();
        assertThat(write(raw, Mode.GPU, level)).isEqualTo(write(raw, Mode.CPU, level));
        assertThat(KIND.encodeFallbacks("level")).isGreaterThan(before);
        assertThat(KIND.deviceEncodedChunks()).isEqualTo(chunks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 10, 1 << 20})
    void theShortestAndTheLongestChunksAreWrittenByDevices(int chunkBytes) throws IOException {
        byte[] raw = GpuStreams.mixture(3 << 20, 9);
        PoolLimits limits = new PoolLimits(400L << 20, 64 << 20, 8 << 20, 0, TimeUnit.SECONDS.toNanos(20));
        try (ScriptedGpu large = new ScriptedGpu(new CpuEngine(), 1, limits).started()) {
            Engines.installAccelerator(large.engine());
            long before = KIND.deviceEncodedChunks();
            assertThat(KIND.writeOnDevice(raw, chunkBytes)).isEqualTo(KIND.write(raw, chunkBytes));
            assertThat(KIND.deviceEncodedChunks() - before).isEqualTo(raw.length / chunkBytes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 10, 1 << 20})
    void theShortestAndTheLongestFramesOfOursAreDecodedByDevices(int chunkBytes) throws IOException {
        byte[] raw = GpuStreams.mixture(3 << 20, 2);
        byte[] file = KIND.write(raw, chunkBytes);
        long before = KIND.deviceChunks();
        assertThat(KIND.read(file)).isEqualTo(raw);
        assertThat(KIND.deviceChunks() - before).isEqualTo(raw.length / chunkBytes);
    }

    @Test
    void streamsOfSparkAreReadAndWrittenByDevices() throws IOException {
        byte[] raw = GpuStreams.text(1_000_000, 3);
        CodecOptions writing = KIND.options.withFraming(Framing.SPARK).withChunkBytes(64 << 10);
        byte[] file = KIND.write(raw, writing.withMode(Mode.CPU));
        assertThat(KIND.write(raw, writing.withMode(Mode.GPU))).isEqualTo(file);
        long before = KIND.deviceChunks();
        try (ChunkedInputStream in = new ChunkedInputStream(
                new ByteArrayInputStream(file),
                KIND.format,
                KIND.options.withMode(Mode.GPU).withFraming(Framing.SPARK))) {
            assertThat(in.readAllBytes()).isEqualTo(raw);
        }
        assertThat(KIND.deviceChunks() - before).isEqualTo((raw.length + (64 << 10) - 1) / (64 << 10));
    }

    @Test
    void framesWithoutAContentSizeGoToTheCpuAndAreCounted() throws IOException {
        byte[] raw = GpuStreams.text(20_000, 4);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write(frame(raw, true, true));
        file.write(frame(raw, false, true));
        file.write(frame(new byte[0], true, true));
        file.write(frame(raw, true, false));
        long unsized = KIND.fallbacks("no-content-size");
        long empty = KIND.fallbacks("empty");
        long chunks = KIND.deviceChunks();
        byte[] read = KIND.read(file.toByteArray());
        assertThat(read).hasSize(3 * raw.length).startsWith(raw).endsWith(raw);
        assertThat(KIND.fallbacks("no-content-size") - unsized).isEqualTo(1);
        assertThat(KIND.fallbacks("empty") - empty).isEqualTo(1);
        assertThat(KIND.deviceChunks() - chunks).isEqualTo(2);
    }

    @Test
    void aWrongChecksumIsFoundByTheDeviceAndJudgedByTheCpu() {
        byte[] frame = frame(GpuStreams.text(20_000, 5), true, true);
        frame[frame.length - 1] ^= 1;
        long before = KIND.fallbacks("checksum");
        assertThatThrownBy(() -> KIND.read(frame))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("checksum");
        assertThat(KIND.fallbacks("checksum") - before).isEqualTo(1);
    }

    /** libzstd decodes some damaged frames whose literals do not end with their bits. */
    @Test
    void whatADeviceRefusesIsReadAsLibzstdReadsIt() throws IOException {
        byte[] raw = GpuStreams.text(20_000, 6);
        byte[] good = frame(raw, true, false);
        Random random = new Random(7);
        int readAllTheSame = 0;
        for (int round = 0; round < 300; round++) {
            byte[] bad = good.clone();
            bad[8 + random.nextInt(bad.length - 8)] ^= (byte) (1 << random.nextInt(8));
            byte[] expected = null;
            try {
                expected = Zstd.decompress(bad, raw.length);
            } catch (ZstdException refused) {
                // so must we
            }
            long before = KIND.fallbacks("block-refused");
            if (expected == null) {
                assertThatThrownBy(() -> KIND.read(bad)).isInstanceOf(IOException.class);
            } else {
                assertThat(KIND.read(bad)).isEqualTo(expected);
                readAllTheSame += KIND.fallbacks("block-refused") > before ? 1 : 0;
            }
        }
        assertThat(readAllTheSame)
                .as("refused by the device, accepted by libzstd")
                .isPositive();
    }
}
