package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.gpu.block.BlockProgram;
import io.warpcodec.engine.gpu.block.DecodePlanner;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import io.warpcodec.engine.gpu.checksum.ChecksumHashing;
import io.warpcodec.engine.gpu.request.GpuFormat;
import io.warpcodec.engine.gpu.request.SessionDevices;
import java.util.List;
import java.util.Map;

/** Zstandard frames on devices, which decode them. The CPU encodes. */
public enum ZstdGpuFormat implements GpuFormat {
    INSTANCE;

    /** For a mebibyte: libzstd decodes text at 0.4 to 0.8 GB/s, and hashes it (H100's host). */
    private static final double CPU_DECODE_NANOS = 2e6;

    private static final double CPU_ENCODE_NANOS = 5e6;

    @Override
    public Format format() {
        return Format.ZSTD;
    }

    @Override
    public List<KernelContract> contracts() {
        return List.of(ZstdKernels.CONTRACT);
    }

    @Override
    public Map<String, Program> programs() {
        return Map.of(decodeProgram(), new Program(ZstdGpuFormat::decoder, ZstdGpuDecoder.BOUNDS));
    }

    private static WaveProgram decoder(Device device) throws KernelUnavailableException, DeviceException {
        ZstdGpuDecoder decoder = ZstdGpuDecoder.open(device);
        return BlockProgram.of(Direction.DECODE, decoder, decoder::close, device, ChecksumHashing::xxHash64);
    }

    @Override
    public DecodePlanner planner(CodecOptions options, int likelyBytes) {
        return ZstdPlans::frame;
    }

    @Override
    public boolean encodes() {
        return false;
    }

    @Override
    public EncodeLayout layout(CodecOptions options) {
        return null;
    }

    @Override
    public double cpuNanosPerMebibyte(Direction direction) {
        return direction == Direction.DECODE ? CPU_DECODE_NANOS : CPU_ENCODE_NANOS;
    }

    /**
     * Three while half of the page-locked memory is free: a wave of 8 MiB takes 1.2 to 2.2 ms on an H100 whatever there
     * is beside it. One task reads 1.1 to 1.5 times as fast as with two.
     */
    @Override
    public int batchesInFlight(boolean crowded) {
        return crowded ? 2 : 3;
    }

    @Override
    public DecodeSession openSession(SessionDevices devices, CodecOptions options, long offset) {
        return devices.openWithoutHelp(Format.ZSTD, options, offset);
    }
}
