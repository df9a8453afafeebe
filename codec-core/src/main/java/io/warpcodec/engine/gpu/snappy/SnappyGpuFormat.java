package io.warpcodec.engine.gpu.snappy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.gpu.block.BlockBounds;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockGpuEncoder;
import io.warpcodec.engine.gpu.block.BlockLaunch;
import io.warpcodec.engine.gpu.block.BlockProgram;
import io.warpcodec.engine.gpu.block.DecodePlanner;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.request.GpuFormat;
import io.warpcodec.engine.gpu.request.SessionDevices;
import io.warpcodec.format.hadoopframing.HadoopFraming;
import io.warpcodec.format.snappy.SnappyFormat;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Raw Snappy blocks on devices, in Hadoop's framing and in Spark's streams. */
public enum SnappyGpuFormat implements GpuFormat {
    INSTANCE;

    /** For a mebibyte. */
    private static final double CPU_DECODE_NANOS = 2e6;

    private static final double CPU_ENCODE_NANOS = 4e6;

    private static final String ENCODE = BlockProgram.name(Format.SNAPPY, Direction.ENCODE);

    @Override
    public Format format() {
        return Format.SNAPPY;
    }

    @Override
    public List<KernelContract> contracts() {
        return List.of(SnappyKernels.CONTRACT);
    }

    @Override
    public Map<String, Program> programs() {
        Map<String, Program> programs = new LinkedHashMap<>();
        programs.put(
                decodeProgram(),
                new Program(
                        SnappyGpuFormat::decoder,
                        BlockBounds.of(
                                Direction.DECODE, SnappyKernels.MAX_INPUT_BYTES, SnappyKernels.MAX_OUTPUT_BYTES)));
        programs.put(
                ENCODE,
                new Program(
                        SnappyGpuFormat::encoder,
                        BlockBounds.of(
                                Direction.ENCODE, SnappyKernels.MAX_OUTPUT_BYTES, SnappyKernels.MAX_INPUT_BYTES)));
        return programs;
    }

    private static WaveProgram decoder(Device device) throws KernelUnavailableException, DeviceException {
        BlockGpuDecoder decoder = SnappyKernels.load(device).decoder();
        return BlockProgram.withoutHashes(Direction.DECODE, decoder::enqueueDecode, decoder::close);
    }

    private static WaveProgram encoder(Device device) throws KernelUnavailableException, DeviceException {
        BlockGpuEncoder encoder = SnappyKernels.load(device).encoder();
        BlockLaunch launch = encoder.launch(EncodeLevel.FAST);
        return BlockProgram.withoutHashes(Direction.ENCODE, launch, encoder::close);
    }

    @Override
    public double cpuNanosPerMebibyte(Direction direction, CodecOptions options) {
        return direction == Direction.DECODE ? CPU_DECODE_NANOS : CPU_ENCODE_NANOS;
    }

    @Override
    public DecodePlanner planner(CodecOptions options, int likelyBytes) {
        return options.framing() == Framing.SPARK ? SnappyPlans::blocks : SnappyPlans::outerBlock;
    }

    @Override
    public EncodeLayout layout(CodecOptions options) {
        int blockRawBytes =
                options.framing() == Framing.SPARK ? SnappyFormat.XERIAL_BLOCK_BYTES : HadoopFraming.INNER_RAW_BYTES;
        return EncodeLayout.of(ENCODE, blockRawBytes, SnappyFormat::maxBodyBytes)
                .withLengths(ByteOrder.BIG_ENDIAN);
    }

    @Override
    public DecodeSession openSession(SessionDevices devices, CodecOptions options, long offset) {
        return devices.openWithoutHelp(Format.SNAPPY, options, offset);
    }
}
