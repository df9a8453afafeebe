package io.warpcodec.engine.gpu.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder.Strategy;
import io.warpcodec.engine.gpu.scripted.NotedLaunches;
import io.warpcodec.engine.gpu.scripted.NotedLaunches.Launched;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A format's launcher, over Java kernels: which kernel it launches, and with how many ctas of how many threads. */
public abstract class BlockDecoderContract {
    private static final int BLOCKS = 5;
    private static final int LONG_BYTES = 128 << 10;

    /** Name of the kernel that decodes by warps; that of teams ends with {@code _team}. */
    protected abstract String kernel();

    protected abstract KernelContract contract();

    protected abstract BlockGpuDecoder open(Device device) throws Exception;

    protected abstract BlockTrial.Reference reference();

    protected abstract byte[] encode(byte[] raw) throws Exception;

    @Test
    void twoBlocksShareACtaOfWarps() throws Exception {
        assertThat(launched(1000, (decoder, blocks, memory) -> decoder.enqueueDecode(Strategy.WARP, blocks, memory)))
                .isEqualTo(new Launched(kernel(), 3, 64));
    }

    @Test
    void eachBlockHasItsTeam() throws Exception {
        assertThat(launched(1000, (decoder, blocks, memory) -> decoder.enqueueDecode(Strategy.TEAM, blocks, memory)))
                .isEqualTo(new Launched(kernel() + "_team", BLOCKS, 256));
    }

    @Test
    void shortBlocksAreDecodedByWarps() throws Exception {
        assertThat(launched(1000, BlockGpuDecoder::enqueueDecode).kernel()).isEqualTo(kernel());
        assertThat(launched(LONG_BYTES - 1, BlockGpuDecoder::enqueueDecode).kernel())
                .isEqualTo(kernel());
    }

    @Test
    void longBlocksAreDecodedByTeams() throws Exception {
        assertThat(launched(LONG_BYTES, BlockGpuDecoder::enqueueDecode).kernel())
                .isEqualTo(kernel() + "_team");
    }

    @Test
    void fewLongBlocksGetATeamEachAndManyAWarp() {
        assertThat(Strategy.of(1, LONG_BYTES)).isEqualTo(Strategy.TEAM);
        assertThat(Strategy.of(1, LONG_BYTES - 1)).isEqualTo(Strategy.WARP);
        assertThat(Strategy.of(396, 396L * LONG_BYTES)).isEqualTo(Strategy.TEAM);
        assertThat(Strategy.of(396, 396L * LONG_BYTES - 1)).isEqualTo(Strategy.WARP);
        assertThat(Strategy.of(397, 397L * LONG_BYTES)).isEqualTo(Strategy.WARP);
        assertThat(Strategy.of(396, 396L * (4 << 20))).isEqualTo(Strategy.TEAM);
    }

    private interface Decoding {
        void enqueue(BlockGpuDecoder decoder, DeviceBlocks blocks, LaunchMemory memory) throws DeviceException;
    }

    /** Decodes blocks of so many bytes each, and answers what has been launched for that. */
    private Launched launched(int rawBytes, Decoding decoding) throws Exception {
        NotedLaunches noted = new NotedLaunches(contract());
        Random random = new Random(TestSeed.value());
        BlockTrial batch = new BlockTrial(random, reference());
        for (int block = 0; block < BLOCKS; block++) {
            byte[] raw = new byte[rawBytes];
            random.nextBytes(raw);
            batch.add(encode(raw), raw.length);
        }
        try (Device device = noted.openDevice();
                DeviceStream stream = device.openStream();
                BlockGpuDecoder decoder = open(device)) {
            batch.check("blocks", device, stream, (blocks, memory) -> decoding.enqueue(decoder, blocks, memory));
        }
        assertThat(noted.launches()).hasSize(1);
        return noted.launches().get(0);
    }
}
