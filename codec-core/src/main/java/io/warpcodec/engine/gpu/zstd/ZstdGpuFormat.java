package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.LongRepeats;
import io.warpcodec.engine.ZstdLevels;
import io.warpcodec.engine.gpu.block.BlockProgram;
import io.warpcodec.engine.gpu.block.DecodePlanner;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.checksum.ChecksumHashing;
import io.warpcodec.engine.gpu.plz.PlzFinder;
import io.warpcodec.engine.gpu.request.GpuFormat;
import io.warpcodec.engine.gpu.request.SessionDevices;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Zstandard frames on devices, which encode at two quick levels of their own, and at a strong one. */
public enum ZstdGpuFormat implements GpuFormat {
    INSTANCE;

    /** For a mebibyte: libzstd decodes text at 0.4 to 0.8 GB/s, and hashes it (H100's host). */
    static final double CPU_DECODE_NANOS = 2e6;

    /** Decodes segments of long frames, for sessions. */
    static final String SEGMENTS = "decode.zstd.segments";

    private static final double CPU_ENCODE_NANOS = 5e6;

    private static final double MEBIBYTE = 1 << 20;

    /** Level by which libzstd means its default, 3. */
    private static final int LEVEL_OF_LIBZSTD = 0;

    /** Highest level of zstd's scale for which our fast one does; negative ones are faster than 1. */
    private static final int LAST_FAST_LEVEL = 2;

    @Override
    public Format format() {
        return Format.ZSTD;
    }

    @Override
    public List<KernelContract> contracts() {
        return Stream.concat(
                        Stream.of(ZstdKernels.CONTRACT, ZstdEncodeKernels.CONTRACT), PlzFinder.contracts().stream())
                .toList();
    }

    @Override
    public Map<String, Program> programs() {
        Map<String, Program> programs = new LinkedHashMap<>();
        programs.put(decodeProgram(), new Program(ZstdGpuFormat::decoder, ZstdGpuDecoder.BOUNDS));
        programs.put(SEGMENTS, new Program(ZstdSegmentProgram::open, ZstdSegmentJob::read));
        for (EncodeLevel level : EncodeLevel.SEARCHES) {
            programs.put(
                    BlockProgram.name(Format.ZSTD, level),
                    new Program(device -> encoder(device, level), ZstdGpuEncoder.BOUNDS));
        }
        return programs;
    }

    private static WaveProgram decoder(Device device) throws KernelUnavailableException, DeviceException {
        ZstdGpuDecoder decoder = ZstdGpuDecoder.open(device);
        return BlockProgram.of(Direction.DECODE, decoder, decoder::close, device, ChecksumHashing::xxHash64);
    }

    private static WaveProgram encoder(Device device, EncodeLevel level)
            throws KernelUnavailableException, DeviceException {
        ZstdGpuEncoder encoder = ZstdGpuEncoder.open(device, level);
        return BlockProgram.of(Direction.ENCODE, encoder, encoder::close, device, ChecksumHashing::xxHash64);
    }

    @Override
    public DecodePlanner planner(CodecOptions options, int likelyBytes) {
        return ZstdPlans::frame;
    }

    @Override
    public EncodeLayout layout(CodecOptions options) {
        EncodeLevel level = level(options.level(Format.ZSTD));
        return level == null
                ? null
                : EncodeLayout.of(
                                BlockProgram.name(Format.ZSTD, level),
                                ZstdEncodeKernels.MAX_INPUT_BYTES,
                                ZstdGpuEncoder::maxEncodedBytes)
                        .withHash(0, -1);
    }

    /** Which of our levels does for one of zstd's; null for libzstd. */
    private static EncodeLevel level(int zstdLevel) {
        if (ZstdLevels.isStrong(zstdLevel)) {
            return EncodeLevel.HIGH;
        }
        if (!ZstdLevels.isQuick(zstdLevel)) {
            return null;
        }
        boolean isFast = zstdLevel <= LAST_FAST_LEVEL && zstdLevel != LEVEL_OF_LIBZSTD;
        return isFast ? EncodeLevel.FAST : EncodeLevel.DEFAULT;
    }

    @Override
    public double cpuNanosPerMebibyte(Direction direction, CodecOptions options) {
        if (direction == Direction.DECODE) {
            return CPU_DECODE_NANOS;
        }
        int level = options.level(Format.ZSTD);
        if (!ZstdLevels.isStrong(level)) {
            return CPU_ENCODE_NANOS;
        }
        return MEBIBYTE * ZstdLevels.leastStrongNanos(level);
    }

    @Override
    public int dearBytes(Chunk chunk, CodecOptions options) {
        boolean isStrong = ZstdLevels.isStrong(options.level(Format.ZSTD));
        return isStrong ? LongRepeats.otherBytes(chunk.bytesView()) : chunk.bytes();
    }

    @Override
    public boolean isDearForCpu(Direction direction, CodecOptions options) {
        return direction == Direction.ENCODE && ZstdLevels.isStrong(options.level(Format.ZSTD));
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
        return devices.cpu().openSession(Format.ZSTD, options, offset, new GpuZstdSegmentDecoder(devices, options));
    }
}
