package io.warpcodec.engine.gpu.lz4;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockTrial;
import io.warpcodec.engine.gpu.block.EncodeTrial;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;

/** {@link Lz4PriceEncoder} against lz4-java's levels 9 and 12, the plain decoder and {@link BlockGpuDecoder}. */
@GpuTest
class Lz4PriceEncoderGpuTest extends Lz4EncoderContract {
    private Lz4PriceEncoder encoder;
    private BlockGpuDecoder decoder;

    @Override
    protected void openCodec() throws Exception {
        encoder = Lz4PriceEncoder.open(device);
        decoder = Lz4Kernels.load(device).decoder();
    }

    @Override
    protected void closeCodec() {
        encoder.close();
        decoder.close();
    }

    /** A block of few bytes takes as much memory as one of 64 KiB. */
    @Override
    protected int randomBlocks() {
        return super.randomBlocks() / 10;
    }

    @Override
    protected List<NamedWay> ways() {
        return List.of(new NamedWay("best", way(encoder)));
    }

    static EncodeTrial.Way way(Lz4PriceEncoder encoder) {
        return EncodeTrial.way(encoder, Lz4PriceMemory.ALIGNMENT_BYTES, Lz4PriceEncoder::scratchBytes);
    }

    @Override
    protected Optional<BlockTrial.Way> decodingWay() {
        return Optional.of(decoder::enqueueDecode);
    }

    @Override
    protected byte[] encodeForeign(byte[] raw) {
        return LZ4Factory.fastestInstance().highCompressor(9).compress(raw);
    }

    /** The parse is by exact cost, and finds all matches: half a percent beside liblz4's best. */
    @Test
    void blocksAreAsSmallAsTheBestForeignOnes() throws Exception {
        for (int blockBytes : new int[] {1000, 65_536, 262_144, 1 << 20}) {
            EncodeTrial batch = new EncodeTrial(new Random(1));
            long foreign = 0;
            for (int block = 0; block < 20; block++) {
                byte[] raw = GpuStreams.mixture(blockBytes, TestSeed.value() + block);
                batch.add(raw);
                foreign += LZ4Factory.fastestInstance().highCompressor(12).compress(raw).length;
            }
            long bytes = batch.encode("best", device, stream, way(encoder)).stream()
                    .mapToLong(block -> block.orElseThrow().length)
                    .sum();
            assertThat(bytes)
                    .as("blocks of %d bytes, seed %d", blockBytes, TestSeed.value())
                    .isLessThanOrEqualTo(foreign + foreign / 200);
        }
    }
}
