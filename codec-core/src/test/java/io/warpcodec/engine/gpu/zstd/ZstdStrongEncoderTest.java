package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.EncodeTrial;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.plz.PlzFinder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The launcher of the high level, over Java kernels that ask for what those before them have left. */
class ZstdStrongEncoderTest {
    private static final int UNIT_BYTES = 65_536;

    private ScriptedDriver driver;
    private Device device;
    private DeviceStream stream;
    private ZstdGpuEncoder encoder;

    @BeforeEach
    void open() throws Exception {
        driver = new ScriptedDriver(
                1,
                512L << 20,
                HostZstdEncoder.all(),
                Stream.concat(Stream.of(ZstdEncodeKernels.CONTRACT), PlzFinder.contracts().stream())
                        .toList());
        device = Device.open(driver, driver.devices().get(0));
        stream = device.openStream();
        encoder = ZstdGpuEncoder.open(device, EncodeLevel.HIGH);
    }

    @AfterEach
    void close() throws Exception {
        encoder.close();
        stream.close();
        device.close();
    }

    /** Each kernel finds what those before it have written, whatever lies in the same place at another time. */
    @Test
    void kernelsFindWhatOthersHaveLeft() throws DeviceException {
        for (int[] lengths : new int[][] {{1}, {0}, {8 << 20}, {8 << 20, 1}, {65_536, 0, 65_537, 300_000, 12}}) {
            EncodeTrial batch = new EncodeTrial(new Random(TestSeed.value()));
            List<byte[]> raws = new ArrayList<>();
            for (int bytes : lengths) {
                raws.add(GpuStreams.text(bytes, bytes));
                batch.add(raws.get(raws.size() - 1));
            }
            List<Optional<byte[]>> frames = batch.encode("strong", device, stream, ZstdEncoderContract.way(encoder));
            for (int range = 0; range < raws.size(); range++) {
                byte[] raw = raws.get(range);
                byte[] whole = ZstdEncoderContract.signed(frames.get(range).orElseThrow(), raw);
                assertThat(Arrays.equals(Zstd.decompress(whole, raw.length), raw))
                        .isTrue();
            }
        }
    }

    @Test
    void nothingIsLaunchedInTooLittleScratch() {
        EncodeTrial batch = new EncodeTrial(new Random(TestSeed.value()));
        batch.add(GpuStreams.text(100_000, 7));
        EncodeTrial.Way way = ZstdEncoderContract.way(encoder);
        EncodeTrial.Way poor = new EncodeTrial.Way() {
            @Override
            public long workspaceBytes(int rangeCount, long rawBytes) {
                return way.workspaceBytes(rangeCount, rawBytes) - 1;
            }

            @Override
            public long stagingBytes(int rangeCount) {
                return way.stagingBytes(rangeCount);
            }

            @Override
            public void enqueue(DeviceBlocks ranges, LaunchMemory memory) throws DeviceException {
                way.enqueue(ranges, memory);
            }
        };
        long launches = driver.count(ScriptedDriver.Call.LAUNCH);
        assertThatThrownBy(() -> batch.encode("poor", device, stream, poor))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(driver.count(ScriptedDriver.Call.LAUNCH)).isEqualTo(launches);
    }

    /** A wave is lent scratch by its raw bytes and its ranges, before anything is known of each. */
    @Test
    void scratchIsEnoughForAnyRangesOfAWave() {
        Random random = new Random(TestSeed.value());
        for (int round = 0; round < 20_000; round++) {
            int ranges = 1 + random.nextInt(40);
            boolean isAlike = random.nextBoolean();
            int most = 1 + random.nextInt(random.nextBoolean() ? 300 : 8 << 20);
            long waveBytes = 0;
            long stretchesBytes = 0;
            int units = 0;
            int mostUnits = 0;
            for (int range = 0; range < ranges; range++) {
                int bytes = isAlike ? most : random.nextInt(most + 1);
                int own = Math.max(1, (bytes + UNIT_BYTES - 1) / UNIT_BYTES);
                waveBytes += bytes;
                stretchesBytes += ZstdGpuEncoder.rangeScratchBytes(bytes);
                units += own;
                mostUnits = Math.max(mostUnits, own);
            }
            long needed =
                    (16L * units + 255) / 256 * 256 + PlzFinder.scratchBytes(units, ranges, mostUnits, stretchesBytes);
            assertThat(ZstdGpuEncoder.strongScratchBytes(waveBytes, ranges))
                    .as("%d ranges of up to %d bytes, seed %d", ranges, most, TestSeed.value())
                    .isGreaterThanOrEqualTo(needed);
        }
    }

    /** What a page says of memory: bytes of scratch for each byte of long frames. */
    @Test
    void scratchOfLongFrames() {
        assertThat(ZstdGpuEncoder.strongScratchBytes(8 << 20, 2) / (double) (8 << 20))
                .isBetween(40.0, 42.0);
    }
}
