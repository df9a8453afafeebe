package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.Direction;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockBounds;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.LaunchMemory;

/**
 * Decodes a batch of raw DEFLATE bodies, as inside gzip members, that lie in device memory. Allocates nothing: the
 * caller lends a workspace on the device, a staging area of the same size in pinned memory, and scratch.
 *
 * <p>A body with a defect harms no other. Thread-safe, as long as each call has its own stream, workspace, staging
 * area and scratch.
 */
public final class DeflateGpuDecoder implements AutoCloseable {
    // A warp, a pair or a team of them takes one body after the other, and needs space for the tokens of a round,
    // whatever the body's length. So scratch says how many there are: as many as bodies are best, one cta's are enough.

    /** How a body is decoded; the results are the same. */
    public enum Strategy {
        /** By one warp: for batches that fill a device with a warp for each body. */
        WARP(BlockGpuDecoder.CTA_THREADS, BlockGpuDecoder.CTA_THREADS / 32),
        /** By two, of which one reads and the other produces: for smaller ones. */
        PAIR(BlockGpuDecoder.CTA_THREADS, 1),
        /** By a cta of several, which do both together: for batches so small that each body has a cta. */
        TEAM(DeflateDecodeKernels.TEAM_THREADS, 1);

        /** Bodies that fill an H200 with a warp each, about. */
        private static final int ENOUGH_BODIES = 2048;
        /** Teams that an H200 holds. Of 512 bodies a quarter would begin when others end: pairs are faster. */
        private static final int MOST_TEAMS = 396;

        private final int ctaThreads;
        private final int ctaBodies;

        Strategy(int ctaThreads, int ctaBodies) {
            this.ctaThreads = ctaThreads;
            this.ctaBodies = ctaBodies;
        }

        /** The best one for so many bodies at a time. */
        public static Strategy of(int bodyCount) {
            if (bodyCount <= MOST_TEAMS) {
                return TEAM;
            }
            return bodyCount < ENOUGH_BODIES ? PAIR : WARP;
        }
    }

    /** What jobs from another process may ask for. */
    static final BlockBounds BOUNDS = BlockBounds.of(
                    Direction.DECODE, DeflateDecodeKernels.MAX_INPUT_BYTES, DeflateDecodeKernels.MAX_OUTPUT_BYTES)
            .withHashes();

    private static final int CTA_SCRATCH_BYTES = DeflateDecodeKernels.TEAM_TOKEN_BYTES;
    private static final int SCRATCH_ALIGNMENT_BYTES = 16;

    private final DeflateDecodeKernels kernels;

    private DeflateGpuDecoder(DeflateDecodeKernels kernels) {
        this.kernels = kernels;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static DeflateGpuDecoder open(Device device) throws KernelUnavailableException, DeviceException {
        return new DeflateGpuDecoder(DeflateDecodeKernels.load(device));
    }

    /** Bytes of workspace, and of staging area, for a batch of that many bodies: 32 per body. */
    public static long workspaceBytes(int bodyCount) {
        return BlockBatch.workspaceBytes(bodyCount);
    }

    /**
     * Bytes of scratch for a batch: 256 KiB for each body, or for two, that are decoded at the same time.
     *
     * @param mostBytes what it may be at most, though 256 KiB are needed
     */
    public static long scratchBytes(int bodyCount, long mostBytes) {
        return Math.max(1, Math.min(bodyCount, mostBytes / CTA_SCRATCH_BYTES)) * CTA_SCRATCH_BYTES;
    }

    /**
     * Asks the stream to decode; {@link #results} reads what came of it once the stream has come that far.
     *
     * @param strategy how
     * @param bodies from the first block to the byte in which the last one ends; none longer than 1 MiB + 1/8 + 1 KiB,
     *     with slots of 1 MiB at most. Where the input ends, up to 7 bytes behind may be read
     * @param memory workspace, aligned to 8 bytes, and staging area of {@link #workspaceBytes} at least, scratch of
     *     {@link #scratchBytes} with nothing allowed, better more, aligned to 16 bytes
     * @throws IllegalArgumentException if a range does not lie in its buffer or is too long, the counts differ, or an
     *     alignment is wrong; nothing is launched then
     * @throws IndexOutOfBoundsException if workspace, staging or scratch is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueDecode(Strategy strategy, DeviceBlocks bodies, LaunchMemory memory) throws DeviceException {
        DeviceBuffer scratch = memory.scratch();
        scratch.requireAligned(SCRATCH_ALIGNMENT_BYTES);
        int mostCtas = (bodies.count() + strategy.ctaBodies - 1) / strategy.ctaBodies;
        long scratchBytes = scratchBytes(mostCtas, scratch.bytes());
        DeviceBuffer tokens = scratch.slice(0, scratchBytes);
        BlockBatch.Launch launch = new BlockBatch.Launch(
                kernels.decodeBodies(strategy),
                DeflateDecodeKernels.LAYOUT,
                Math.toIntExact(scratchBytes / CTA_SCRATCH_BYTES),
                strategy.ctaThreads,
                DeflateDecodeKernels.MAX_INPUT_BYTES,
                DeflateDecodeKernels.MAX_OUTPUT_BYTES,
                arguments -> arguments.buffer("tokens", tokens));
        BlockBatch.enqueue(launch, bodies, memory);
    }

    /**
     * The results of a batch whose stream has been synchronised.
     *
     * @param bodyCount number of bodies of that batch
     * @param staging the staging area that was lent to it
     */
    public BlockResult[] results(int bodyCount, PinnedBuffer staging) {
        return BlockBatch.results(bodyCount, staging);
    }

    @Override
    public void close() {
        kernels.close();
    }
}
