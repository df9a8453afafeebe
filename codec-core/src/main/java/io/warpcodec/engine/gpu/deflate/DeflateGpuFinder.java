package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import java.nio.ByteBuffer;

/**
 * Finds where dynamic blocks may begin in a DEFLATE stream that lies in device memory: every bit position at which
 * the header of one stands whole and sound. Allocates nothing: the caller lends a workspace on the device, a staging
 * area of the same size in pinned memory, and scratch.
 *
 * <p>All true dynamic blocks are found; what is found need not be one, since stored bytes may hold another stream.
 * Stored and fixed blocks are not looked for. Thread-safe, as long as each call has its own stream, workspace,
 * staging area and scratch.
 */
public final class DeflateGpuFinder implements AutoCloseable {
    /** Bytes of the longest input. */
    public static final int MAX_INPUT_BYTES = DeflateStreamKernels.MAX_FIND_BYTES;

    /** A tile begins where the word of the first position does. */
    private static final int WORD_BITS = 32;

    /**
     * What was found.
     *
     * @param positions in bits from the first byte of the input, in order
     * @param foundCount more than there are positions if some did not fit: into the list, or 32 into 2 KiB of input
     */
    public record Found(int[] positions, int foundCount) {}

    private final DeflateStreamKernels kernels;

    /** Takes the kernels over. */
    DeflateGpuFinder(DeflateStreamKernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static DeflateGpuFinder open(Device device) throws KernelUnavailableException, DeviceException {
        return new DeflateGpuFinder(DeflateStreamKernels.load(device));
    }

    /** Bytes of workspace, and of staging area, for a list of that many positions: 8, and 4 for each. */
    public static long workspaceBytes(int listLimit) {
        return DeflateStreamKernels.FIND_RESULT_BYTES + (long) listLimit * Integer.BYTES;
    }

    /** Bytes of scratch for that many bit positions: one for 15 bytes of input. */
    public static long scratchBytes(int positionCount) {
        return (long) tileCount(positionCount) * Integer.BYTES * (1 + DeflateStreamKernels.FIND_TILE_SLOTS);
    }

    private static int tileCount(int positionCount) {
        return Math.toIntExact(((long) positionCount + WORD_BITS - 1 + DeflateStreamKernels.FIND_TILE_BITS - 1)
                / DeflateStreamKernels.FIND_TILE_BITS);
    }

    /**
     * Asks the stream to search; {@link #found} reads what came of it once the stream has come that far.
     *
     * @param input device memory to search, all of which belongs to the stream, at most {@link #MAX_INPUT_BYTES}; of
     *     aligned 8 bytes that hold a byte of it, any byte may be read
     * @param beginBit first position, in bits from the input's first byte
     * @param limitBit behind the last position; what begins before it may end behind it
     * @param listLimit how many positions are listed at most
     * @param memory workspace, aligned to 4 bytes, and staging area of {@link #workspaceBytes} at least, scratch of
     *     {@link #scratchBytes}, aligned to 4 bytes
     * @throws IllegalArgumentException if the positions do not lie in the input, it is empty or too long, or an
     *     alignment is wrong; nothing is launched then
     * @throws IndexOutOfBoundsException if workspace, staging or scratch is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueFind(DeviceBuffer input, int beginBit, int limitBit, int listLimit, LaunchMemory memory)
            throws DeviceException {
        long inputBytes = input.bytes();
        boolean sound = inputBytes > 0
                && inputBytes <= MAX_INPUT_BYTES
                && beginBit >= 0
                && beginBit < limitBit
                && limitBit <= inputBytes * Byte.SIZE
                && listLimit >= 0;
        if (!sound) {
            throw new IllegalArgumentException("bits " + beginBit + " to " + limitBit + " of an input of " + inputBytes
                    + " bytes, list of " + listLimit);
        }
        DeviceBuffer scratch = memory.scratch();
        memory.workspace().requireAligned(Integer.BYTES);
        scratch.requireAligned(Integer.BYTES);
        int tileCount = tileCount(limitBit - beginBit);
        long answerBytes = workspaceBytes(listLimit);
        PinnedBuffer answer = memory.staging().slice(0, Math.toIntExact(answerBytes));
        DeviceBuffer found = memory.workspace().slice(0, answerBytes);
        DeviceBuffer result = found.slice(0, DeflateStreamKernels.FIND_RESULT_BYTES);
        DeviceBuffer list = found.slice(
                DeflateStreamKernels.FIND_RESULT_BYTES, answerBytes - DeflateStreamKernels.FIND_RESULT_BYTES);
        long countBytes = (long) tileCount * Integer.BYTES;
        DeviceBuffer tileCounts = scratch.slice(0, countBytes);
        DeviceBuffer tileSlots = scratch.slice(countBytes, countBytes * DeflateStreamKernels.FIND_TILE_SLOTS);
        KernelArguments arguments = new KernelArguments(DeflateStreamKernels.SEARCH_LAYOUT)
                .buffer("input", input)
                .int32("input_bytes", (int) inputBytes)
                .int32("begin", beginBit)
                .int32("limit", limitBit)
                .int32("list_limit", listLimit)
                .buffer("list", list)
                .buffer("result", result)
                .buffer("tile_counts", tileCounts)
                .buffer("tile_slots", tileSlots)
                .int32("tile_count", tileCount);
        kernels.find(arguments, tileCount, memory.stream());
        memory.stream().download(found, answer);
    }

    /**
     * What the search found, whose stream has been synchronised.
     *
     * @param staging the staging area that was lent to it
     */
    public Found found(PinnedBuffer staging) {
        ByteBuffer view = staging.view();
        int foundCount = view.getInt();
        int[] positions = new int[view.getInt()];
        view.asIntBuffer().get(positions);
        return new Found(positions, foundCount);
    }

    @Override
    public void close() {
        kernels.close();
    }
}
