package io.warpcodec.engine.gpu.lz4;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockDecoderContract;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockTrial;
import net.jpountz.lz4.LZ4Factory;

/** The launcher of the LZ4 kernels. */
class Lz4GpuDecoderTest extends BlockDecoderContract {
    @Override
    protected String kernel() {
        return "lz4_decode_blocks";
    }

    @Override
    protected KernelContract contract() {
        return Lz4Kernels.CONTRACT;
    }

    @Override
    protected BlockGpuDecoder open(Device device) throws KernelUnavailableException, DeviceException {
        return Lz4Kernels.load(device).decoder();
    }

    @Override
    protected BlockTrial.Reference reference() {
        return Lz4ReferenceDecoder::decode;
    }

    @Override
    protected byte[] encode(byte[] raw) {
        return LZ4Factory.fastestInstance().fastCompressor().compress(raw);
    }
}
