package io.warpcodec.engine.gpu.bzip2;

import static io.warpcodec.engine.gpu.bzip2.BwtEncodeKernels.*;

import io.warpcodec.device.driver.DeviceBuffer;
import java.util.EnumMap;
import java.util.Map;

/**
 * Where the kernels that encode bzip2 blocks keep what, in the scratch of a wave: 31 bytes for each byte of text, and
 * 130 KB for each block. Chunks own whole tiles of 4,096 places for their text, and others for their raw bytes.
 */
final class Bzip2EncodeMemory {
    private static final int ALIGNMENT_BYTES = 256;

    /**
     * How much there is to encode.
     *
     * @param tiles of text
     * @param rawTiles of raw bytes
     */
    record Counts(long tiles, long rawTiles, long blocks) {}

    /** Bytes that so much takes. */
    @FunctionalInterface
    private interface Size {
        long bytes(Counts counts);
    }

    /** What lies in the scratch, as {@code BwtBatch} and {@code EncodeBatch} name it. */
    enum Area {
        TEXT(perPlace(1)),
        COLUMN(perPlace(1)),
        KEYS_A(perPlace(Long.BYTES)),
        /** Keys; when the transform is done, what {@link CoderArea} lists. */
        KEYS_B(counts -> Math.max(TILE_ROTATIONS * Long.BYTES * counts.tiles, bytes(CoderArea.values(), counts))),
        RANKS(perPlace(Integer.BYTES)),
        SHARED_A(perPlace(Integer.BYTES)),
        SHARED_B(perPlace(Integer.BYTES)),
        HEADS(perTile(TILE_ROTATIONS / Byte.SIZE)),
        ADDED_HEADS(perTile(WINDOWS_PER_TILE * WINDOW_PLACES / Byte.SIZE)),
        WINDOW_RANGES(perTile(WINDOWS_PER_TILE * Integer.BYTES)),
        WINDOW_MARKS(perTile(WINDOWS_PER_TILE * Integer.BYTES)),
        WINDOWS_A(perTile(WINDOWS_PER_TILE * Integer.BYTES)),
        WINDOWS_B(perTile(WINDOWS_PER_TILE * Integer.BYTES)),
        CODES(perBlock(CODES_PER_BLOCK * Short.BYTES)),
        HISTOGRAMS(perTile(HISTOGRAM_WORDS_PER_TILE * Integer.BYTES)),
        TILE_BLOCKS(perTile(Integer.BYTES)),
        SEGMENTS_A(Area::segmentBytes),
        SEGMENTS_B(Area::segmentBytes),
        TILE_SEGMENTS_A(perTile((SEGMENTS_PER_TILE + 1) * Integer.BYTES)),
        TILE_SEGMENTS_B(perTile((SEGMENTS_PER_TILE + 1) * Integer.BYTES)),
        BWT_RESULTS(perBlock(RESULT_BYTES)),
        TEXT_ENTRIES(counts -> ENTRY_BYTES * (counts.blocks + 1)),
        MTF_RESULTS(perBlock(MtfEncodeKernels.RESULT_BYTES)),
        RAW_TILES(perRawTile(Bzip2EncodeKernels.RAW_TILE_BYTES)),
        RAW_TILE_CHUNKS(perRawTile(Integer.BYTES));

        private final Size size;

        Area(Size size) {
            this.size = size;
        }

        private static long segmentBytes(Counts counts) {
            return SortKernels.SEGMENT_BYTES * Math.max(SEGMENTS_PER_TILE * counts.tiles, counts.blocks);
        }
    }

    /** What lies where the keys were, as {@code MtfBatch} and {@code EncodeBatch} name it. */
    enum CoderArea {
        LASTS(perTile(TILE_ROTATIONS / MtfEncodeKernels.CHUNK_SYMBOLS * MtfEncodeKernels.BYTES * Integer.BYTES)),
        INFOS(perTile(TILE_ROTATIONS / MtfEncodeKernels.CHUNK_SYMBOLS * MtfEncodeKernels.INFO_BYTES)),
        SYMBOLS(counts -> Short.BYTES * (TILE_ROTATIONS * counts.tiles + counts.blocks)),
        GROUP_BITS(perBlock(Bzip2EncodeKernels.MAX_GROUPS * Integer.BYTES)),
        WORDS(perBlock(Bzip2EncodeKernels.WORDS_PER_CHUNK * Integer.BYTES)),
        SELECTORS(perBlock(Bzip2EncodeKernels.MAX_GROUPS));

        private final Size size;

        CoderArea(Size size) {
            this.size = size;
        }
    }

    private static Size perPlace(int bytes) {
        return perTile(TILE_ROTATIONS * bytes);
    }

    private static Size perTile(int bytes) {
        return counts -> bytes * counts.tiles;
    }

    private static Size perRawTile(int bytes) {
        return counts -> bytes * counts.rawTiles;
    }

    private static Size perBlock(int bytes) {
        return counts -> bytes * counts.blocks;
    }

    private final Map<Area, DeviceBuffer> areas = new EnumMap<>(Area.class);
    private final Map<CoderArea, DeviceBuffer> coderAreas = new EnumMap<>(CoderArea.class);

    private Bzip2EncodeMemory() {}

    /**
     * Tiles for a chunk's text, which has at most a quarter more bytes than the chunk, and no more than the limit.
     */
    static int textTiles(int rawBytes, int textLimit) {
        return tiles(Math.min(textLimit, rawBytes + rawBytes / 4 + Integer.BYTES));
    }

    /** Tiles for so many raw bytes. */
    static int tiles(int bytes) {
        return (bytes + TILE_ROTATIONS - 1) / TILE_ROTATIONS;
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    private static long bytes(CoderArea[] areas, Counts counts) {
        long bytes = 0;
        for (CoderArea area : areas) {
            bytes += aligned(area.size.bytes(counts));
        }
        return bytes;
    }

    /** Bytes of all of it. */
    static long bytes(Counts counts) {
        long bytes = 0;
        for (Area area : Area.values()) {
            bytes += aligned(area.size.bytes(counts));
        }
        return bytes;
    }

    /**
     * Cuts it out.
     *
     * @param scratch at least {@link #bytes}, aligned to 256 bytes
     * @throws IndexOutOfBoundsException if it is too small
     */
    static Bzip2EncodeMemory cut(DeviceBuffer scratch, Counts counts) {
        Bzip2EncodeMemory memory = new Bzip2EncodeMemory();
        long at = 0;
        for (Area area : Area.values()) {
            long bytes = area.size.bytes(counts);
            memory.areas.put(area, scratch.slice(at, bytes));
            at += aligned(bytes);
        }
        DeviceBuffer keys = memory.of(Area.KEYS_B);
        at = 0;
        for (CoderArea area : CoderArea.values()) {
            long bytes = area.size.bytes(counts);
            memory.coderAreas.put(area, keys.slice(at, bytes));
            at += aligned(bytes);
        }
        return memory;
    }

    DeviceBuffer of(Area area) {
        return areas.get(area);
    }

    DeviceBuffer of(CoderArea area) {
        return coderAreas.get(area);
    }
}
