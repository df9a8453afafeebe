package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.pool.Wave;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.checksum.ChecksumGpuDigester;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Decodes segments of single DEFLATE streams, {@link SegmentJob}s: looks for blocks, has them read, follows them
 * ({@link SegmentChain}), and has the bytes of those that are true produced and summed up. {@code deflate_stream.cu}.
 */
final class SegmentProgram implements WaveProgram {
    // Workspace and staging alike: for each job, by the number of its units, what is cut by Tables; behind all of
    // them the tables of the checksums. Scratch: for each job codes, parts and the search's lists; then sources, at
    // four times the size of the output that they are for. A job asks for all output of a wave, so that it is alone
    // in its wave.

    private static final int ALIGNMENT_BYTES = 16;
    private static final int WORKSPACE_UNIT_BYTES = 128;
    private static final int SCRATCH_UNIT_BYTES = 2560;
    private static final int PIECE_PARTS = 32;
    private static final int DEFECT_BYTES = ALIGNMENT_BYTES;

    private final DeflateStreamKernels kernels;
    private final DeflateGpuFinder finder;
    private final ChecksumGpuDigester digester;

    /** A job's part of workspace and staging. */
    private record Tables(DeviceBuffer device, PinnedBuffer host, int listLimit, int[] at) {
        private static final int FOUND = 0;
        private static final int BLOCKS = 1;
        private static final int RUNS = 2;
        private static final int BLOCK_NOTES = 3;
        private static final int PIECE_NOTES = 4;
        private static final int DEFECT = 5;

        static Tables cut(Wave wave, int unitsBefore, int units) {
            int limit = SegmentJob.blockLimit(units) - 1;
            long[] sizes = {
                DeflateGpuFinder.workspaceBytes(limit),
                (long) SegmentChain.BLOCK_BYTES * SegmentJob.blockLimit(units),
                (long) SegmentChain.RUN_BYTES * SegmentJob.runLimit(units),
                (long) SegmentChain.NOTE_BYTES * SegmentJob.blockLimit(units),
                (long) SegmentChain.NOTE_BYTES * SegmentJob.pieceLimit(units),
                DEFECT_BYTES
            };
            int[] at = new int[sizes.length + 1];
            for (int i = 0; i < sizes.length; i++) {
                at[i + 1] = Math.toIntExact(aligned(at[i] + sizes[i]));
            }
            int from = WORKSPACE_UNIT_BYTES * unitsBefore;
            int bytes = WORKSPACE_UNIT_BYTES * units;
            return new Tables(
                    wave.workspace().slice(from, bytes), wave.staging().slice(from, bytes), limit, at);
        }

        DeviceBuffer device(int table) {
            return device.slice(at[table], at[table + 1] - at[table]);
        }

        PinnedBuffer host(int table) {
            return host.slice(at[table], at[table + 1] - at[table]);
        }

        ByteBuffer view(int table) {
            return host(table).view().order(ByteOrder.LITTLE_ENDIAN);
        }

        void upload(int table, int from, int limit, DeviceStream stream) throws DeviceException {
            if (limit > from) {
                stream.upload(
                        host(table).slice(from, limit - from), device(table).slice(from, limit - from));
            }
        }

        void download(int table, int from, int limit, DeviceStream stream) throws DeviceException {
            if (limit > from) {
                stream.download(
                        device(table).slice(from, limit - from), host(table).slice(from, limit - from));
            }
        }
    }

    /** A job's part of scratch, in front of the sources. */
    private record Scratch(DeviceBuffer codes, DeviceBuffer parts, DeviceBuffer search) {
        static Scratch cut(Wave wave, int unitsBefore, int units) {
            long codeBytes = (long) DeflateStreamKernels.TABLE_BYTES * SegmentJob.blockLimit(units);
            long partBytes = (long) DeflateStreamKernels.PART_BYTES * PIECE_PARTS * SegmentJob.pieceLimit(units);
            long bytes = (long) SCRATCH_UNIT_BYTES * units;
            DeviceBuffer own = wave.scratch().slice((long) SCRATCH_UNIT_BYTES * unitsBefore, bytes);
            return new Scratch(
                    own.slice(0, codeBytes),
                    own.slice(codeBytes, partBytes),
                    own.slice(codeBytes + partBytes, bytes - codeBytes - partBytes));
        }
    }

    private SegmentProgram(DeflateStreamKernels kernels, DeflateGpuFinder finder, ChecksumGpuDigester digester) {
        this.kernels = kernels;
        this.finder = finder;
        this.digester = digester;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    static SegmentProgram open(Device device) throws KernelUnavailableException, DeviceException {
        DeflateStreamKernels kernels = DeflateStreamKernels.load(device);
        try {
            return new SegmentProgram(kernels, new DeflateGpuFinder(kernels), ChecksumGpuDigester.open(device));
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            kernels.close();
            throw failed;
        }
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    @Override
    public long workspaceBytes(int entryCount) {
        return (long) WORKSPACE_UNIT_BYTES * entryCount
                + ChecksumGpuDigester.workspaceBytes(entryCount / SegmentJob.units(0) + 1);
    }

    @Override
    public long scratchBytes(int waveBytes, int entryCount) {
        int mostUnits = Math.min(entryCount, SegmentJob.units(SegmentJob.mostInputBytes(waveBytes)));
        return (long) SCRATCH_UNIT_BYTES * mostUnits + (long) Integer.BYTES * waveBytes;
    }

    /**
     * A stream's next segment begins where this one ends, so that a stream by itself gets no more out of a device
     * than one segment at a time.
     */
    @Override
    public boolean takesLongLeases() {
        return true;
    }

    @Override
    public boolean advance(Wave wave, int step) throws DeviceException {
        if (step == 0) {
            forEach(wave, (share, job, tables, scratch) -> find(wave, share, job, tables, scratch));
            return true;
        }
        if (((SegmentJob) wave.shares().get(0).job()).isBeingWritten()) {
            finish(wave);
            return false;
        }
        boolean[] reads = new boolean[1];
        forEach(wave, (share, job, tables, scratch) -> reads[0] |= read(wave, share, job, tables, scratch));
        if (!reads[0]) {
            forEach(wave, (share, job, tables, scratch) -> write(wave, share, job, tables, scratch));
            sum(wave);
        }
        return true;
    }

    private interface Step {
        void take(Wave.Share share, SegmentJob job, Tables tables, Scratch scratch) throws DeviceException;
    }

    private static void forEach(Wave wave, Step step) throws DeviceException {
        int units = 0;
        for (Wave.Share share : wave.shares()) {
            SegmentJob job = (SegmentJob) share.job();
            step.take(
                    share, job, Tables.cut(wave, units, job.entryCount()), Scratch.cut(wave, units, job.entryCount()));
            units += job.entryCount();
        }
    }

    private static DeviceBuffer input(Wave wave, Wave.Share share, SegmentJob job) {
        return wave.input().slice(share.inputOffset(), job.inputBytes());
    }

    private void find(Wave wave, Wave.Share share, SegmentJob job, Tables tables, Scratch scratch)
            throws DeviceException {
        job.restart();
        finder.enqueueFind(
                input(wave, share, job),
                job.searchBit(),
                job.inputBytes() * Byte.SIZE,
                tables.listLimit(),
                new LaunchMemory(
                        tables.device(Tables.FOUND), tables.host(Tables.FOUND), scratch.search(), wave.stream()));
    }

    /** Has the blocks read that were not, or goes on with stored ones in the next step; whether there are any. */
    private boolean read(Wave wave, Wave.Share share, SegmentJob job, Tables tables, Scratch scratch)
            throws DeviceException {
        SegmentChain chain = job.chain();
        if (chain == null) {
            chain = job.begin(tables.view(Tables.BLOCKS), tables.view(Tables.RUNS));
            chain.list(finder.found(tables.host(Tables.FOUND)).positions());
        }
        if (chain.blockCount() == job.blocksRead()
                && !chain.follow(tables.view(Tables.BLOCK_NOTES), tables.view(Tables.PIECE_NOTES))) {
            return false;
        }
        int firstBlock = job.blocksRead();
        int firstPiece = job.piecesRead();
        int blockCount = chain.blockCount();
        int pieceCount = chain.pieceCount();
        if (blockCount == firstBlock) {
            return true;
        }
        tables.upload(
                Tables.BLOCKS,
                SegmentChain.BLOCK_BYTES * firstBlock,
                SegmentChain.BLOCK_BYTES * blockCount,
                wave.stream());
        KernelArguments arguments = segment(DeflateStreamKernels.READING_LAYOUT, wave, share, job, tables, scratch)
                .int32("first_block", firstBlock)
                .int32("first_piece", firstPiece);
        kernels.readSegment(arguments, blockCount - firstBlock, pieceCount - firstPiece, wave.stream());
        int note = SegmentChain.NOTE_BYTES;
        tables.download(Tables.BLOCK_NOTES, note * firstBlock, note * blockCount, wave.stream());
        tables.download(Tables.PIECE_NOTES, note * firstPiece, note * pieceCount, wave.stream());
        job.setRead();
        return true;
    }

    /** A struct that begins with a segment, of which the job knows all blocks that are listed. */
    private static KernelArguments segment(
            ArgumentLayout layout, Wave wave, Wave.Share share, SegmentJob job, Tables tables, Scratch scratch) {
        return new KernelArguments(layout)
                .buffer("input", input(wave, share, job))
                .int32("input_bytes", job.inputBytes())
                .int32("block_count", job.chain().blockCount())
                .int32("piece_count", job.chain().pieceCount())
                .buffer("blocks", tables.device(Tables.BLOCKS))
                .buffer("tables", scratch.codes())
                .buffer("block_notes", tables.device(Tables.BLOCK_NOTES))
                .buffer("piece_notes", tables.device(Tables.PIECE_NOTES))
                .buffer("parts", scratch.parts());
    }

    private void write(Wave wave, Wave.Share share, SegmentJob job, Tables tables, Scratch scratch)
            throws DeviceException {
        job.setBeingWritten();
        SegmentChain chain = job.chain();
        DeviceStream stream = wave.stream();
        tables.view(Tables.DEFECT).putInt(0);
        tables.upload(Tables.DEFECT, 0, DEFECT_BYTES, stream);
        int rawBytes = chain.outputAt() - SegmentChain.HISTORY_BYTES;
        if (rawBytes == 0) {
            return;
        }
        tables.upload(Tables.RUNS, 0, SegmentChain.RUN_BYTES * chain.runCount(), stream);
        long sourcesAt = (long) SCRATCH_UNIT_BYTES * wave.entryCount() + Integer.BYTES * share.outputOffset();
        DeviceBuffer sources = wave.scratch().slice(sourcesAt, (long) Integer.BYTES * chain.outputAt());
        DeviceBuffer output = wave.output().slice(share.outputOffset(), chain.outputAt());
        KernelArguments arguments = segment(DeflateStreamKernels.WRITING_LAYOUT, wave, share, job, tables, scratch)
                .buffer("runs", tables.device(Tables.RUNS))
                .buffer("sources", sources)
                .int32("place_count", chain.outputAt())
                .int32("first_place", SegmentChain.HISTORY_BYTES - job.windowBytes())
                .buffer("defect", tables.device(Tables.DEFECT))
                .buffer("bytes", output)
                .int32("run_count", chain.runCount());
        kernels.writeSegment(arguments, chain.runCount(), rawBytes, stream);
        tables.download(Tables.DEFECT, 0, DEFECT_BYTES, stream);
        wave.download(share, chain.outputAt());
    }

    // ---- checksums, of all jobs at once

    private DeviceBuffer sumTable(Wave wave, int count) {
        return wave.workspace()
                .slice((long) WORKSPACE_UNIT_BYTES * wave.entryCount(), ChecksumGpuDigester.workspaceBytes(count));
    }

    private PinnedBuffer sumStaging(Wave wave, int count) {
        return wave.staging()
                .slice(
                        WORKSPACE_UNIT_BYTES * wave.entryCount(),
                        Math.toIntExact(ChecksumGpuDigester.workspaceBytes(count)));
    }

    private void sum(Wave wave) throws DeviceException {
        List<Wave.Share> shares = wave.shares();
        long[] at = new long[shares.size()];
        long[] bytes = new long[at.length];
        for (int i = 0; i < at.length; i++) {
            at[i] = shares.get(i).outputOffset() + SegmentChain.HISTORY_BYTES;
            bytes[i] = (long) ((SegmentJob) shares.get(i).job()).chain().outputAt() - SegmentChain.HISTORY_BYTES;
        }
        digester.enqueueCrc32(
                wave.output(),
                new ChunkRanges(at, bytes),
                sumTable(wave, at.length),
                sumStaging(wave, at.length),
                wave.stream());
    }

    private void finish(Wave wave) throws DeviceException {
        int count = wave.shares().size();
        int[] sums = digester.crc32Values(count, sumStaging(wave, count));
        int[] done = new int[1];
        forEach(wave, (share, job, tables, scratch) -> {
            boolean sound = tables.view(Tables.DEFECT).getInt(0) == 0;
            job.setResult(sound, sums[done[0]++]);
        });
    }

    @Override
    public void close() {
        digester.close();
        finder.close();
    }
}
