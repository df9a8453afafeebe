package io.warpcodec.engine.gpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.engine.gpu.block.BlockTrial;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.deflate.DeflateGpuDecoder.Strategy;
import io.warpcodec.engine.gpu.scripted.NotedLaunches;
import io.warpcodec.engine.gpu.scripted.NotedLaunches.Launched;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The launcher, over Java kernels: which kernel it launches, and with how many ctas of how many threads. */
class DeflateGpuDecoderTest {
    private static final int BODIES = 5;
    private static final long CTA_SCRATCH_BYTES = 256 << 10;

    @Test
    void fewBodiesGetATeamEachAndManyAWarp() {
        assertThat(Strategy.of(1)).isEqualTo(Strategy.TEAM);
        assertThat(Strategy.of(396)).isEqualTo(Strategy.TEAM);
        assertThat(Strategy.of(397)).isEqualTo(Strategy.PAIR);
        assertThat(Strategy.of(2047)).isEqualTo(Strategy.PAIR);
        assertThat(Strategy.of(2048)).isEqualTo(Strategy.WARP);
    }

    @Test
    void eachBodyHasItsCta() throws Exception {
        long much = 100 * CTA_SCRATCH_BYTES;
        assertThat(launched(Strategy.WARP, much)).isEqualTo(new Launched("deflate_decode_bodies", 3, 64));
        assertThat(launched(Strategy.PAIR, much)).isEqualTo(new Launched("deflate_decode_bodies_paired", BODIES, 64));
        assertThat(launched(Strategy.TEAM, much)).isEqualTo(new Launched("deflate_decode_bodies_team", BODIES, 256));
    }

    @Test
    void thereAreNoMoreCtasThanScratchIsFor() throws Exception {
        for (Strategy strategy : Strategy.values()) {
            assertThat(launched(strategy, 2 * CTA_SCRATCH_BYTES).ctaCount()).isEqualTo(2);
            assertThat(launched(strategy, CTA_SCRATCH_BYTES).ctaCount()).isEqualTo(1);
        }
    }

    /** Decodes, and answers what has been launched for that. */
    private Launched launched(Strategy strategy, long scratchBytes) throws Exception {
        NotedLaunches noted = new NotedLaunches(DeflateDecodeKernels.CONTRACT);
        Random random = new Random(TestSeed.value());
        BlockTrial batch = new BlockTrial(random, DeflateReference::decode).padded();
        for (int body = 0; body < BODIES; body++) {
            byte[] raw = new byte[random.nextInt(1000)];
            batch.add(GzipMembers.body(raw, 6, 0), raw.length);
        }
        try (Device device = noted.openDevice();
                DeviceStream stream = device.openStream();
                DeviceBuffer scratch = device.allocate(scratchBytes);
                DeflateGpuDecoder decoder = DeflateGpuDecoder.open(device)) {
            batch.check(
                    "bodies",
                    device,
                    stream,
                    (bodies, memory) -> decoder.enqueueDecode(
                            strategy, bodies, new LaunchMemory(memory.workspace(), memory.staging(), scratch, stream)));
        }
        assertThat(noted.launches()).hasSize(1);
        return noted.launches().get(0);
    }
}
