package io.warpcodec.engine.gpu.bzip2;

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
import io.warpcodec.engine.gpu.request.GpuFormat;
import io.warpcodec.engine.gpu.request.SessionDevices;
import io.warpcodec.format.bzip2.Bzip2Format;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** bzip2 blocks on devices. */
public enum Bzip2GpuFormat implements GpuFormat {
    INSTANCE;

    private static final String ENCODE = BlockProgram.name(Format.BZIP2, Direction.ENCODE);

    /** What a core needs to decode a block: 900,000 bytes at 25 to 30 MB/s. */
    private static final long CPU_DECODE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    /** What a core needs to encode one: at 10 MB/s. */
    private static final long CPU_ENCODE_NANOS = TimeUnit.MILLISECONDS.toNanos(90);

    private static final double BLOCKS_PER_MEBIBYTE = (1 << 20) / 900e3;

    @Override
    public Format format() {
        return Format.BZIP2;
    }

    @Override
    public List<KernelContract> contracts() {
        return List.of(
                Bzip2Kernels.CONTRACT,
                SortKernels.CONTRACT,
                BwtEncodeKernels.CONTRACT,
                MtfEncodeKernels.CONTRACT,
                Bzip2EncodeKernels.CONTRACT);
    }

    @Override
    public Map<String, Program> programs() {
        Map<String, Program> programs = new LinkedHashMap<>();
        programs.put(decodeProgram(), new Program(Bzip2GpuFormat::decoder, Bzip2GpuDecoder.BOUNDS));
        programs.put(ENCODE, new Program(Bzip2GpuFormat::encoder, Bzip2GpuEncoder.BOUNDS));
        return programs;
    }

    private static WaveProgram encoder(Device device) throws KernelUnavailableException, DeviceException {
        Bzip2GpuEncoder encoder = Bzip2GpuEncoder.open(device);
        return BlockProgram.withoutHashes(Direction.ENCODE, encoder, encoder::close);
    }

    private static WaveProgram decoder(Device device) throws KernelUnavailableException, DeviceException {
        Bzip2GpuDecoder decoder = Bzip2GpuDecoder.open(device);
        return BlockProgram.withoutHashes(Direction.DECODE, decoder, decoder::close);
    }

    @Override
    public DecodePlanner planner(CodecOptions options, int likelyBytes) {
        return (chunk, budgetBytes) -> Bzip2Plans.block(chunk, likelyBytes);
    }

    @Override
    public EncodeLayout layout(CodecOptions options) {
        return layout(options.level(Format.BZIP2));
    }

    /** A block of a level. The writer has cut a chunk where its text fills that; what does not fit is the CPU's. */
    static EncodeLayout layout(int level) {
        return EncodeLayout.of(ENCODE, Bzip2EncodeKernels.MAX_RAW_BYTES, Bzip2GpuEncoder::mostBlockBytes)
                .withBits(Bzip2Format.maxEncodedBlockBytes(level));
    }

    /** A wave: a block takes a device milliseconds, so a task needs dozens under way, and a wave has eight or nine. */
    @Override
    public int mostRequestBytes(Direction direction) {
        return Integer.MAX_VALUE;
    }

    @Override
    public double cpuNanosPerMebibyte(Direction direction, CodecOptions options) {
        return BLOCKS_PER_MEBIBYTE * (direction == Direction.DECODE ? CPU_DECODE_NANOS : CPU_ENCODE_NANOS);
    }

    @Override
    public boolean isDearForCpu(Direction direction, CodecOptions options) {
        return true;
    }

    /**
     * Four while half of the page-locked memory is free, else two. A batch has as many blocks as 4 MiB of read-ahead
     * hold, sixteen of text. So four batches are 64 blocks, in some 80 MiB of page-locked memory. Sixteen tasks with
     * two batches each want more than there is, and wait for each other.
     */
    @Override
    public int batchesInFlight(boolean crowded) {
        return crowded ? 2 : 4;
    }

    @Override
    public DecodeSession openSession(SessionDevices devices, CodecOptions options, long offset) {
        return devices.openWithoutHelp(Format.BZIP2, options, offset);
    }
}
