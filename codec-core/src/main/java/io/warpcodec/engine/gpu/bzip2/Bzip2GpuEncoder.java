package io.warpcodec.engine.gpu.bzip2;

import static io.warpcodec.engine.gpu.bzip2.Bzip2EncodeKernels.ENTRY_BYTES;
import static io.warpcodec.engine.gpu.bzip2.Bzip2EncodeKernels.RESULT_BYTES;

import io.warpcodec.Direction;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBounds;
import io.warpcodec.engine.gpu.block.BlockLaunch;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.bzip2.BwtGpuTransform.Texts;
import io.warpcodec.engine.gpu.bzip2.Bzip2EncodeMemory.Area;
import io.warpcodec.engine.gpu.bzip2.Bzip2EncodeMemory.CoderArea;
import io.warpcodec.engine.gpu.bzip2.Bzip2EncodeMemory.Counts;
import io.warpcodec.format.bzip2.Bzip2Format;
import java.nio.ByteBuffer;

/**
 * Encodes the chunks of a wave as a bzip2 block each, from raw bytes to bits. How many rounds the sort takes only the
 * device knows, so the wave looks after each. A chunk that is no block, because its text or its bits are too many,
 * harms no other. Thread-safe, as long as each call has a wave of its own.
 */
final class Bzip2GpuEncoder implements BlockLaunch, AutoCloseable {
    private static final int ALIGNMENT_BYTES = 16;
    /** No slot is smaller, which bounds the blocks of a wave. */
    private static final int SLOT_FIXED_BYTES = 20_000;

    /** What jobs from another process may ask for; a block's limit is the bytes of text that it may have. */
    static final BlockBounds BOUNDS = BlockBounds.of(
                    Direction.ENCODE, Bzip2EncodeKernels.MAX_RAW_BYTES, Integer.MAX_VALUE)
            .withAtLeast(1, SLOT_FIXED_BYTES)
            .with((inputAt, slotAt, textBytes) -> textBytes >= Bzip2Format.maxEncodedBlockBytes(1)
                    && textBytes <= Bzip2Format.maxEncodedBlockBytes(Bzip2Format.MAX_LEVEL));

    /** At the end of an entry. */
    private static final byte[] UNUSED = new byte[3 * Integer.BYTES];

    private static final int ROUNDS_BYTES = BwtEncodeKernels.COUNTS_BYTES * (BwtEncodeKernels.MAX_ROUNDS + 2);
    /** In the staging area alone, behind all else: whether the last kernels have been asked for. */
    private static final int MARK_BYTES = ALIGNMENT_BYTES;

    private final SortKernels sort;
    private final BwtEncodeKernels bwt;
    private final MtfEncodeKernels mtf;
    private final Bzip2EncodeKernels kernels;
    private final BwtGpuTransform transform;

    private Bzip2GpuEncoder(SortKernels sort, BwtEncodeKernels bwt, MtfEncodeKernels mtf, Bzip2EncodeKernels kernels) {
        this.sort = sort;
        this.bwt = bwt;
        this.mtf = mtf;
        this.kernels = kernels;
        this.transform = new BwtGpuTransform(bwt, sort);
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    static Bzip2GpuEncoder open(Device device) throws KernelUnavailableException, DeviceException {
        SortKernels sort = SortKernels.load(device);
        BwtEncodeKernels bwt = null;
        MtfEncodeKernels mtf = null;
        try {
            bwt = BwtEncodeKernels.load(device);
            mtf = MtfEncodeKernels.load(device);
            return new Bzip2GpuEncoder(sort, bwt, mtf, Bzip2EncodeKernels.load(device));
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            if (mtf != null) {
                mtf.close();
            }
            if (bwt != null) {
                bwt.close();
            }
            sort.close();
            throw failed;
        }
    }

    /**
     * The most bytes that a slot needs for so many raw bytes, unless their text is much longer than they are: what
     * has more bits is the CPU's.
     */
    static int mostBlockBytes(int rawBytes) {
        int bytes = Math.min(rawBytes, BwtEncodeKernels.MAX_BLOCK_BYTES);
        return bytes + bytes / 50 + SLOT_FIXED_BYTES;
    }

    @Override
    public long workspaceBytes(int blockCount) {
        return ENTRY_BYTES * (blockCount + 1L) + (long) RESULT_BYTES * blockCount + ROUNDS_BYTES + MARK_BYTES;
    }

    @Override
    public long scratchBytes(int waveBytes, int blockCount) {
        long blocks = Math.min(blockCount, waveBytes / SLOT_FIXED_BYTES + 1);
        long rawTiles = (long) waveBytes / BwtEncodeKernels.TILE_ROTATIONS + 2 * blocks;
        long tiles = (long) waveBytes / 4 * 5 / BwtEncodeKernels.TILE_ROTATIONS + 2 * blocks;
        long mostTiles = blocks * Bzip2EncodeMemory.tiles(BwtEncodeKernels.MAX_BLOCK_BYTES);
        return Bzip2EncodeMemory.bytes(new Counts(Math.min(tiles, mostTiles), rawTiles, blocks));
    }

    @Override
    public boolean mayWaitForScratch() {
        return true;
    }

    @Override
    public boolean isWhole() {
        return false;
    }

    /** The tables of a batch, alike in workspace and staging area, and its scratch. */
    private record Tables(DeviceBlocks chunks, LaunchMemory memory, int count, ByteBuffer host) {
        static Tables of(DeviceBlocks chunks, LaunchMemory memory) {
            return new Tables(chunks, memory, chunks.count(), memory.staging().view());
        }

        int resultsAt() {
            return ENTRY_BYTES * (count + 1);
        }

        int roundsAt() {
            return resultsAt() + RESULT_BYTES * count;
        }

        int markAt() {
            return roundsAt() + ROUNDS_BYTES;
        }

        int tileCount() {
            return host.getInt(ENTRY_BYTES * count + Bzip2EncodeKernels.FIRST_TILE_AT);
        }

        int rawTileCount() {
            return host.getInt(ENTRY_BYTES * count + Bzip2EncodeKernels.FIRST_RAW_TILE_AT);
        }

        DeviceBuffer entries() {
            return memory.workspace().slice(0, resultsAt());
        }

        DeviceBuffer results() {
            return memory.workspace().slice(resultsAt(), Math.multiplyExact(RESULT_BYTES, count));
        }

        Texts texts() {
            Bzip2EncodeMemory areas =
                    Bzip2EncodeMemory.cut(memory.scratch(), new Counts(tileCount(), rawTileCount(), count));
            return new Texts(areas, memory.workspace().slice(roundsAt(), ROUNDS_BYTES), tileCount(), count);
        }

        int counted(int round, int at) {
            return host.getInt(roundsAt() + BwtEncodeKernels.COUNTS_BYTES * round + at);
        }

        void downloadCounts(int round) throws DeviceException {
            int at = roundsAt() + BwtEncodeKernels.COUNTS_BYTES * round;
            memory.stream()
                    .download(
                            memory.workspace().slice(at, BwtEncodeKernels.COUNTS_BYTES),
                            memory.staging().slice(at, BwtEncodeKernels.COUNTS_BYTES));
        }
    }

    /** An entry for each chunk, and one behind them that says how many tiles all have. */
    private static void putEntries(DeviceBlocks chunks, ByteBuffer view) {
        ChunkRanges blocks = chunks.blocks();
        ChunkRanges slots = chunks.slots();
        int[] textLimits = chunks.limits();
        int tiles = 0;
        int rawTiles = 0;
        for (int block = 0; block < blocks.count(); block++) {
            int rawBytes = (int) blocks.lengthBytes(block);
            view.putLong(blocks.offsetBytes(block)).putLong(slots.offsetBytes(block));
            view.putInt(rawBytes).putInt((int) slots.lengthBytes(block));
            view.putInt(tiles).putInt(textLimits[block]).putInt(rawTiles).put(UNUSED);
            tiles += Bzip2EncodeMemory.textTiles(rawBytes, textLimits[block]);
            rawTiles += Bzip2EncodeMemory.tiles(rawBytes);
        }
        view.putLong(0).putLong(0).putInt(0).putInt(0);
        view.putInt(tiles).putInt(0).putInt(rawTiles).put(UNUSED);
    }

    @Override
    public void enqueue(DeviceBlocks chunks, LaunchMemory memory) throws DeviceException {
        Tables tables = Tables.of(chunks, memory);
        ByteBuffer view = memory.staging().view();
        putEntries(chunks, view);
        view.putInt(tables.markAt(), 0);
        memory.stream().upload(memory.staging().slice(0, tables.resultsAt()), tables.entries());
        Texts texts = tables.texts();
        kernels.shorten(texts.blockCount(), tables.rawTileCount(), arguments(tables, texts), memory.stream());
        transform.enqueueFirstSort(texts, memory.stream());
        tables.downloadCounts(1);
    }

    /** A round of the sort; when nothing is tied, the rest. */
    @Override
    public Next enqueueNext(DeviceBlocks chunks, LaunchMemory memory, int step) throws DeviceException {
        Tables tables = Tables.of(chunks, memory);
        if (tables.host.getInt(tables.markAt()) != 0) {
            return Next.DONE;
        }
        Texts texts = tables.texts();
        if (step <= BwtEncodeKernels.MAX_ROUNDS && tables.counted(step, BwtEncodeKernels.TIED_AT) > 0) {
            int windows = tables.counted(step, BwtEncodeKernels.WINDOWS_AT);
            transform.enqueueRound(texts, step, windows, tables.counted(step, 0), memory.stream());
            tables.downloadCounts(step + 1);
            return Next.MORE;
        }
        transform.enqueueColumns(texts, memory.stream());
        mtf.encode(texts.blockCount(), texts.tileCount(), mtfArguments(texts), memory.stream());
        kernels.code(texts.blockCount(), arguments(tables, texts), memory.stream());
        memory.stream().download(tables.results(), memory.staging().slice(tables.resultsAt(), (int)
                tables.results().bytes()));
        tables.host.putInt(tables.markAt(), 1);
        return Next.LAST;
    }

    private static KernelArguments arguments(Tables tables, Texts texts) {
        Bzip2EncodeMemory memory = texts.memory();
        return tables.chunks
                .arguments(Bzip2EncodeKernels.LAYOUT)
                .buffer("entries", tables.entries())
                .buffer("results", tables.results())
                .buffer("raw_tiles", memory.of(Area.RAW_TILES))
                .buffer("raw_tile_chunks", memory.of(Area.RAW_TILE_CHUNKS))
                .buffer("text", memory.of(Area.TEXT))
                .buffer("text_entries", memory.of(Area.TEXT_ENTRIES))
                .buffer("bwt_results", memory.of(Area.BWT_RESULTS))
                .buffer("mtf_results", memory.of(Area.MTF_RESULTS))
                .buffer("symbols", memory.of(CoderArea.SYMBOLS))
                .buffer("selectors", memory.of(CoderArea.SELECTORS))
                .buffer("group_bits", memory.of(CoderArea.GROUP_BITS))
                .buffer("words", memory.of(CoderArea.WORDS))
                .int32("chunk_count", texts.blockCount())
                .int32("tile_count", texts.tileCount())
                .int32("raw_tile_count", tables.rawTileCount())
                .int32("reserved", 0);
    }

    private static KernelArguments mtfArguments(Texts texts) {
        Bzip2EncodeMemory memory = texts.memory();
        return new KernelArguments(MtfEncodeKernels.LAYOUT)
                .buffer("column", memory.of(Area.COLUMN))
                .int64("column_bytes", memory.of(Area.COLUMN).bytes())
                .buffer("entries", memory.of(Area.TEXT_ENTRIES))
                .buffer("tile_blocks", memory.of(Area.TILE_BLOCKS))
                .buffer("results", memory.of(Area.MTF_RESULTS))
                .buffer("symbols", memory.of(CoderArea.SYMBOLS))
                .buffer("lasts", memory.of(CoderArea.LASTS))
                .buffer("infos", memory.of(CoderArea.INFOS))
                .int32("block_count", texts.blockCount())
                .int32("tile_count", texts.tileCount());
    }

    @Override
    public BlockResult[] results(int blockCount, PinnedBuffer staging) {
        ByteBuffer view = staging.view().position(ENTRY_BYTES * (blockCount + 1));
        BlockResult[] results = new BlockResult[blockCount];
        for (int block = 0; block < blockCount; block++) {
            int statusWord = view.getInt();
            int bits = view.getInt();
            results[block] = BlockResult.ofBits(statusWord, bits, view.getInt());
            view.getInt(); // bytes of text
        }
        return results;
    }

    @Override
    public void close() {
        kernels.close();
        mtf.close();
        bwt.close();
        sort.close();
    }
}
