package io.warpcodec.engine.gpu.snappy;

import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.block.BlockEncoderContract;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockGpuEncoder;
import io.warpcodec.engine.gpu.block.BlockTrial;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.EncodeTrial;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.xerial.snappy.Snappy;

/** {@link BlockGpuEncoder} against snappy-java, the plain decoder and {@link BlockGpuDecoder}. */
@GpuTest
class SnappyEncoderGpuTest extends BlockEncoderContract {
    private BlockGpuEncoder encoder;
    private BlockGpuDecoder decoder;

    @Override
    protected void openCodec() throws Exception {
        encoder = SnappyKernels.load(device).encoder();
        decoder = SnappyKernels.load(device).decoder();
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
    protected Optional<byte[]> decodePlainly(byte[] block, int rawBytes) {
        return SnappyReferenceDecoder.decode(block, rawBytes);
    }

    @Override
    protected byte[] decodeForeign(byte[] block, int rawBytes) throws IOException {
        return Snappy.uncompress(block);
    }

    @Override
    protected byte[] encodeForeign(byte[] raw) throws IOException {
        return Snappy.compress(raw);
    }

    /** Snappy asks nothing of a block's end. */
    @Override
    protected void requireWellFormed(String what, NamedWay way, byte[] block, byte[] raw) {}
}
