package io.warpcodec.engine.gpu.suffixarray;

import static io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.COUNTS_BYTES;
import static io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.DIGIT_BITS;
import static io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.FIRST_PASSES;
import static io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.MAX_ROUNDS;
import static io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.POSITION_BITS;
import static io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.ROUND_PASSES;
import static io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.SEGMENTS_PER_TILE;
import static io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.TILE_ROTATIONS;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.Stage;
import java.util.Map;

/**
 * Sorts the rotations of frames, each by 128 bytes at least; those that share more keep the order of their places. The
 * kernels run in the order that {@code suffixarray.cu} says: a first sort by keys of 40 bits, then rounds. Each round
 * sorts what is still tied by the ranks of what follows. Thread-safe.
 *
 * <p>Frames lie in units of {@link #UNIT_BYTES}: each begins where a unit does, and owns one at least.
 */
public final class FrameOrder implements AutoCloseable {
    /** Begins of frames in the text are multiples of this. */
    public static final int UNIT_BYTES = 1 << 16;

    /** Bytes of the longest frame. */
    public static final int MAX_FRAME_BYTES = SuffixArrayKernels.MAX_FRAME_BYTES;

    /** Bytes of a frame's entry: where it begins in the text (8), how many bytes it has (4), its first tile (4). */
    public static final int ENTRY_BYTES = SuffixArrayKernels.ENTRY_BYTES;

    /** Tiles that a unit has, all of which belong to its frame. */
    public static final int TILES_PER_UNIT = UNIT_BYTES / TILE_ROTATIONS;

    private static final int MOST_UNITS = Integer.MAX_VALUE / UNIT_BYTES;
    private static final int TEXT_ALIGNMENT_BYTES = 16;

    private final SuffixArrayKernels kernels;

    private FrameOrder(SuffixArrayKernels kernels) {
        this.kernels = kernels;
    }

    /** What the module of its kernels must export. */
    public static KernelContract contract() {
        return SuffixArrayKernels.CONTRACT;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if the device has no code, or too little shared memory (compute capability
     *     8.0, 9.0 and 10.0 have enough)
     * @throws DeviceException if the device fails
     */
    public static FrameOrder open(Device device) throws KernelUnavailableException, DeviceException {
        return new FrameOrder(SuffixArrayKernels.load(device));
    }

    /** Scratch of a batch: 30.8 bytes for each byte of its units, and 131 KB for each frame. */
    public static long scratchBytes(int unitCount, int frameCount) {
        return OrderArea.allBytes((long) TILES_PER_UNIT * unitCount, frameCount);
    }

    /**
     * Asks for the order of each frame: rank r's place in the frame, as a word at r places behind the frame's begin.
     * Words that belong to no byte stay as they are, and so do those of a frame that is longer than its units or than
     * {@link #MAX_FRAME_BYTES}. Kernels that are asked for before may write text and entries.
     *
     * @param text {@link #UNIT_BYTES} for each unit, aligned to 16 bytes
     * @param entries {@link #ENTRY_BYTES} for each frame and for an end whose first tile is the number of tiles; first
     *     tiles ascend from 0
     * @param order a word for each byte of the text
     * @param frameCount 1 to {@code unitCount}
     * @param unitCount up to 32,767
     * @param scratch {@link #scratchBytes}, aligned to 256 bytes, contents undefined
     * @throws IllegalArgumentException if a count or an alignment is not so
     * @throws IndexOutOfBoundsException if a buffer is too small
     */
    public void enqueue(
            DeviceBuffer text,
            DeviceBuffer entries,
            DeviceBuffer order,
            int frameCount,
            int unitCount,
            DeviceBuffer scratch,
            DeviceStream stream)
            throws DeviceException {
        if (frameCount < 1 || frameCount > unitCount || unitCount > MOST_UNITS) {
            throw new IllegalArgumentException(frameCount + " frames in " + unitCount + " units");
        }
        long textBytes = (long) UNIT_BYTES * unitCount;
        int tileCount = TILES_PER_UNIT * unitCount;
        text.requireAligned(TEXT_ALIGNMENT_BYTES);
        entries.requireAligned(Long.BYTES);
        order.requireAligned(Integer.BYTES);
        Frames frames = new Frames(
                text.slice(0, textBytes),
                entries.slice(0, ENTRY_BYTES * (frameCount + 1L)),
                order.slice(0, Integer.BYTES * textBytes),
                OrderArea.cut(scratch, tileCount, frameCount),
                tileCount,
                frameCount);
        enqueueFirstSort(frames, stream);
        for (int round = 1; round <= MAX_ROUNDS; round++) {
            enqueueRound(frames, round, stream);
        }
        kernels.launch(Stage.WRITE_ORDER, tileCount, frames.arguments(MAX_ROUNDS), stream);
    }

    private void enqueueFirstSort(Frames frames, DeviceStream stream) throws DeviceException {
        KernelArguments arguments = frames.arguments(0);
        int tiles = frames.tileCount;
        int count = frames.frameCount;
        kernels.launch(Stage.BEGIN, count, arguments, stream);
        kernels.launch(Stage.FIND_SYMBOLS, tiles, arguments, stream);
        kernels.launch(Stage.CODES, count * codesParts(count), arguments, stream);
        kernels.launch(Stage.KEYS, tiles, arguments, stream);
        for (int pass = 0; pass < FIRST_PASSES; pass++) {
            enqueuePass(Stage.SCAN_LONG, pass, tiles, count, frames.passArguments(0, pass), stream);
        }
        kernels.launch(Stage.SPLIT_BLOCKS, tiles, arguments, stream);
    }

    /** Asks for a round whether or not something is tied. */
    private void enqueueRound(Frames frames, int round, DeviceStream stream) throws DeviceException {
        KernelArguments arguments = frames.arguments(round);
        int resident = kernels.residentCtas;
        kernels.launch(Stage.REFINE_WINDOWS, resident, arguments, stream);
        kernels.launch(Stage.GATHER_SEGMENTS, resident, arguments, stream);
        for (int pass = 0; pass < ROUND_PASSES; pass++) {
            enqueuePass(Stage.SCAN, pass, resident, resident, frames.passArguments(round, pass), stream);
        }
        kernels.launch(Stage.RANK_WINDOWS, resident, arguments, stream);
        kernels.launch(Stage.SPLIT_SEGMENTS, resident, arguments, stream);
    }

    /** Asks for a pass of a sort. The kernel that made the keys has counted the first digit. */
    private void enqueuePass(
            Stage scan, int pass, int tileCtas, int segmentCtas, KernelArguments arguments, DeviceStream stream)
            throws DeviceException {
        if (pass > 0) {
            kernels.launch(Stage.COUNT, tileCtas, arguments, stream);
        }
        kernels.launch(scan, segmentCtas, arguments, stream);
        kernels.launch(Stage.SCATTER, tileCtas, arguments, stream);
    }

    /** Ctas that make the codes of a frame: more than one if there are few frames. */
    private static int codesParts(int frameCount) {
        return frameCount <= 16 ? 8 : frameCount <= 32 ? 4 : frameCount <= 64 ? 2 : 1;
    }

    /** A batch, and what its kernels take. */
    private record Frames(
            DeviceBuffer text,
            DeviceBuffer entries,
            DeviceBuffer order,
            Map<OrderArea, DeviceBuffer> areas,
            int tileCount,
            int frameCount) {

        /** No more segments than this: frames do not share tiles. */
        int segmentCapacity() {
            return SEGMENTS_PER_TILE * tileCount;
        }

        int tileCapacity() {
            return (SEGMENTS_PER_TILE + 1) * tileCount;
        }

        KernelArguments arguments(int round) {
            KernelArguments arguments = new KernelArguments(SuffixArrayKernels.LAYOUT)
                    .buffer("text", text)
                    .int64("column", 0)
                    .int64("text_bytes", text.bytes())
                    .buffer("entries", entries)
                    .int32("block_count", frameCount)
                    .int32("tile_count", tileCount)
                    .int32("segment_capacity", segmentCapacity())
                    .int32("tile_capacity", tileCapacity())
                    .int32("round", round)
                    .buffer("order", order);
            areas.forEach((area, buffer) -> arguments.buffer(area.field(), buffer));
            return arguments;
        }

        /** A pass, least digit first: keys a to keys b at first and at last. */
        KernelArguments passArguments(int round, int pass) {
            boolean oddRound = round % 2 == 1;
            boolean oddPass = pass % 2 == 1;
            return new KernelArguments(SuffixArrayKernels.SORT_LAYOUT)
                    .buffer("keys", areas.get(oddPass ? OrderArea.KEYS_B : OrderArea.KEYS_A))
                    .buffer("sorted_keys", areas.get(oddPass ? OrderArea.KEYS_A : OrderArea.KEYS_B))
                    .buffer("segments", areas.get(oddRound ? OrderArea.SEGMENTS_B : OrderArea.SEGMENTS_A))
                    .buffer(
                            "tile_segments",
                            areas.get(oddRound ? OrderArea.TILE_SEGMENTS_B : OrderArea.TILE_SEGMENTS_A))
                    .buffer("counts", areas.get(OrderArea.ROUNDS).slice((long) COUNTS_BYTES * round, COUNTS_BYTES))
                    .buffer("histograms", areas.get(OrderArea.HISTOGRAMS))
                    .int32("key_count", tileCount * TILE_ROTATIONS)
                    .int32("segment_capacity", segmentCapacity())
                    .int32("tile_capacity", tileCapacity())
                    .int32("shift", POSITION_BITS + pass * DIGIT_BITS);
        }
    }

    /** Unloads the kernels. Must not be called while a stream may still run them. */
    @Override
    public void close() {
        kernels.close();
    }
}
