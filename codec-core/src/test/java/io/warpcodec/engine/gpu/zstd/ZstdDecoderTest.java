package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.pool.ScriptedDriver;
import java.util.List;
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
