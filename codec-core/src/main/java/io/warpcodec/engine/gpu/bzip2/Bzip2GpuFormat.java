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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** bzip2 blocks on devices, to decode; the CPU encodes them. */
public enum Bzip2GpuFormat implements GpuFormat {
    INSTANCE;

    /** What a core needs for a block: 900,000 bytes at 25 to 30 MB/s. */
    private static final long CPU_BLOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    @Override
    public Format format() {
        return Format.BZIP2;
    }

    @Override
    public boolean supports(Direction direction) {
        return direction == Direction.DECODE;
    }

    @Override
    public List<KernelContract> contracts() {
        return List.of(Bzip2Kernels.CONTRACT);
    }

    @Override
    public Map<String, Loading> programs() {
        return Map.of(decodeProgram(), Bzip2GpuFormat::decoder);
    }

    private static WaveProgram decoder(Device device) throws KernelUnavailableException, DeviceException {
        Bzip2GpuDecoder decoder = Bzip2GpuDecoder.open(device);
        return BlockProgram.withoutHashes(Direction.DECODE, decoder, decoder::close);
    }

    @Override
    public DecodePlanner planner(CodecOptions options) {
        return Bzip2Plans::block;
    }

    /** Null: the CPU encodes. */
    @Override
    public EncodeLayout layout(CodecOptions options) {
        return null;
    }

    /** A wave: a block takes a device milliseconds, so a task needs dozens under way, and a wave has eight or nine. */
    @Override
    public int mostRequestBytes() {
        return Integer.MAX_VALUE;
    }

    /** A core is thirty times slower than a device, so that waiting for memory is worth as long as the core would need. */
    @Override
    public long patienceNanos() {
        return CPU_BLOCK_NANOS;
    }

    /**
     * Four while half of the page-locked memory is free. A batch has as many blocks as 4 MiB of read-ahead hold, sixteen of text, so these are 64 blocks in some 80 MiB
     * of page-locked memory; sixteen tasks with two batches each want more than there is, and wait for each other.
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
