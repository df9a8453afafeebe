package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import java.util.List;

/** The kernels, on the GPU of this machine. */
@GpuTest
class ZstdEncoderGpuTest extends ZstdEncoderContract {
    @Override
    List<EncodeLevel> levels() {
        return EncodeLevel.SEARCHES;
    }

    /** Blocks of 64 KiB, at the high level parts of such from 4 KiB on, and an empty one where there is nothing. */
    @Override
    protected void requireWellFormed(String what, NamedWay way, byte[] frame, byte[] raw) {
        super.requireWellFormed(what, way, frame, raw);
        int leastBytes = way.name().equals("high") ? 4096 : 65_536;
        assertThat(ZstdFrames.blockCount(frame))
                .as(what)
                .isBetween(countOf(65_536, raw.length), countOf(leastBytes, raw.length));
    }

    private static int countOf(int blockBytes, int rawBytes) {
        return Math.max(1, (rawBytes + blockBytes - 1) / blockBytes);
    }
}
