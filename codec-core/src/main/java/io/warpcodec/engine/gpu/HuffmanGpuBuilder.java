package io.warpcodec.engine.gpu;

import static io.warpcodec.engine.gpu.HuffmanBuildKernels.*;

import io.warpcodec.device.Device;
import io.warpcodec.device.DeviceBuffer;
import io.warpcodec.device.DeviceException;
import io.warpcodec.device.DeviceStream;
import io.warpcodec.device.KernelArguments;
import io.warpcodec.device.KernelUnavailableException;

/**
 * Builds optimal prefix codes of limited length from weights in device memory. Same weights, same codes. Allocates nothing. Thread-safe, as
 * long as each call has its own stream and buffers.
 */
public final class HuffmanGpuBuilder implements AutoCloseable {
    private final HuffmanBuildKernels kernels;

    private HuffmanGpuBuilder(HuffmanBuildKernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static HuffmanGpuBuilder open(Device device) throws KernelUnavailableException, DeviceException {
        return new HuffmanGpuBuilder(HuffmanBuildKernels.load(device));
    }

    /**
     * Asks the stream to build codes. Lengths are complete, with two codes at least; all 0 where the limit does not suffice. Codes are
     * canonical, first bit lowest, with their length from bit 16 on.
     *
     * @param weights a word for each symbol of each code, code by code, whose sum over a code is below 2^27; aligned to 4 bytes
     * @param symbolCount symbols of each code, 2 to 288
     * @param limitBits longest code, 1 to 15 bits
     * @param lengths receives a byte for each weight
     * @param codes receives a word for each weight; aligned to 4 bytes
     * @param codeCount how many codes
     * @param stream where the work queues
     * @throws IllegalArgumentException if a number is out of range, a buffer is too small or an alignment is wrong; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueBuild(
            DeviceBuffer weights,
            int symbolCount,
            int limitBits,
            DeviceBuffer lengths,
            DeviceBuffer codes,
            int codeCount,
            DeviceStream stream)
            throws DeviceException {
        if (symbolCount < 2 || symbolCount > MAX_SYMBOLS || limitBits < 1 || limitBits > MAX_LIMIT || codeCount < 0) {
            throw new IllegalArgumentException(
                    codeCount + " codes of " + symbolCount + " symbols, " + limitBits + " bits");
        }
        long count = (long) symbolCount * codeCount;
        if (weights.bytes() < Integer.BYTES * count
                || codes.bytes() < Integer.BYTES * count
                || lengths.bytes() < count) {
            throw new IllegalArgumentException("a buffer is too small for " + count + " symbols");
        }
        weights.requireAligned(Integer.BYTES);
        codes.requireAligned(Integer.BYTES);
        if (codeCount == 0) {
            return;
        }
        KernelArguments arguments = new KernelArguments()
                .buffer(weights)
                .int32(symbolCount)
                .int32(limitBits)
                .buffer(lengths)
                .buffer(codes)
                .int32(codeCount);
        kernels.buildCodes().launch(codeCount, CTA_THREADS, arguments, stream);
    }

    @Override
    public void close() {
        kernels.close();
    }
}
