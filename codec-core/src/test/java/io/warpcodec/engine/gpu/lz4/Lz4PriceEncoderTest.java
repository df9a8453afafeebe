package io.warpcodec.engine.gpu.lz4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.EncodeTrial;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.scripted.HostKernels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The launcher of the best level, over Java kernels that ask for what those before them have left. */
class Lz4PriceEncoderTest {
    private static final int UNIT_BYTES = 65_536;

    private ScriptedDriver driver;
    private Device device;
    private DeviceStream stream;
    private Lz4PriceEncoder encoder;

    @BeforeEach
    void open() throws Exception {
        driver = new ScriptedDriver(1, 512L << 20, HostKernels.all(), Lz4PriceEncoder.contracts());
        device = Device.open(driver, driver.devices().get(0));
        stream = device.openStream();
        encoder = Lz4PriceEncoder.open(device);
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
        for (int[] lengths :
                new int[][] {{1}, {0}, {4 << 20}, {4 << 20, 1}, {65_536, 0, 65_537, 300_000, 12}, {0, 0}}) {
            EncodeTrial batch = new EncodeTrial(new Random(TestSeed.value()));
            List<byte[]> raws = new ArrayList<>();
            for (int bytes : lengths) {
                raws.add(GpuStreams.text(bytes, bytes));
                batch.add(raws.get(raws.size() - 1));
            }
            List<Optional<byte[]>> blocks = batch.encode("best", device, stream, Lz4PriceEncoderGpuTest.way(encoder));
            for (int block = 0; block < raws.size(); block++) {
                byte[] raw = raws.get(block);
                assertThat(Lz4ReferenceDecoder.decode(blocks.get(block).orElseThrow(), raw.length))
                        .contains(raw);
            }
        }
    }

    @Test
    void nothingIsLaunchedInTooLittleScratch() {
        EncodeTrial batch = new EncodeTrial(new Random(TestSeed.value()));
        batch.add(GpuStreams.text(100_000, 7));
        EncodeTrial.Way poor = EncodeTrial.way(
                encoder,
                Lz4PriceMemory.ALIGNMENT_BYTES,
                (rawBytes, blocks) -> Lz4PriceEncoder.scratchBytes(rawBytes, blocks) - 1);
        long launches = driver.count(ScriptedDriver.Call.LAUNCH);
        assertThatThrownBy(() -> batch.encode("poor", device, stream, poor))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(driver.count(ScriptedDriver.Call.LAUNCH)).isEqualTo(launches);
    }

    @Test
    void scratchAtAnOddPlaceIsRefused() {
        EncodeTrial batch = new EncodeTrial(new Random(TestSeed.value()));
        batch.add(GpuStreams.text(100, 7));
        EncodeTrial.Way way = Lz4PriceEncoderGpuTest.way(encoder);
        EncodeTrial.Way odd = new EncodeTrial.Way() {
            @Override
            public long workspaceBytes(int blockCount, long rawBytes) {
                return way.workspaceBytes(blockCount, rawBytes) + 16;
            }

            @Override
            public long stagingBytes(int blockCount) {
                return way.stagingBytes(blockCount);
            }

            @Override
            public void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
                encoder.enqueue(blocks, EncodeTrial.withScratch(memory, 272));
            }
        };
        assertThatThrownBy(() -> batch.encode("odd", device, stream, odd))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("aligned");
    }

    /** A wave is lent scratch by its raw bytes and its blocks, before anything is known of each. */
    @Test
    void scratchIsEnoughForAnyBlocksOfAWave() {
        Random random = new Random(TestSeed.value());
        for (int round = 0; round < 20_000; round++) {
            int blocks = 1 + random.nextInt(40);
            boolean isAlike = random.nextBoolean();
            int most = 1 + random.nextInt(random.nextBoolean() ? 300 : 4 << 20);
            long waveBytes = 0;
            int units = 0;
            for (int block = 0; block < blocks; block++) {
                int bytes = isAlike ? most : random.nextInt(most + 1);
                units += Math.max(1, (bytes + UNIT_BYTES - 1) / UNIT_BYTES);
                waveBytes += bytes;
            }
            assertThat(Lz4PriceEncoder.scratchBytes(waveBytes, blocks))
                    .as("%d blocks of up to %d bytes, seed %d", blocks, most, TestSeed.value())
                    .isGreaterThanOrEqualTo(Lz4PriceMemory.bytes(units, blocks));
        }
    }

    /** What a page says of memory: bytes of scratch for each byte, of blocks of 256 KiB and of 64 KiB. */
    @Test
    void scratchOfWholeUnits() {
        assertThat(Lz4PriceMemory.bytes(128, 32) / (double) (8 << 20)).isBetween(36.0, 37.0);
        assertThat(Lz4PriceMemory.bytes(128, 128) / (double) (8 << 20)).isBetween(37.0, 39.0);
    }
}
