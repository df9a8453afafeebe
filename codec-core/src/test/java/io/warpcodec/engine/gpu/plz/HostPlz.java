package io.warpcodec.engine.gpu.plz;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stands in for the kernels that find a strong level's matches, for {@link ScriptedDriver}: none of them finds any.
 * Each kernel leaves marks in its results, and asks for those in its inputs. A kernel that does not run is seen so, and
 * an area laid over data still in use.
 */
public final class HostPlz {
    private static final long UNIT = 65_536;
    /** Chunks up to which each has more lanes. */
    private static final int MOST_WIDE_CHUNKS = 2048;
    /** Bytes from one mark to the next. */
    private static final int GRAIN = 256;

    private HostPlz() {}

    /** How many bytes a field of the batch points to. */
    private static long bytes(String field, int units, int ranges, int digits) {
        long places = UNIT * units;
        // a unit of a short frame has so many
        long chunks = 64L * units;
        return switch (field) {
            case "text" -> places + 16;
            case "frames" -> 8L * ranges;
            case "unit_frames" -> 4L * units;
            case "order_entries" -> 16L * (ranges + 1);
            case "order", "ranks", "steps", "arrivals" -> 4 * places;
            case "smaller", "members" -> 8 * places;
            case "minima" -> 4L * units * (8192 + 1024 + 128 + 16 + 3 * 8);
            case "rows" -> 5 * 4 * (places + 4);
            case "heads" -> 5 * places / 8;
            case "windows" -> 5L * 8 * 8 * units;
            case "counts" -> 5L * 4 * 4 * units * digits;
            case "ways" -> 512 * 16 * chunks;
            case "paths" -> 8 * chunks;
            case "frame_prices" -> 2 * 1764L * ranges;
            case "unit_prices" -> 1764L * units;
            default -> throw new AssertionError(field);
        };
    }

    /** Fields of the batch. One with words behind it is what a later kernel leaves in that field. */
    private static final List<String> STATES = List.of(
            "text",
            "frames",
            "unit_frames",
            "order_entries",
            "order",
            "ranks",
            "smaller",
            "members",
            "minima",
            "rows",
            "rows 3",
            "rows 4",
            "rows 6",
            "rows 8",
            "rows 12",
            "rows measured",
            "heads",
            "windows",
            "counts",
            "ways",
            "steps",
            "arrivals",
            "paths",
            "frame_prices",
            "unit_prices");

    private static Marks marks(String state, ByteBuffer bytes) {
        return new Marks(bytes, (byte) (0x20 + STATES.indexOf(state)), state);
    }

    private static String fieldOf(String state) {
        return state.split(" ")[0];
    }

    /** Marks every so many bytes, and the last one. Fields begin at multiples, so marks of two that overlap meet. */
    private static void fill(ByteBuffer bytes, byte mark) {
        for (int at = 0; at < bytes.capacity(); at += GRAIN) {
            bytes.put(at, mark);
        }
        bytes.put(bytes.capacity() - 1, mark);
    }

    /** What a field points to. */
    private record Marks(ByteBuffer bytes, byte mark, String state) {
        static Marks of(ScriptedDriver memory, KernelArguments arguments, String state) throws DeviceException {
            String field = fieldOf(state);
            int units = arguments.int32("unit_count");
            int digits = Math.max(32, 16 * arguments.int32("most_units") + 31 & ~31);
            long count = HostPlz.bytes(field, units, arguments.int32("range_count"), digits);
            long at = arguments.int64(field);
            require(at % GRAIN == 0, field + " at an odd place");
            return marks(state, memory.at(at, count));
        }

        void write() {
            fill(bytes, mark);
        }

        void requireThere() {
            boolean isThere = bytes.get(bytes.capacity() - 1) == mark;
            for (int at = 0; at < bytes.capacity(); at += GRAIN) {
                isThere &= bytes.get(at) == mark;
            }
            require(isThere, state + " is not there, or written over");
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError("the finder of matches has " + otherwise);
        }
    }

    /** Inputs of a kernel, and its results, elsewhere or in place of an input. */
    private static Kernel step(List<String> reads, List<String> writes) {
        List<String> written = writes.stream().map(HostPlz::fieldOf).toList();
        return (memory, arguments) -> {
            for (String state : reads) {
                Marks.of(memory, arguments, state).requireThere();
            }
            for (String state : writes) {
                Marks.of(memory, arguments, state).write();
            }
            for (String state : reads) {
                if (!written.contains(fieldOf(state))) {
                    Marks.of(memory, arguments, state).requireThere();
                }
            }
        };
    }

    /** That what the last kernel reads is there. */
    public static void requirePaths(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        step(List.of("text", "frames", "unit_frames", "steps", "paths"), List.of())
                .run(memory, arguments);
    }

    /** By entry name, without the last one, which zstd's stand-in has. */
    public static Map<String, Kernel> all() {
        Map<String, Kernel> kernels = new HashMap<>();
        List<String> tables = List.of("frames", "unit_frames");
        kernels.put("plz_gather", step(List.of(), List.of("text", "frames", "unit_frames", "order_entries")));
        kernels.put("plz_mark_heads", step(List.of("text", "order", "frames"), List.of("heads", "ranks")));
        kernels.put("plz_find_windows", step(List.of("heads", "frames"), List.of("windows")));
        kernels.put("plz_count_buckets", step(List.of("ranks", "windows", "frames"), List.of("counts")));
        kernels.put("plz_place_buckets", step(List.of("counts", "frames"), List.of("counts")));
        kernels.put("plz_deal_places", step(List.of("ranks", "windows", "counts"), List.of("members", "rows")));
        String nearest = "rows";
        for (int length : new int[] {3, 4, 6, 8, 12}) {
            String linked = "rows " + length;
            kernels.put("plz_link_" + length, step(List.of("members", "heads", "windows", nearest), List.of(linked)));
            nearest = linked;
        }
        kernels.put("plz_tile_minima", step(List.of("order", "frames"), List.of("minima")));
        kernels.put("plz_upper_minima", step(List.of("minima"), List.of("minima")));
        kernels.put("plz_smaller_values", step(List.of("order", "minima"), List.of("smaller")));
        kernels.put("plz_measure", step(List.of("text", "smaller", nearest), List.of("rows measured")));
        kernels.put("plz_price_bytes", step(List.of("text", "frames"), List.of("frame_prices")));
        Kernel parse = step(List.of("text", "rows measured", "frame_prices"), List.of("ways", "steps", "arrivals"));
        Kernel trace = step(List.of("steps", "arrivals"), List.of("steps", "paths"));
        putParse(kernels, "plz_parse_samples", parse);
        kernels.put("plz_trace_samples", trace);
        kernels.put("plz_price_samples", step(List.of("text", "steps", "paths"), List.of("frame_prices")));
        putParse(kernels, "plz_parse_drafts", parse);
        kernels.put("plz_trace_drafts", trace);
        kernels.put("plz_trace", trace);
        kernels.put("plz_seams", step(List.of("text", "steps", "paths"), List.of("steps", "paths")));
        kernels.put("plz_price_units", step(List.of("text", "steps", "paths"), List.of("unit_prices")));
        Kernel parseUnits = step(List.of("text", "rows measured", "unit_prices"), List.of("ways", "steps", "arrivals"));
        putParse(kernels, "plz_parse_units", parseUnits);
        kernels.replaceAll((name, kernel) -> name.equals("plz_gather") ? kernel : behind(tables, kernel));
        for (String name : List.of(
                "find_symbols",
                "codes",
                "keys",
                "split_blocks",
                "refine_windows",
                "gather_segments",
                "rank_windows",
                "split_segments",
                "count",
                "scan",
                "scan_long",
                "scatter")) {
            kernels.put("suffixarray_" + name, (memory, arguments) -> {});
        }
        kernels.put("suffixarray_begin", (memory, arguments) -> spoilScratch(memory, arguments));
        kernels.put("suffixarray_write_order", (memory, arguments) -> {
            long textBytes = arguments.int64("text_bytes");
            memory.at(arguments.int64("text"), textBytes + 16);
            marks("order", memory.at(arguments.int64("order"), 4 * textBytes)).write();
            spoilScratch(memory, arguments);
        });
        return kernels;
    }

    /** Leaves the entries for which the order's stand-ins ask, as one of another finder. */
    public static void leaveOrderEntries(ScriptedDriver memory, long at, int frames) throws DeviceException {
        marks("order_entries", memory.at(at, 16L * (frames + 1))).write();
    }

    /** That the order's stand-ins have left this. */
    public static void requireOrder(ScriptedDriver memory, long at, long places) throws DeviceException {
        marks("order", memory.at(at, 4 * places)).requireThere();
    }

    /** A parse of many chunks, and one of few that does the same. */
    private static void putParse(Map<String, Kernel> kernels, String name, Kernel parse) {
        for (boolean isWide : new boolean[] {false, true}) {
            kernels.put(isWide ? name + "_wide" : name, (memory, arguments) -> {
                int chunks = chunks(memory, arguments);
                require(chunks <= MOST_WIDE_CHUNKS == isWide, chunks + " chunks in the parse of as many or as few");
                parse.run(memory, arguments);
            });
        }
    }

    /** By the lengths of frames, which the batch's entries tell. */
    private static int chunks(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int frames = arguments.int32("range_count");
        ByteBuffer entries = memory.at(arguments.int64("entries"), 40L * frames);
        int chunks = 0;
        for (int frame = 0; frame < frames; frame++) {
            int bytes = entries.getInt(40 * frame + 16);
            int chunkBytes = bytes <= 131_072 ? 1024 : bytes <= 1_048_576 ? 2048 : 4096;
            chunks += (bytes + chunkBytes - 1) / chunkBytes;
        }
        return chunks;
    }

    /** The sort writes wherever it may. */
    private static void spoilScratch(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        long places = 4096L * arguments.int32("tile_count");
        require(places == arguments.int64("text_bytes"), "tiles that are not the text's");
        for (String field : List.of("keys_a", "keys_b", "ranks", "shared_a", "shared_b")) {
            long bytes = (field.startsWith("keys") ? 8 : 4) * places;
            fill(memory.at(arguments.int64(field), bytes), (byte) 0xDB);
        }
        long entries = 16L * (arguments.int32("block_count") + 1);
        marks("order_entries", memory.at(arguments.int64("entries"), entries)).requireThere();
    }

    /** A kernel that needs these fields, too. */
    private static Kernel behind(List<String> fields, Kernel kernel) {
        return (memory, arguments) -> {
            step(fields, List.of()).run(memory, arguments);
            kernel.run(memory, arguments);
        };
    }
}
