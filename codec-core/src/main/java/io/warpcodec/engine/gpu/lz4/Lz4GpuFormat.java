package io.warpcodec.engine.gpu.lz4;

import static io.warpcodec.format.lz4.Lz4Format.HADOOP_CHUNK_BYTES;
import static io.warpcodec.format.lz4.Lz4Format.OUR_BLOCK_BYTES;
import static io.warpcodec.format.lz4.Lz4Format.UNCOMPRESSED;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.LongRepeats;
import io.warpcodec.engine.Lz4Levels;
import io.warpcodec.engine.gpu.block.BlockBounds;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockGpuEncoder;
import io.warpcodec.engine.gpu.block.BlockLaunch;
import io.warpcodec.engine.gpu.block.BlockProgram;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.DecodePlanner;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.block.LongBlockBatch;
import io.warpcodec.engine.gpu.checksum.ChecksumHashing;
import io.warpcodec.engine.gpu.request.GpuFormat;
import io.warpcodec.engine.gpu.request.SessionDevices;
import io.warpcodec.format.lz4.Lz4BlockHeader;
import io.warpcodec.format.lz4.Lz4Format;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** LZ4 on devices, in its three containers: blocks, long blocks and chains of linked blocks. */
public enum Lz4GpuFormat implements GpuFormat {
    INSTANCE;

    /** For a mebibyte. */
    static final double CPU_DECODE_NANOS = 0.7e6;

    private static final double CPU_ENCODE_NANOS = 4e6;

    /**
     * For a mebibyte at levels 9 to 12, of bytes that do not repeat: what is least among six kinds of data. Text takes
     * a core up to seven times as long.
     */
    private static final double CPU_BEST_ENCODE_NANOS = 1.2e7;

    /** Decodes long blocks and chains of blocks, for sessions. */
    static final String LONG_BLOCKS = "decode.lz4.long";

    private static final String ENCODE = BlockProgram.name(Format.LZ4, Direction.ENCODE);

    private static final BlockBounds ENCODE_BOUNDS = BlockBounds.of(
                    Direction.ENCODE, Lz4Kernels.MAX_OUTPUT_BYTES, Lz4Kernels.MAX_INPUT_BYTES)
            .withHashes();

    /** Encodes by price. */
    private static final String ENCODE_BEST = BlockProgram.name(Format.LZ4, EncodeLevel.BEST);

    @Override
    public Format format() {
        return Format.LZ4;
    }

    @Override
    public List<KernelContract> contracts() {
        return Stream.concat(Stream.of(Lz4Kernels.CONTRACT), Lz4PriceEncoder.contracts().stream())
                .toList();
    }

    @Override
    public Map<String, Program> programs() {
        Map<String, Program> programs = new LinkedHashMap<>();
        programs.put(
                decodeProgram(),
                new Program(
                        Lz4GpuFormat::decoder,
                        BlockBounds.of(Direction.DECODE, Lz4Kernels.MAX_INPUT_BYTES, Lz4Kernels.MAX_OUTPUT_BYTES)
                                .withHashes()));
        programs.put(ENCODE, new Program(Lz4GpuFormat::encoder, ENCODE_BOUNDS));
        programs.put(ENCODE_BEST, new Program(Lz4GpuFormat::priceEncoder, ENCODE_BOUNDS));
        programs.put(LONG_BLOCKS, new Program(Lz4GpuFormat::longDecoder, Lz4GpuLongDecoder.BOUNDS));
        return programs;
    }

    private static WaveProgram decoder(Device device) throws KernelUnavailableException, DeviceException {
        BlockGpuDecoder decoder = Lz4Kernels.load(device).decoder();
        return BlockProgram.of(
                Direction.DECODE, decoder::enqueueDecode, decoder::close, device, ChecksumHashing::xxHash32);
    }

    private static WaveProgram encoder(Device device) throws KernelUnavailableException, DeviceException {
        BlockGpuEncoder encoder = Lz4Kernels.load(device).encoder();
        BlockLaunch launch = encoder.launch(EncodeLevel.FAST);
        return BlockProgram.of(Direction.ENCODE, launch, encoder::close, device, ChecksumHashing::xxHash32);
    }

    private static WaveProgram priceEncoder(Device device) throws KernelUnavailableException, DeviceException {
        Lz4PriceEncoder encoder = Lz4PriceEncoder.open(device);
        return BlockProgram.of(Direction.ENCODE, encoder, encoder::close, device, ChecksumHashing::xxHash32);
    }

    /** Jobs must not ask for hashes. */
    private static WaveProgram longDecoder(Device device) throws KernelUnavailableException, DeviceException {
        Lz4GpuLongDecoder decoder = Lz4GpuLongDecoder.open(device);
        BlockLaunch launch = new BlockLaunch() {
            @Override
            public void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
                decoder.enqueueDecode(blocks, memory);
            }

            @Override
            public long workspaceBytes(int blockCount) {
                return LongBlockBatch.workspaceBytes(blockCount);
            }

            @Override
            public long scratchBytes(int waveBytes, int blockCount) {
                return LongBlockBatch.scratchBytes(waveBytes, waveBytes, blockCount);
            }

            @Override
            public BlockResult[] results(int blockCount, PinnedBuffer staging) {
                return LongBlockBatch.results(blockCount, staging);
            }
        };
        return BlockProgram.withoutHashes(Direction.DECODE, launch, decoder::close);
    }

    @Override
    public double cpuNanosPerMebibyte(Direction direction, CodecOptions options) {
        if (direction == Direction.DECODE) {
            return CPU_DECODE_NANOS;
        }
        return Lz4Levels.isBest(options.level(Format.LZ4)) ? CPU_BEST_ENCODE_NANOS : CPU_ENCODE_NANOS;
    }

    @Override
    public boolean isDearForCpu(Direction direction, CodecOptions options) {
        return direction == Direction.ENCODE && Lz4Levels.isBest(options.level(Format.LZ4));
    }

    @Override
    public int dearBytes(Chunk chunk, CodecOptions options) {
        boolean isBest = Lz4Levels.isBest(options.level(Format.LZ4));
        return isBest ? LongRepeats.otherBytes(chunk.bytesView()) : chunk.bytes();
    }

    @Override
    public DecodePlanner planner(CodecOptions options, int likelyBytes) {
        return switch (options.framing()) {
            case STANDARD -> Lz4Plans::frame;
            case HADOOP -> Lz4Plans::outerBlock;
            case SPARK -> Lz4Plans::blocks;
        };
    }

    @Override
    public EncodeLayout layout(CodecOptions options) {
        int level = options.level(Format.LZ4);
        if (Lz4Levels.isBest(level)) {
            return layout(options.framing(), ENCODE_BEST);
        }
        return Lz4Levels.isFast(level) ? layout(options.framing(), ENCODE) : null;
    }

    private static EncodeLayout layout(Framing framing, String program) {
        return switch (framing) {
            case STANDARD ->
                EncodeLayout.of(program, OUR_BLOCK_BYTES, Lz4GpuFormat::mostBlockBytes)
                        .withLengths(ByteOrder.LITTLE_ENDIAN)
                        .withStored(UNCOMPRESSED)
                        .withHash(0, -1);
            case HADOOP ->
                EncodeLayout.of(program, HADOOP_CHUNK_BYTES, Lz4GpuFormat::mostBlockBytes)
                        .withLengths(ByteOrder.BIG_ENDIAN);
            case SPARK ->
                EncodeLayout.of(program, CodecOptions.MAX_CHUNK_BYTES, Lz4GpuFormat::mostBlockBytes)
                        .withStored(UNCOMPRESSED)
                        .withHash(Lz4BlockHeader.CHECKSUM_SEED, Lz4BlockHeader.CHECKSUM_MASK);
        };
    }

    private static int mostBlockBytes(int rawBytes) {
        return Math.toIntExact(Lz4Format.maxBlockBytes(rawBytes));
    }

    /** Of a frame devices decode what has many blocks, or large ones. */
    @Override
    public DecodeSession openSession(SessionDevices devices, CodecOptions options, long offset) {
        if (options.framing() != Framing.STANDARD) {
            return devices.openWithoutHelp(Format.LZ4, options, offset);
        }
        Lz4GpuRunDecoder runs = new Lz4GpuRunDecoder(devices.pool(), devices.choices(), options, devices.meter());
        return devices.cpu().openSession(Format.LZ4, options, offset, runs);
    }
}
