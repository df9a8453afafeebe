package io.warpcodec.engine.gpu.lz4;

import static io.warpcodec.engine.gpu.lz4.Lz4PriceKernels.*;

import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.engine.gpu.suffixarray.FrameOrder;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where the kernels that write by price keep what, in the scratch of a wave: 36 bytes for each byte of whole units, and
 * 131 KB for each block. What is not needed at once lies in one place.
 */
final class Lz4PriceMemory {
    static final int ALIGNMENT_BYTES = 256;

    /** What lies in the scratch, as {@code PriceBatch} names it, but for the scratch of the order. */
    enum Area {
        TEXT,
        FRAMES,
        UNIT_FRAMES,
        ORDER_ENTRIES,
        ORDER_SCRATCH,
        OWN,
        BEFORE,
        MATCHES,
        STEPS,
        ORDER;

        private long bytes(int units, int blocks) {
            long places = (long) UNIT_BYTES * units;
            return switch (this) {
                case TEXT -> places + TEXT_SLACK_BYTES;
                case FRAMES -> (long) FRAME_BYTES * blocks;
                case UNIT_FRAMES -> (long) Integer.BYTES * units;
                case ORDER_ENTRIES -> ORDER_ENTRY_BYTES * (blocks + 1L);
                case ORDER_SCRATCH -> FrameOrder.scratchBytes(units, blocks);
                case OWN, BEFORE, MATCHES, STEPS, ORDER -> Integer.BYTES * places;
            };
        }
    }

    private static final List<Area> KEPT =
            List.of(Area.TEXT, Area.FRAMES, Area.UNIT_FRAMES, Area.ORDER_ENTRIES, Area.ORDER);

    /** Areas that are there at once, behind those that are kept: while places are ordered, and from then on. */
    private static final List<List<Area>> TURNS =
            List.of(List.of(Area.ORDER_SCRATCH), List.of(Area.OWN, Area.BEFORE, Area.MATCHES, Area.STEPS));

    private final Map<Area, DeviceBuffer> areas = new EnumMap<>(Area.class);

    private Lz4PriceMemory() {}

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    private static long bytes(List<Area> list, int units, int blocks) {
        return list.stream()
                .mapToLong(area -> aligned(area.bytes(units, blocks)))
                .sum();
    }

    /** Bytes of all of it. */
    static long bytes(int units, int blocks) {
        long most = TURNS.stream()
                .mapToLong(turn -> bytes(turn, units, blocks))
                .max()
                .orElseThrow();
        return bytes(KEPT, units, blocks) + most;
    }

    /**
     * Cuts it out.
     *
     * @param scratch at least {@link #bytes}, aligned to 256 bytes
     * @throws IndexOutOfBoundsException if it is too small
     */
    static Lz4PriceMemory cut(DeviceBuffer scratch, int units, int blocks) {
        Lz4PriceMemory memory = new Lz4PriceMemory();
        memory.cut(scratch, 0, KEPT, units, blocks);
        for (List<Area> turn : TURNS) {
            memory.cut(scratch, bytes(KEPT, units, blocks), turn, units, blocks);
        }
        return memory;
    }

    private void cut(DeviceBuffer scratch, long from, List<Area> list, int units, int blocks) {
        long at = from;
        for (Area area : list) {
            long bytes = area.bytes(units, blocks);
            areas.put(area, scratch.slice(at, bytes));
            at += aligned(bytes);
        }
    }

    DeviceBuffer of(Area area) {
        return areas.get(area);
    }

    /** Sets the pointers of a batch to the areas. */
    KernelArguments addTo(KernelArguments arguments) {
        areas.forEach((area, buffer) -> {
            if (area != Area.ORDER_SCRATCH) {
                arguments.buffer(area.name().toLowerCase(Locale.ROOT), buffer);
            }
        });
        return arguments;
    }
}
