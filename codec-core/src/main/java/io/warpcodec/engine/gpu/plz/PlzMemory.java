package io.warpcodec.engine.gpu.plz;

import static io.warpcodec.engine.gpu.plz.PlzKernels.*;

import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.engine.gpu.suffixarray.FrameOrder;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Where the kernels of a strong level keep what, in the scratch of a wave: 40 bytes for each byte of whole units. What
 * is not needed at once lies in one place.
 *
 * <p>Some areas are kept from the first kernel to the last. The rest of the scratch is used in turns, one after the
 * other. First areas of a turn lie side by side from the begin of that rest, last ones up to its end. An area that
 * several turns have must have the same place in each. So they name it behind the same first areas, or before the same
 * last ones.
 */
final class PlzMemory {
    static final int ALIGNMENT_BYTES = 256;
    /** Of a unit whose frame is short. */
    private static final int MOST_UNIT_CHUNKS = UNIT_BYTES / (CHUNK_BYTES >> MOST_HALVINGS);

    /**
     * How much there is to look at.
     *
     * @param units of all ranges, each of which has one at least
     * @param mostUnits of one range
     * @param laterBytes that the caller wants when paths are found
     */
    record Counts(int units, int ranges, int mostUnits, long laterBytes) {
        private long places() {
            return (long) UNIT_BYTES * units;
        }

        private long mostChunks() {
            return (long) MOST_UNIT_CHUNKS * units;
        }

        private int windows() {
            return units * (UNIT_BYTES / WINDOW_RANKS);
        }

        /** Digits of a bucket's number, two for each window of the longest range. */
        int digits() {
            int digits = 2 * mostUnits * (UNIT_BYTES / WINDOW_RANKS);
            return (digits + CTA_DIGITS - 1) / CTA_DIGITS * CTA_DIGITS;
        }
    }

    /** Bytes that so much takes. */
    @FunctionalInterface
    private interface Size {
        long bytes(Counts counts);
    }

    /** What lies in the scratch, as {@code PlzBatch} names it. */
    enum Area {
        TEXT(counts -> counts.places() + TEXT_SLACK_BYTES),
        FRAMES(counts -> (long) FRAME_BYTES * counts.ranges),
        UNIT_FRAMES(counts -> (long) Integer.BYTES * counts.units),
        ORDER_ENTRIES(counts -> ORDER_ENTRY_BYTES * (counts.ranges + 1L)),
        FRAME_PRICES(counts -> (long) SAMPLE_TURNS * PRICES_BYTES * counts.ranges),
        UNIT_PRICES(counts -> (long) PRICES_BYTES * counts.units),

        ORDER(perPlace(Integer.BYTES)),
        ROWS(counts -> Integer.BYTES * NEAREST_KINDS * (counts.places() + BROUGHT_PLACES)),
        ORDER_SCRATCH(counts -> FrameOrder.scratchBytes(counts.units, counts.ranges)),

        RANKS(perPlace(Integer.BYTES)),
        HEADS(counts -> counts.places() / Byte.SIZE * NEAREST_KINDS),
        WINDOWS(counts -> (long) WINDOW_BYTES * NEAREST_KINDS * counts.windows()),
        COUNTS(counts -> Integer.BYTES * (counts.places() / TILE_PLACES) * NEAREST_KINDS * counts.digits()),
        MEMBERS(perPlace(Long.BYTES)),

        SMALLER(perPlace(2 * Integer.BYTES)),
        MINIMA(counts -> (long) Integer.BYTES * UNIT_MINIMA_WORDS * counts.units),

        STEPS(perPlace(Integer.BYTES)),
        ARRIVALS(perPlace(Integer.BYTES)),
        WAYS(counts -> (long) WAY_BYTES * FAR_WAYS * counts.mostChunks()),
        PATHS(counts -> PATH_BYTES * counts.mostChunks()),
        LATER(Counts::laterBytes);

        private final Size size;

        Area(Size size) {
            this.size = size;
        }
    }

    private static final List<Area> KEPT =
            List.of(Area.TEXT, Area.FRAMES, Area.UNIT_FRAMES, Area.ORDER_ENTRIES, Area.FRAME_PRICES, Area.UNIT_PRICES);

    /** What is there at once, from the begin of what is not kept, and up to its end. */
    private record Turn(List<Area> first, List<Area> last) {
        private long bytes(Counts counts) {
            return PlzMemory.bytes(first, counts) + PlzMemory.bytes(last, counts);
        }
    }

    /**
     * While places are ordered, while the nearest are looked for, while smaller values are and matches are measured,
     * while chunks are parsed, and from the last trace on.
     */
    private static final List<Turn> TURNS = List.of(
            new Turn(List.of(Area.ORDER_SCRATCH), List.of(Area.ORDER)),
            new Turn(
                    List.of(Area.ROWS, Area.RANKS, Area.HEADS, Area.WINDOWS, Area.COUNTS, Area.MEMBERS),
                    List.of(Area.ORDER)),
            new Turn(List.of(Area.ROWS, Area.SMALLER, Area.MINIMA), List.of(Area.ORDER)),
            new Turn(List.of(Area.ROWS, Area.ARRIVALS, Area.WAYS), List.of(Area.STEPS, Area.PATHS)),
            new Turn(List.of(Area.LATER), List.of(Area.STEPS, Area.PATHS)));

    private final Map<Area, DeviceBuffer> areas = new EnumMap<>(Area.class);

    private PlzMemory() {}

    private static Size perPlace(int bytes) {
        return counts -> bytes * counts.places();
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    private static long bytes(List<Area> areas, Counts counts) {
        return areas.stream()
                .mapToLong(area -> aligned(area.size.bytes(counts)))
                .sum();
    }

    /** Bytes of all of it. */
    static long bytes(Counts counts) {
        long most = TURNS.stream().mapToLong(turn -> turn.bytes(counts)).max().orElseThrow();
        return bytes(KEPT, counts) + most;
    }

    /**
     * Cuts it out.
     *
     * @param scratch at least {@link #bytes}, aligned to 256 bytes
     * @throws IndexOutOfBoundsException if it is too small
     */
    static PlzMemory cut(DeviceBuffer scratch, Counts counts) {
        PlzMemory memory = new PlzMemory();
        memory.cut(scratch, 0, KEPT, counts);
        long begin = bytes(KEPT, counts);
        long end = bytes(counts);
        for (Turn turn : TURNS) {
            memory.cut(scratch, begin, turn.first, counts);
            memory.cut(scratch, end - bytes(turn.last, counts), turn.last, counts);
        }
        return memory;
    }

    private void cut(DeviceBuffer scratch, long from, List<Area> list, Counts counts) {
        long at = from;
        for (Area area : list) {
            long bytes = area.size.bytes(counts);
            areas.put(area, scratch.slice(at, bytes));
            at += aligned(bytes);
        }
    }

    DeviceBuffer of(Area area) {
        return areas.get(area);
    }
}
