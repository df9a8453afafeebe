package io.warpcodec.engine.gpu.block;

import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.pool.Wave;
import io.warpcodec.device.pool.WaveProgram;
import java.util.Arrays;
import java.util.Locale;

/**
 * Decodes or encodes the blocks of all {@link BlockJob}s of a wave in one launch, hashes raw bytes where wanted, and
 * brings every task its output.
 */
public final class BlockProgram implements WaveProgram {
    // Workspace and staging: the tables of the blocks, then those of the contents.

    private final Direction direction;
    private final BlockLaunch launch;
    private final Runnable unload;
    private final RawHashing hashing;

    private BlockProgram(Direction direction, BlockLaunch launch, Runnable unload, RawHashing hashing) {
        this.direction = direction;
        this.launch = launch;
        this.unload = unload;
        this.hashing = hashing;
    }

    /** The name of the program that does this work. */
    public static String name(Format format, Direction direction) {
        return direction.word() + "." + format.word();
    }

    /** The name of the program that encodes at a level. */
    public static String name(Format format, EncodeLevel level) {
        return name(format, Direction.ENCODE) + "." + level.name().toLowerCase(Locale.ROOT);
    }

    /**
     * A program whose jobs may ask for hashes.
     *
     * @param unload of the kernels that are launched; called when the program is closed, or if the hash does not load
     * @param hash of raw bytes
     * @throws KernelUnavailableException if there are no kernels of the hash for this device
     * @throws DeviceException if the device fails
     */
    public static BlockProgram of(
            Direction direction, BlockLaunch launch, Runnable unload, Device device, RawHashing.Loading hash)
            throws KernelUnavailableException, DeviceException {
        try {
            return new BlockProgram(direction, launch, unload, hash.load(device));
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            unload.run();
            throw failed;
        }
    }

    /**
     * A program whose jobs must not ask for hashes.
     *
     * @param unload of the kernels that are launched; called when the program is closed
     */
    public static BlockProgram withoutHashes(Direction direction, BlockLaunch launch, Runnable unload) {
        return new BlockProgram(direction, launch, unload, null);
    }

    @Override
    public long workspaceBytes(int entryCount) {
        return launch.workspaceBytes(entryCount) + (hashing == null ? 0 : hashing.workspaceBytes(entryCount));
    }

    @Override
    public long scratchBytes(int waveBytes, int entryCount) {
        return launch.scratchBytes(waveBytes, entryCount);
    }

    @Override
    public boolean mayWaitForScratch() {
        return launch.mayWaitForScratch();
    }

    @Override
    public boolean takesLongLeases() {
        return launch.takesLongLeases();
    }

    @Override
    public boolean advance(Wave wave, int step) throws DeviceException {
        LaunchMemory memory = LaunchMemory.of(wave);
        BlockLaunch.Next next;
        if (step == 0) {
            launch.enqueue(blocks(wave), memory);
            hash(wave);
            next = launch.isWhole() ? BlockLaunch.Next.LAST : BlockLaunch.Next.MORE;
        } else {
            next = launch.isWhole() ? BlockLaunch.Next.DONE : launch.enqueueNext(blocks(wave), memory, step);
        }
        if (next == BlockLaunch.Next.LAST) {
            download(wave);
        }
        if (next != BlockLaunch.Next.DONE) {
            return true;
        }
        BlockResult[] results = launch.results(wave.entryCount(), wave.staging());
        int first = 0;
        for (Wave.Share share : wave.shares()) {
            int limit = first + job(share).entryCount();
            job(share).setResults(Arrays.copyOfRange(results, first, limit));
            first = limit;
        }
        shareHashes(wave);
        return false;
    }

    /** The only jobs that leases of this program have. */
    private static BlockJob job(Wave.Share share) {
        return (BlockJob) share.job();
    }

    private static void download(Wave wave) throws DeviceException {
        for (Wave.Share share : wave.shares()) {
            int bytes = job(share).outputLimit();
            if (bytes > 0) {
                wave.download(share, bytes);
            }
        }
    }

    private static DeviceBlocks blocks(Wave wave) {
        int count = wave.entryCount();
        long[] blockAt = new long[count];
        long[] blockBytes = new long[count];
        long[] slotAt = new long[count];
        long[] slotBytes = new long[count];
        int[] limits = new int[count];
        int at = 0;
        for (Wave.Share share : wave.shares()) {
            BlockJob job = job(share);
            for (int block = 0; block < job.entryCount(); block++, at++) {
                blockAt[at] = share.inputOffset() + job.inputAt(block);
                blockBytes[at] = job.inputBytes(block);
                slotAt[at] = share.outputOffset() + job.outputAt(block);
                slotBytes[at] = job.outputBytes(block);
                limits[at] = job.limit(block);
            }
        }
        ChunkRanges blocks = new ChunkRanges(blockAt, blockBytes);
        ChunkRanges slots = new ChunkRanges(slotAt, slotBytes);
        return new DeviceBlocks(wave.input(), blocks, wave.output(), slots, limits);
    }

    private static int contentCount(Wave wave) {
        return wave.shares().stream()
                .mapToInt(share -> job(share).contentCount())
                .sum();
    }

    private PinnedBuffer hashStaging(Wave wave, int count) {
        int at = Math.toIntExact(launch.workspaceBytes(wave.entryCount()));
        return wave.staging().slice(at, Math.toIntExact(hashing.workspaceBytes(count)));
    }

    private void hash(Wave wave) throws DeviceException {
        int count = contentCount(wave);
        if (count == 0) {
            return;
        }
        long[] contentAt = new long[count];
        long[] contentBytes = new long[count];
        int[] seeds = new int[count];
        boolean rawIsOutput = direction == Direction.DECODE;
        int at = 0;
        for (Wave.Share share : wave.shares()) {
            BlockJob job = job(share);
            long rawAt = rawIsOutput ? share.outputOffset() : share.inputOffset();
            for (int content = 0; content < job.contentCount(); content++, at++) {
                contentAt[at] = rawAt + job.contentAt(content);
                contentBytes[at] = job.contentBytes(content);
                seeds[at] = job.contentSeed(content);
            }
        }
        hashing.enqueue(
                rawIsOutput ? wave.output() : wave.input(),
                new ChunkRanges(contentAt, contentBytes),
                seeds,
                wave.workspace().slice(launch.workspaceBytes(wave.entryCount()), hashing.workspaceBytes(count)),
                hashStaging(wave, count),
                wave.stream());
    }

    private void shareHashes(Wave wave) {
        int count = contentCount(wave);
        if (count == 0) {
            return;
        }
        int[] hashes = hashing.values(count, hashStaging(wave, count));
        int first = 0;
        for (Wave.Share share : wave.shares()) {
            BlockJob job = job(share);
            int limit = first + job.contentCount();
            job.setContentHashes(Arrays.copyOfRange(hashes, first, limit));
            first = limit;
        }
    }

    @Override
    public void close() {
        if (hashing != null) {
            hashing.close();
        }
        unload.run();
    }
}
