package io.warpcodec.engine.gpu.suffixarray;

import static io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.*;

import io.warpcodec.device.driver.DeviceBuffer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * What lies in the scratch, in the order in which {@code BwtBatch} names it: 30.8 bytes for each place, and 131 KB for
 * each frame.
 */
enum OrderArea {
    RESULTS(Per.FRAME, RESULT_BYTES),
    KEYS_A(Per.PLACE, Long.BYTES),
    KEYS_B(Per.PLACE, Long.BYTES),
    RANKS(Per.PLACE, Integer.BYTES),
    SHARED_A(Per.PLACE, Integer.BYTES),
    SHARED_B(Per.PLACE, Integer.BYTES),
    HEADS(Per.TILE, TILE_ROTATIONS / Byte.SIZE),
    ADDED_HEADS(Per.WINDOW, WINDOW_PLACES / Byte.SIZE),
    WINDOW_RANGES(Per.WINDOW, Integer.BYTES),
    WINDOW_MARKS(Per.WINDOW, Integer.BYTES),
    WINDOWS_A(Per.WINDOW, Integer.BYTES),
    WINDOWS_B(Per.WINDOW, Integer.BYTES),
    CODES(Per.FRAME, CODES_PER_BLOCK * Short.BYTES),
    HISTOGRAMS(Per.TILE, HISTOGRAM_WORDS_PER_TILE * Integer.BYTES),
    TILE_BLOCKS(Per.TILE, Integer.BYTES),
    SEGMENTS_A(Per.TILE, SEGMENTS_PER_TILE * SEGMENT_BYTES),
    SEGMENTS_B(Per.TILE, SEGMENTS_PER_TILE * SEGMENT_BYTES),
    TILE_SEGMENTS_A(Per.TILE, (SEGMENTS_PER_TILE + 1) * Integer.BYTES),
    TILE_SEGMENTS_B(Per.TILE, (SEGMENTS_PER_TILE + 1) * Integer.BYTES),
    ROUNDS(Per.BATCH, (MAX_ROUNDS + 2) * COUNTS_BYTES);

    /** Of what there is one of so many bytes. */
    private enum Per {
        PLACE,
        WINDOW,
        TILE,
        FRAME,
        BATCH
    }

    private static final int ALIGNMENT_BYTES = 256;

    private final Per per;
    private final int bytesEach;

    OrderArea(Per per, int bytesEach) {
        this.per = per;
        this.bytesEach = bytesEach;
    }

    /** Name of the pointer to it. */
    String field() {
        return name().toLowerCase(Locale.ROOT);
    }

    private long bytes(long tileCount, long frameCount) {
        long count = switch (per) {
            case PLACE -> TILE_ROTATIONS * tileCount;
            case WINDOW -> TILE_ROTATIONS / WINDOW * tileCount;
            case TILE -> tileCount;
            case FRAME -> frameCount;
            case BATCH -> 1;
        };
        return bytesEach * count;
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /** Bytes of all areas. */
    static long allBytes(long tileCount, long frameCount) {
        long bytes = 0;
        for (OrderArea area : values()) {
            bytes += aligned(area.bytes(tileCount, frameCount));
        }
        return bytes;
    }

    /**
     * Cuts them out.
     *
     * @param scratch at least {@link #allBytes}, aligned to 256 bytes
     * @throws IllegalArgumentException if it is not aligned
     * @throws IndexOutOfBoundsException if it is too small
     */
    static Map<OrderArea, DeviceBuffer> cut(DeviceBuffer scratch, long tileCount, long frameCount) {
        scratch.requireAligned(ALIGNMENT_BYTES);
        Map<OrderArea, DeviceBuffer> areas = new EnumMap<>(OrderArea.class);
        long at = 0;
        for (OrderArea area : values()) {
            long bytes = area.bytes(tileCount, frameCount);
            areas.put(area, scratch.slice(at, bytes));
            at += aligned(bytes);
        }
        return areas;
    }
}
