package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.pool.ScriptedDriver;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The launcher, the plans and the records, over Java kernels that read a record as the real ones do. */
class ZstdDecoderTest extends ZstdDecoderContract {
    @Override
    Device openDevice() throws DeviceException {
        ScriptedDriver driver = new ScriptedDriver(1, 512L << 20, HostZstd.all(), List.of(ZstdKernels.CONTRACT));
        return Device.open(driver, driver.devices().get(0));
    }

    @Override
    int damagedFrames() {
        return 1000;
    }

    /** The sums of docs/kernels/zstd-decode.md, for a wave: a sequence for 3 bytes, a block for 2 KiB, and a source. */
    @Test
    void scratchForARawByteIsWhatThePageSays() throws Exception {
        try (Device device = openDevice();
                ZstdGpuDecoder decoder = ZstdGpuDecoder.open(device)) {
            int waveBytes = 8 << 20;
            double read = 8 / 3.0 + 48 / 2048.0;
            double sources = 4;
            Offset<Double> rounding = Offset.offset(0.01);
            assertThat(decoder.scratchBytes(waveBytes, 32) / (double) waveBytes).isCloseTo(read, rounding);
            assertThat(decoder.scratchBytes(waveBytes, 15) / (double) waveBytes).isCloseTo(read + sources, rounding);
            assertThat(decoder.scratchBytes(2 * waveBytes, 1) / (2.0 * waveBytes))
                    .isCloseTo(read + sources, rounding);
        }
    }

    /** A wave is lent scratch by its raw bytes and its frames, before anything is known of each. */
    @Test
    void scratchIsEnoughForAnyFramesOfAWave() throws Exception {
        try (Device device = openDevice();
                ZstdGpuDecoder decoder = ZstdGpuDecoder.open(device)) {
            for (int round = 0; round < 20_000; round++) {
                int frames = 1 + random.nextInt(100);
                int unlike = random.nextInt(3);
                int most = 1 + random.nextInt(100_000);
                boolean hasSources = ZstdKernels.takesSources(frames);
                int waveBytes = 0;
                long needed = ZstdGpuDecoder.batchScratchBytes(frames);
                for (int frame = 0; frame < frames; frame++) {
                    int bytes = unlike == 0 ? most : 1 + random.nextInt(most);
                    waveBytes += bytes;
                    needed += ZstdGpuDecoder.frameScratchBytes(bytes, hasSources);
                }
                assertThat(decoder.scratchBytes(waveBytes, frames))
                        .as("%d frames of up to %d bytes, seed %d", frames, most, TestSeed.value())
                        .isGreaterThanOrEqualTo(needed);
            }
        }
    }
}
