package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.gpu.block.BlockBounds;
import io.warpcodec.engine.gpu.block.BlockLaunch;
import io.warpcodec.engine.gpu.block.BlockProgram;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.DecodePlanner;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.checksum.ChecksumHashing;
import io.warpcodec.engine.gpu.request.GpuFormat;
import io.warpcodec.engine.gpu.request.SessionDevices;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * DEFLATE on devices, in its two containers: gzip members, each with a CRC-32, and zlib streams, which are decoded by
 * sessions only.
 */
public enum DeflateGpuFormat implements GpuFormat {
    GZIP(Format.GZIP),
    ZLIB(Format.ZLIB);

    /** For a mebibyte. */
    static final double CPU_DECODE_NANOS = 3e6;

    private static final double CPU_ENCODE_NANOS = 30e6;

    /** Likewise at the level by price: zlib takes 1.5 to 4 times as long for level 9 as for level 6. */
    private static final double CPU_BEST_ENCODE_NANOS = 60e6;

    /** Decodes segments of single streams, for the sessions of both. */
    static final String SEGMENTS = "decode.deflate.segments";

    /** Scratch is that much longer than a wave: no more than long LZ4 blocks need, and two warps for each 64 KiB. */
    private static final int SCRATCH_TO_WAVE = 4;

    /** Smaller waves count as this many bytes, so that few short members are decoded at the same time. */
    private static final int LEAST_COUNTED_BYTES = 1 << 20;

    /**
     * Highest levels of zlib's scale for which our quicker levels do. Level 0 stores, which is no work for a
     * device.
     */
    private static final int LAST_FAST_LEVEL = 2;

    private static final int LAST_DEFAULT_LEVEL = 6;

    /** Highest level below that by price. */
    private static final int LAST_HIGH_LEVEL = 8;

    private final Format format;

    DeflateGpuFormat(Format format) {
        this.format = format;
    }

    @Override
    public Format format() {
        return format;
    }

    @Override
    public List<KernelContract> contracts() {
        return this == GZIP
                ? List.of(DeflateDecodeKernels.CONTRACT, DeflateEncodeKernels.CONTRACT, DeflateStreamKernels.CONTRACT)
                : List.of();
    }

    @Override
    public Map<String, Program> programs() {
        Map<String, Program> programs = new LinkedHashMap<>();
        if (this == GZIP) {
            programs.put(decodeProgram(), new Program(DeflateGpuFormat::memberDecoder, DeflateGpuDecoder.BOUNDS));
            programs.put(SEGMENTS, new Program(SegmentProgram::open, SegmentJob::read));
        }
        for (EncodeLevel level : EncodeLevel.values()) {
            BlockBounds bounds = this == GZIP ? DeflateGpuEncoder.BOUNDS.withHashes() : DeflateGpuEncoder.BOUNDS;
            programs.put(BlockProgram.name(format, level), new Program(device -> encoder(device, level), bounds));
        }
        return programs;
    }

    private static WaveProgram memberDecoder(Device device) throws KernelUnavailableException, DeviceException {
        DeflateGpuDecoder decoder = DeflateGpuDecoder.open(device);
        BlockLaunch launch = new BlockLaunch() {
            @Override
            public void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
                decoder.enqueueDecode(DeflateGpuDecoder.Strategy.of(blocks.count()), blocks, memory);
            }

            @Override
            public long scratchBytes(int waveBytes, int blockCount) {
                long countedBytes = Math.max(waveBytes, LEAST_COUNTED_BYTES);
                return DeflateGpuDecoder.scratchBytes(blockCount, SCRATCH_TO_WAVE * countedBytes);
            }
        };
        return BlockProgram.of(Direction.DECODE, launch, decoder::close, device, ChecksumHashing::crc32);
    }

    /**
     * Of gzip each chunk is a stream with a CRC-32; of zlib a piece of one, whose Adler-32 the host computes: devices
     * have none.
     */
    private WaveProgram encoder(Device device, EncodeLevel level) throws KernelUnavailableException, DeviceException {
        DeflateGpuEncoder encoder = DeflateGpuEncoder.open(device);
        DeflateGpuEncoder.Ending ending =
                this == GZIP ? DeflateGpuEncoder.Ending.STREAM : DeflateGpuEncoder.Ending.FLUSH;
        BlockLaunch launch = new BlockLaunch() {
            @Override
            public void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
                encoder.enqueueEncode(level, ending, blocks, memory);
            }

            @Override
            public long workspaceBytes(int blockCount) {
                return DeflateGpuEncoder.workspaceBytes(blockCount);
            }

            @Override
            public long scratchBytes(int waveBytes, int blockCount) {
                return DeflateGpuEncoder.scratchBytes(level, waveBytes, blockCount);
            }

            @Override
            public boolean mayWaitForScratch() {
                return level == EncodeLevel.BEST;
            }

            @Override
            public BlockResult[] results(int blockCount, PinnedBuffer staging) {
                return encoder.results(blockCount, staging);
            }
        };
        return this == GZIP
                ? BlockProgram.of(Direction.ENCODE, launch, encoder::close, device, ChecksumHashing::crc32)
                : BlockProgram.withoutHashes(Direction.ENCODE, launch, encoder::close);
    }

    @Override
    public double cpuNanosPerMebibyte(Direction direction, CodecOptions options) {
        if (direction == Direction.DECODE) {
            return CPU_DECODE_NANOS;
        }
        return options.level(format) > LAST_HIGH_LEVEL ? CPU_BEST_ENCODE_NANOS : CPU_ENCODE_NANOS;
    }

    @Override
    public DecodePlanner planner(CodecOptions options, int likelyBytes) {
        return this == GZIP ? GzipPlans::member : null;
    }

    @Override
    public EncodeLayout layout(CodecOptions options) {
        int zlibLevel = options.level(format);
        if (zlibLevel <= 0) {
            return null;
        }
        EncodeLayout layout = EncodeLayout.of(
                BlockProgram.name(format, level(zlibLevel)),
                CodecOptions.MAX_CHUNK_BYTES,
                DeflateGpuEncoder::maxEncodedBytes);
        return this == GZIP ? layout.withHash(0, -1) : layout.thatContinues();
    }

    /** Which of our levels does for one of zlib's above 0. */
    private static EncodeLevel level(int zlibLevel) {
        if (zlibLevel > LAST_HIGH_LEVEL) {
            return EncodeLevel.BEST;
        }
        if (zlibLevel > LAST_DEFAULT_LEVEL) {
            return EncodeLevel.HIGH;
        }
        return zlibLevel <= LAST_FAST_LEVEL ? EncodeLevel.FAST : EncodeLevel.DEFAULT;
    }

    /**
     * Three while half of the page-locked memory is free: on an H200 a body of 256 KiB takes 1.5 ms whatever there is
     * beside it, so as much must be under way as the link moves in that time. Blocks of LZ4 and Snappy are done in
     * half of it, and a third batch only takes space in the caches (docs/kernels/transport.md).
     */
    @Override
    public int batchesInFlight(boolean crowded) {
        return crowded ? 2 : 3;
    }

    /** Devices decode all of the stream that they can. */
    @Override
    public DecodeSession openSession(SessionDevices devices, CodecOptions options, long offset) {
        GpuSegmentDecoder segments =
                new GpuSegmentDecoder(devices.pool(), devices.choices(), format, options, devices.meter(), false);
        return devices.cpu().openSession(format, options, offset, segments);
    }
}
