package io.warpcodec.engine.gpu;

import io.warpcodec.device.DeviceBuffer;
import io.warpcodec.device.DeviceException;
import io.warpcodec.device.DeviceStream;
import io.warpcodec.device.GpuTest;
import io.warpcodec.device.PinnedBuffer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.xerial.snappy.Snappy;

/** {@link SnappyGpuEncoder} against snappy-java, the plain decoder and {@link SnappyGpuDecoder}. */
@GpuTest
class SnappyEncoderGpuTest extends BlockEncoderContract {
    private SnappyGpuEncoder encoder;
    private SnappyGpuDecoder decoder;

    @Override
    void openCodec() throws Exception {
        encoder = SnappyGpuEncoder.open(device);
        decoder = SnappyGpuDecoder.open(device);
    }

    @Override
    void closeCodec() {
        encoder.close();
        decoder.close();
    }

    @Override
    List<NamedWay> ways() {
        return List.of(
                new NamedWay("fast", way(EncodeLevel.FAST)),
                new NamedWay("default", way(EncodeLevel.DEFAULT)),
                new NamedWay("high", way(EncodeLevel.HIGH)));
    }

    @Override
    Optional<BlockTrial.Way> decodingWay() {
        return Optional.of(decoder::enqueueDecode);
    }

    @Override
    Optional<byte[]> decodePlainly(byte[] block, int rawBytes) {
        return SnappyReferenceDecoder.decode(block, rawBytes);
    }

    @Override
    byte[] decodeForeign(byte[] block, int rawBytes) throws IOException {
        return Snappy.uncompress(block);
    }

    @Override
    byte[] encodeForeign(byte[] raw) throws IOException {
        return Snappy.compress(raw);
    }

    /** Snappy asks nothing of a block's end. */
    @Override
    void requireWellFormed(String what, NamedWay way, byte[] block, byte[] raw) {}

    private EncodeTrial.Way way(EncodeLevel level) {
        return new EncodeTrial.Way() {
            @Override
            public long workspaceBytes(int blockCount, long rawBytes) {
                return encoder.workspaceBytes(level, blockCount);
            }

            @Override
            public void enqueue(
                    DeviceBuffer input,
                    ChunkRanges blocks,
                    DeviceBuffer output,
                    ChunkRanges places,
                    DeviceBuffer workspace,
                    PinnedBuffer staging,
                    DeviceStream queue)
                    throws DeviceException {
                encoder.enqueueEncode(level, input, blocks, output, places, workspace, staging, queue);
            }
        };
    }
}
