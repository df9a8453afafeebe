package io.warpcodec.engine.gpu.plz;

import static io.warpcodec.engine.gpu.plz.PlzKernels.*;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.plz.PlzKernels.Stage;
import io.warpcodec.engine.gpu.plz.PlzMemory.Area;
import io.warpcodec.engine.gpu.suffixarray.FrameOrder;
import java.util.List;

/**
 * Finds the matches of a strong level for frames of zstd: candidates by the order of a frame's places and by the
 * nearest earlier ones, then a parse by price (Ching's thesis, in chunks that are parsed each by itself). Same
 * input, same matches, whatever the device and the batch. Thread-safe, as long as each call has scratch of its own.
 */
public final class PlzFinder implements AutoCloseable {
    /** Of the scratch. */
    public static final int SCRATCH_ALIGNMENT_BYTES = PlzMemory.ALIGNMENT_BYTES;

    private static final List<Stage> LINKS =
            List.of(Stage.LINK_3, Stage.LINK_4, Stage.LINK_6, Stage.LINK_8, Stage.LINK_12);
    /** Chunks of a batch up to which each has more lanes: they would leave most of a device empty otherwise. */
    private static final int MOST_WIDE_CHUNKS = 2048;

    private final PlzKernels kernels;
    private final FrameOrder order;

    private PlzFinder(PlzKernels kernels, FrameOrder order) {
        this.kernels = kernels;
        this.order = order;
    }

    /** What the kernels are checked against, those of the order behind the others. */
    public static List<KernelContract> contracts() {
        return List.of(CONTRACT, FrameOrder.contract());
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static PlzFinder open(Device device) throws KernelUnavailableException, DeviceException {
        PlzKernels kernels = PlzKernels.load(device);
        try {
            return new PlzFinder(kernels, FrameOrder.open(device));
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            kernels.close();
            throw failed;
        }
    }

    /**
     * Frames of one batch.
     *
     * @param blocks of which only the input is read
     * @param entries zstd_encode's, on the device
     * @param records zstd_encode's, which get how many matches and literals each unit has, and where its blocks meet
     * @param ranges how many frames
     * @param units blocks of all frames, where a frame of no bytes counts as one
     * @param mostUnits of one frame
     */
    public record Frames(
            DeviceBlocks blocks, DeviceBuffer entries, DeviceBuffer records, int ranges, int units, int mostUnits) {}

    /**
     * Bytes of scratch.
     *
     * @param units of all frames
     * @param mostUnits of one frame
     * @param laterBytes of zstd_encode's own scratch, which lies in it
     */
    public static long scratchBytes(int units, int ranges, int mostUnits, long laterBytes) {
        return PlzMemory.bytes(new PlzMemory.Counts(units, ranges, mostUnits, laterBytes));
    }

    /** A batch, and where everything lies. */
    public static final class Plan {
        private final Frames frames;
        private final PlzMemory.Counts counts;
        private final PlzMemory memory;

        /**
         * @param laterBytes of zstd_encode's scratch
         * @param scratch of {@link #scratchBytes} at least, aligned to 256 bytes
         * @throws IndexOutOfBoundsException if the scratch is too small
         */
        public Plan(Frames frames, long laterBytes, DeviceBuffer scratch) {
            this.frames = frames;
            this.counts = new PlzMemory.Counts(frames.units, frames.ranges, frames.mostUnits, laterBytes);
            this.memory = PlzMemory.cut(scratch, counts);
        }

        /** The scratch that zstd_encode takes: in the end it has the matches and literals of each block. */
        public DeviceBuffer later() {
            return memory.of(Area.LATER);
        }
    }

    /** Asks the stream to find matches. */
    public void enqueue(Plan plan, DeviceStream stream) throws DeviceException {
        Frames frames = plan.frames;
        PlzMemory memory = plan.memory;
        KernelArguments arguments = arguments(frames, memory);
        int units = frames.units;
        kernels.launch(Stage.GATHER, units, arguments, stream);
        order.enqueue(
                memory.of(Area.TEXT),
                memory.of(Area.ORDER_ENTRIES),
                memory.of(Area.ORDER),
                frames.ranges,
                units,
                memory.of(Area.ORDER_SCRATCH),
                stream);
        enqueueNearest(frames, plan.counts.digits(), arguments, stream);
        kernels.launch(Stage.TILE_MINIMA, units * (UNIT_BYTES / RANK_TILE), arguments, stream);
        kernels.launch(Stage.UPPER_MINIMA, frames.ranges, arguments, stream);
        kernels.launch(Stage.SMALLER_VALUES, units * (UNIT_BYTES / RANK_TILE), arguments, stream);
        kernels.launch(Stage.MEASURE, units * (UNIT_BYTES / Stage.MEASURE.ctaThreads()), arguments, stream);
        enqueueParses(frames, arguments, stream);
        kernels.launch(Stage.SEAMS, parts(units, Stage.SEAMS.ctaWarps()), arguments, stream);
        kernels.launch(Stage.EMIT, units, arguments, stream);
        kernels.launch(Stage.BORDERS, units, arguments, stream);
    }

    private void enqueueNearest(Frames frames, int digits, KernelArguments arguments, DeviceStream stream)
            throws DeviceException {
        int tiles = frames.units * (UNIT_BYTES / TILE_PLACES);
        kernels.launch(Stage.MARK_HEADS, frames.units * (UNIT_BYTES / MARK_RANKS), arguments, stream);
        kernels.launch(Stage.FIND_WINDOWS, frames.ranges * NEAREST_KINDS, arguments, stream);
        kernels.launch(Stage.COUNT_BUCKETS, tiles, arguments, stream);
        kernels.launch(Stage.PLACE_BUCKETS, frames.ranges * NEAREST_KINDS * (digits / CTA_DIGITS), arguments, stream);
        kernels.launch(Stage.DEAL_PLACES, tiles, arguments, stream);
        for (Stage link : LINKS) {
            kernels.launch(link, frames.units * (UNIT_BYTES / WINDOW_RANKS), arguments, stream);
        }
    }

    /** Prices of a frame from samples, with these the end of each chunk for prices of a unit, with those all of it. */
    private void enqueueParses(Frames frames, KernelArguments arguments, DeviceStream stream) throws DeviceException {
        PlzChunks chunks = PlzChunks.of(frames.blocks.blocks());
        int numbers = chunks.numbers();
        int samples = numbers / (SAMPLE_STRIDE_BYTES / CHUNK_BYTES);
        boolean isWide = chunks.count() <= MOST_WIDE_CHUNKS;
        int ctaChunks = isWide ? WIDE_CTA_CHUNKS : CTA_CHUNKS;
        Stage parseSamples = isWide ? Stage.PARSE_SAMPLES_WIDE : Stage.PARSE_SAMPLES;
        Stage parseDrafts = isWide ? Stage.PARSE_DRAFTS_WIDE : Stage.PARSE_DRAFTS;
        Stage parseUnits = isWide ? Stage.PARSE_UNITS_WIDE : Stage.PARSE_UNITS;
        kernels.launch(Stage.PRICE_BYTES, SAMPLE_TURNS * frames.ranges, arguments, stream);
        for (int round = 0; round < SAMPLE_ROUNDS; round++) {
            kernels.launch(parseSamples, SAMPLE_TURNS * parts(samples, ctaChunks), arguments, stream);
            kernels.launch(
                    Stage.TRACE_SAMPLES,
                    SAMPLE_TURNS * parts(samples, Stage.TRACE_SAMPLES.ctaThreads()),
                    arguments,
                    stream);
            kernels.launch(Stage.PRICE_SAMPLES, SAMPLE_TURNS * frames.ranges, arguments, stream);
        }
        kernels.launch(parseDrafts, parts(numbers, ctaChunks), arguments, stream);
        kernels.launch(Stage.TRACE_DRAFTS, parts(numbers, Stage.TRACE_DRAFTS.ctaThreads()), arguments, stream);
        kernels.launch(Stage.PRICE_UNITS, frames.units, arguments, stream);
        kernels.launch(parseUnits, parts(numbers, ctaChunks), arguments, stream);
        kernels.launch(Stage.TRACE, parts(numbers, Stage.TRACE.ctaThreads()), arguments, stream);
    }

    private static int parts(int whole, int part) {
        return (whole + part - 1) / part;
    }

    private static KernelArguments arguments(Frames frames, PlzMemory memory) {
        return frames.blocks
                .arguments(LAYOUT)
                .buffer("entries", frames.entries)
                .buffer("records", frames.records)
                .buffer("encode_scratch", memory.of(Area.LATER))
                .int64("encode_scratch_bytes", memory.of(Area.LATER).bytes())
                .int32("range_count", frames.ranges)
                .int32("unit_count", frames.units)
                .int32("most_units", frames.mostUnits)
                .int32("reserved", 0)
                .buffer("text", memory.of(Area.TEXT))
                .buffer("frames", memory.of(Area.FRAMES))
                .buffer("unit_frames", memory.of(Area.UNIT_FRAMES))
                .buffer("order_entries", memory.of(Area.ORDER_ENTRIES))
                .buffer("order", memory.of(Area.ORDER))
                .buffer("smaller", memory.of(Area.SMALLER))
                .buffer("minima", memory.of(Area.MINIMA))
                .buffer("rows", memory.of(Area.ROWS))
                .buffer("ranks", memory.of(Area.RANKS))
                .buffer("heads", memory.of(Area.HEADS))
                .buffer("windows", memory.of(Area.WINDOWS))
                .buffer("counts", memory.of(Area.COUNTS))
                .buffer("members", memory.of(Area.MEMBERS))
                .buffer("ways", memory.of(Area.WAYS))
                .buffer("steps", memory.of(Area.STEPS))
                .buffer("arrivals", memory.of(Area.ARRIVALS))
                .buffer("paths", memory.of(Area.PATHS))
                .buffer("frame_prices", memory.of(Area.FRAME_PRICES))
                .buffer("unit_prices", memory.of(Area.UNIT_PRICES));
    }

    @Override
    public void close() {
        order.close();
        kernels.close();
    }
}
