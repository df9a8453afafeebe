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

    /** Blocks of 64 KiB, and an empty one where there is nothing. */
    @Override
    protected void requireWellFormed(String what, NamedWay way, byte[] frame, byte[] raw) {
        super.requireWellFormed(what, way, frame, raw);
        assertThat(ZstdFrames.blockCount(frame)).as(what).isEqualTo(Math.max(1, (raw.length + 65_535) / 65_536));
    }
}
