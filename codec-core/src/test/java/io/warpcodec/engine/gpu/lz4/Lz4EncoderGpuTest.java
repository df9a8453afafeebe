package io.warpcodec.engine.gpu.lz4;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockGpuEncoder;
import io.warpcodec.engine.gpu.block.BlockTrial;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.EncodeTrial;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;

/** {@link BlockGpuEncoder} against lz4-java, the plain decoder and {@link BlockGpuDecoder}. */
@GpuTest
class Lz4EncoderGpuTest extends Lz4EncoderContract {
    private BlockGpuEncoder encoder;
    private BlockGpuDecoder decoder;

    @Override
    protected void openCodec() throws Exception {
        encoder = Lz4Kernels.load(device).encoder();
        decoder = Lz4Kernels.load(device).decoder();
    }

    @Override
    protected void closeCodec() {
        encoder.close();
        decoder.close();
    }

    @Override
    protected List<NamedWay> ways() {
        return List.of(
                new NamedWay("fast", EncodeTrial.way(encoder, EncodeLevel.FAST)),
                new NamedWay("default", EncodeTrial.way(encoder, EncodeLevel.DEFAULT)),
                new NamedWay("high", EncodeTrial.way(encoder, EncodeLevel.HIGH)));
    }

    @Override
    protected Optional<BlockTrial.Way> decodingWay() {
        return Optional.of(decoder::enqueueDecode);
    }

    @Override
    protected byte[] encodeForeign(byte[] raw) {
        return LZ4Factory.fastestInstance().fastCompressor().compress(raw);
    }

    @Test
    void levelsOfOtherKernelsAreRefused() {
        EncodeTrial batch = new EncodeTrial(new Random(1));
        batch.add(new byte[100]);
        EncodeTrial.Way best = EncodeTrial.way(encoder, EncodeLevel.BEST);
        assertThatThrownBy(() -> batch.encode("best", device, stream, best))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
