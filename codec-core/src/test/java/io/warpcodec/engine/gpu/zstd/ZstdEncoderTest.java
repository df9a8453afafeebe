package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The launcher, over Java kernels that read its table as the real ones do. */
class ZstdEncoderTest extends ZstdEncoderContract {
    /** The high one takes more memory than there is here for these batches ({@link ZstdStrongEncoderTest}). */
    @Override
    List<EncodeLevel> levels() {
        return List.of(EncodeLevel.FAST, EncodeLevel.DEFAULT);
    }

    @Override
    protected Device openDevice() throws DeviceException {
        ScriptedDriver driver =
                new ScriptedDriver(1, 512L << 20, HostZstdEncoder.all(), List.of(ZstdEncodeKernels.CONTRACT));
        return Device.open(driver, driver.devices().get(0));
    }

    /** A wave is lent scratch by its raw bytes and its ranges, before anything is known of each. */
    @Test
    void scratchIsEnoughForAnyRangesOfAWave() {
        Random random = new Random(TestSeed.value());
        for (int round = 0; round < 20_000; round++) {
            int ranges = 1 + random.nextInt(100);
            int unlike = random.nextInt(3);
            int most = 1 + random.nextInt(random.nextBoolean() ? 300 : 300_000);
            long waveBytes = 0;
            long needed = 0;
            for (int range = 0; range < ranges; range++) {
                int bytes = unlike == 0 ? most : random.nextInt(most);
                int units = Math.max(1, (bytes + 65_535) / 65_536);
                waveBytes += bytes;
                needed += 16L * units + ZstdGpuEncoder.rangeScratchBytes(bytes);
            }
            assertThat(ZstdGpuEncoder.scratchBytes(waveBytes, ranges))
                    .as("%d ranges of up to %d bytes, seed %d", ranges, most, TestSeed.value())
                    .isGreaterThanOrEqualTo(needed);
        }
    }
}
