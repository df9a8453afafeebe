package io.warpcodec.engine.gpu.snappy;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockDecoderContract;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockTrial;
import java.io.IOException;
import org.xerial.snappy.Snappy;

/** The launcher of the Snappy kernels. */
class SnappyGpuDecoderTest extends BlockDecoderContract {
    @Override
    protected String kernel() {
        return "snappy_decode_blocks";
    }

    @Override
    protected KernelContract contract() {
        return SnappyKernels.CONTRACT;
    }

    @Override
    protected BlockGpuDecoder open(Device device) throws KernelUnavailableException, DeviceException {
        return SnappyKernels.load(device).decoder();
    }

    @Override
    protected BlockTrial.Reference reference() {
        return SnappyReferenceDecoder::decode;
    }

    @Override
    protected byte[] encode(byte[] raw) throws IOException {
        return Snappy.compress(raw);
    }
}
