package io.warpcodec.engine.gpu.bzip2;

import static io.warpcodec.engine.gpu.bzip2.BwtEncodeKernels.KEY_BITS;
import static io.warpcodec.engine.gpu.bzip2.BwtEncodeKernels.MAX_ROUNDS;
import static io.warpcodec.engine.gpu.bzip2.BwtEncodeKernels.POSITION_BITS;
import static io.warpcodec.engine.gpu.bzip2.BwtEncodeKernels.SEGMENTS_PER_TILE;

import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.engine.gpu.bzip2.BwtEncodeKernels.Stage;
import io.warpcodec.engine.gpu.bzip2.Bzip2EncodeMemory.Area;
import io.warpcodec.engine.gpu.bzip2.SortKernels.Digit;

/**
 * In which order the kernels of the forward transform run: a first sort by keys of 44 bits, then rounds, each of
 * which sorts what is still tied by the ranks of what follows, until nothing is. Thread-safe.
 */
final class BwtGpuTransform {
    private final BwtEncodeKernels kernels;
    private final SortKernels sort;

    /** Texts in scratch, as the kernels before have left them. */
    record Texts(Bzip2EncodeMemory memory, DeviceBuffer rounds, int tileCount, int blockCount) {
        int segmentCapacity() {
            return Math.max(SEGMENTS_PER_TILE * tileCount, blockCount);
        }

        int tileCapacity() {
            return (SEGMENTS_PER_TILE + 1) * tileCount;
        }
    }

    BwtGpuTransform(BwtEncodeKernels kernels, SortKernels sort) {
        this.kernels = kernels;
        this.sort = sort;
    }

    /** Asks for the first sort; what is tied then is in the counts of round 1. */
    void enqueueFirstSort(Texts texts, DeviceStream stream) throws DeviceException {
        KernelArguments arguments = arguments(texts, 0);
        kernels.launch(Stage.BEGIN, texts.blockCount, arguments, stream);
        kernels.launch(Stage.CODES, texts.blockCount * codesParts(texts.blockCount), arguments, stream);
        kernels.launch(Stage.KEYS, texts.tileCount, arguments, stream);
        enqueueSort(texts, 0, Digit.WIDE, KEY_BITS, texts.tileCount, texts.blockCount, stream);
        kernels.launch(Stage.SPLIT_BLOCKS, texts.tileCount, arguments, stream);
    }

    /**
     * Asks for a round, 1 to {@link BwtEncodeKernels#MAX_ROUNDS}; what is still tied then is in the counts of the
     * next one.
     *
     * @param windows that have tied groups, by the round's counts
     * @param segments tied groups that are larger than a window, likewise
     */
    void enqueueRound(Texts texts, int round, int windows, int segments, DeviceStream stream) throws DeviceException {
        KernelArguments arguments = arguments(texts, round);
        int resident = kernels.residentCtas;
        if (windows > 0) {
            kernels.launch(Stage.REFINE_WINDOWS, windows, arguments, stream);
        }
        if (segments > 0) {
            kernels.launch(Stage.GATHER_SEGMENTS, resident, arguments, stream);
            enqueueSort(texts, round, Digit.NARROW, POSITION_BITS, resident, resident, stream);
        }
        if (windows > 0) {
            kernels.launch(Stage.RANK_WINDOWS, windows, arguments, stream);
        }
        if (segments > 0) {
            kernels.launch(Stage.SPLIT_SEGMENTS, resident, arguments, stream);
        }
    }

    /** Asks for the last columns, when nothing is tied. */
    void enqueueColumns(Texts texts, DeviceStream stream) throws DeviceException {
        kernels.launch(Stage.WRITE_COLUMNS, texts.tileCount, arguments(texts, MAX_ROUNDS), stream);
    }

    /** Ctas that make the codes of a block: more than one if there are few blocks. */
    private static int codesParts(int blockCount) {
        return blockCount <= 16 ? 8 : blockCount <= 32 ? 4 : blockCount <= 64 ? 2 : 1;
    }

    /**
     * The passes of a round's sort, least digit first, keys a to keys b at first and at last; the kernel that made
     * the keys has counted the first digit.
     */
    private void enqueueSort(
            Texts texts, int round, Digit digit, int keyBits, int tileCtas, int segmentCtas, DeviceStream stream)
            throws DeviceException {
        for (int pass = 0; pass < digit.passes(keyBits); pass++) {
            KernelArguments arguments = passArguments(texts, round, pass, POSITION_BITS + pass * digit.bits);
            sort.pass(digit, pass == 0, tileCtas, segmentCtas, arguments, stream);
        }
    }

    private static KernelArguments passArguments(Texts texts, int round, int pass, int shift) {
        Bzip2EncodeMemory memory = texts.memory;
        boolean oddRound = round % 2 == 1;
        boolean oddPass = pass % 2 == 1;
        long countsAt = (long) BwtEncodeKernels.COUNTS_BYTES * round;
        return new KernelArguments(SortKernels.LAYOUT)
                .buffer("keys", memory.of(oddPass ? Area.KEYS_B : Area.KEYS_A))
                .buffer("sorted_keys", memory.of(oddPass ? Area.KEYS_A : Area.KEYS_B))
                .buffer("segments", memory.of(oddRound ? Area.SEGMENTS_B : Area.SEGMENTS_A))
                .buffer("tile_segments", memory.of(oddRound ? Area.TILE_SEGMENTS_B : Area.TILE_SEGMENTS_A))
                .buffer("counts", texts.rounds.slice(countsAt, BwtEncodeKernels.COUNTS_BYTES))
                .buffer("histograms", memory.of(Area.HISTOGRAMS))
                .int32("key_count", texts.tileCount * BwtEncodeKernels.TILE_ROTATIONS)
                .int32("segment_capacity", texts.segmentCapacity())
                .int32("tile_capacity", texts.tileCapacity())
                .int32("shift", shift);
    }

    private static KernelArguments arguments(Texts texts, int round) {
        Bzip2EncodeMemory memory = texts.memory;
        return new KernelArguments(BwtEncodeKernels.LAYOUT)
                .buffer("text", memory.of(Area.TEXT))
                .buffer("column", memory.of(Area.COLUMN))
                .int64("text_bytes", memory.of(Area.TEXT).bytes())
                .buffer("entries", memory.of(Area.TEXT_ENTRIES))
                .buffer("results", memory.of(Area.BWT_RESULTS))
                .buffer("keys_a", memory.of(Area.KEYS_A))
                .buffer("keys_b", memory.of(Area.KEYS_B))
                .buffer("ranks", memory.of(Area.RANKS))
                .buffer("shared_a", memory.of(Area.SHARED_A))
                .buffer("shared_b", memory.of(Area.SHARED_B))
                .buffer("heads", memory.of(Area.HEADS))
                .buffer("added_heads", memory.of(Area.ADDED_HEADS))
                .buffer("window_ranges", memory.of(Area.WINDOW_RANGES))
                .buffer("window_marks", memory.of(Area.WINDOW_MARKS))
                .buffer("windows_a", memory.of(Area.WINDOWS_A))
                .buffer("windows_b", memory.of(Area.WINDOWS_B))
                .buffer("codes", memory.of(Area.CODES))
                .buffer("histograms", memory.of(Area.HISTOGRAMS))
                .buffer("tile_blocks", memory.of(Area.TILE_BLOCKS))
                .buffer("segments_a", memory.of(Area.SEGMENTS_A))
                .buffer("segments_b", memory.of(Area.SEGMENTS_B))
                .buffer("tile_segments_a", memory.of(Area.TILE_SEGMENTS_A))
                .buffer("tile_segments_b", memory.of(Area.TILE_SEGMENTS_B))
                .buffer("rounds", texts.rounds)
                .int32("block_count", texts.blockCount)
                .int32("tile_count", texts.tileCount)
                .int32("segment_capacity", texts.segmentCapacity())
                .int32("tile_capacity", texts.tileCapacity())
                .int32("round", round);
    }
}
