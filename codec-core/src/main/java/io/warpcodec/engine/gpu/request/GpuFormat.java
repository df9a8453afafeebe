package io.warpcodec.engine.gpu.request;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.lease.JobReader;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.gpu.block.BlockProgram;
import io.warpcodec.engine.gpu.block.DecodePlanner;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import java.util.List;
import java.util.Map;

/**
 * What one format brings to devices: how its chunks are planned and laid out, and the programs that do the work.
 * {@code GpuFormats} lists all of them; a format that is not listed is the CPU's. Stateless and thread-safe.
 */
public interface GpuFormat {
    /** Loads one program. */
    @FunctionalInterface
    interface Loading {
        /**
         * Loads it on a device.
         *
         * @throws KernelUnavailableException if there are no kernels for this device
         * @throws DeviceException if the device fails
         */
        WaveProgram load(Device device) throws KernelUnavailableException, DeviceException;
    }

    /**
     * A program.
     *
     * @param loading loads it on a device
     * @param reader reads its jobs where they come from another process
     */
    record Program(Loading loading, JobReader reader) {}

    /** The format. */
    Format format();

    /** The contracts of the kernel modules that its programs load, but for those of the checksums. */
    List<KernelContract> contracts();

    /** Its programs by their names, in the order in which they are loaded. No two formats use one name. */
    Map<String, Program> programs();

    /**
     * Reads chunks as the format's scanner cuts them under these options; null if all of them are the CPU's.
     *
     * @param likelyBytes likely length, when decoded, of a chunk whose container does not tell it; 0: no guess
     */
    DecodePlanner planner(CodecOptions options, int likelyBytes);

    /** The program that decodes what the planner plans. */
    default String decodeProgram() {
        return BlockProgram.name(format(), Direction.DECODE);
    }

    /** How chunks are encoded under these options; null if the CPU has to encode them. */
    EncodeLayout layout(CodecOptions options);

    /**
     * Most raw bytes of a request of several chunks while there is memory for all; no more than a wave has in any case.
     */
    default int mostRequestBytes(Direction direction) {
        return GpuRequest.MOST_RAW_BYTES;
    }

    /**
     * What a core takes for a mebibyte of raw bytes, in nanoseconds, until that is seen. On a core of a server of
     * 2022, rounded. Waits for devices are bounded by it.
     *
     * @param options give the level of what is encoded
     */
    double cpuNanosPerMebibyte(Direction direction, CodecOptions options);

    /**
     * Whether a core takes so much that nothing has to be tried on it before a device is.
     *
     * @param options give the level of what is encoded
     */
    default boolean isDearForCpu(Direction direction, CodecOptions options) {
        return false;
    }

    /**
     * Bytes of a raw chunk that take a core what a byte of text takes; the others it encodes in next to no time.
     *
     * @param options give the level
     */
    default int dearBytes(Chunk chunk, CodecOptions options) {
        return chunk.bytes();
    }

    /**
     * How many decode batches a reader does well to keep in flight, the one it reads included.
     *
     * @param crowded whether more than half of the pool's page-locked memory is lent
     */
    default int batchesInFlight(boolean crowded) {
        return 2;
    }

    /**
     * A session of the CPU's engine, which devices help where this format can be decoded from its middle.
     *
     * @param offset of the unit in its stream
     */
    DecodeSession openSession(SessionDevices devices, CodecOptions options, long offset);
}
