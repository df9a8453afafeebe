package io.warpcodec.engine.gpu.bzip2;

import static io.warpcodec.engine.gpu.bzip2.BwtEncodeKernels.*;

import io.warpcodec.device.driver.DeviceBuffer;
import java.util.EnumMap;
import java.util.Map;

/**
 * Where the kernels that encode bzip2 blocks keep what, in the scratch of a wave: 31 bytes for each raw byte, and 130
 * KB for each block. Chunks own whole tiles of 4,096 places, enough for their text.
 */
final class Bzip2EncodeMemory {
    private static final int ALIGNMENT_BYTES = 256;

    /** Bytes that so many tiles and blocks take. */
    @FunctionalInterface
    private interface Size {
        long bytes(long tiles, long blocks);
    }

    /** What lies in the scratch, as {@code BwtBatch} and {@code EncodeBatch} name it. */
    enum Area {
        TEXT(perPlace(1)),
        COLUMN(perPlace(1)),
        KEYS_A(perPlace(Long.BYTES)),
        /** Keys; when the transform is done, what {@link CoderArea} lists. */
        KEYS_B((tiles, blocks) ->
                Math.max(TILE_ROTATIONS * Long.BYTES * tiles, bytes(CoderArea.values(), tiles, blocks))),
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
        TEXT_ENTRIES((tiles, blocks) -> ENTRY_BYTES * (blocks + 1)),
        MTF_RESULTS(perBlock(MtfEncodeKernels.RESULT_BYTES)),
        RAW_TILES(perTile(Bzip2EncodeKernels.RAW_TILE_BYTES)),
        RAW_TILE_CHUNKS(perTile(Integer.BYTES));

        private final Size size;

        Area(Size size) {
            this.size = size;
        }

        private static long segmentBytes(long tiles, long blocks) {
            return SortKernels.SEGMENT_BYTES * Math.max(SEGMENTS_PER_TILE * tiles, blocks);
        }
    }

    /** What lies where the keys were, as {@code MtfBatch} and {@code EncodeBatch} name it. */
    enum CoderArea {
        LASTS(perTile(TILE_ROTATIONS / MtfEncodeKernels.CHUNK_SYMBOLS * MtfEncodeKernels.BYTES * Integer.BYTES)),
        INFOS(perTile(TILE_ROTATIONS / MtfEncodeKernels.CHUNK_SYMBOLS * MtfEncodeKernels.INFO_BYTES)),
        SYMBOLS((tiles, blocks) -> Short.BYTES * (TILE_ROTATIONS * tiles + blocks)),
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
        return (tiles, blocks) -> bytes * tiles;
    }

    private static Size perBlock(int bytes) {
        return (tiles, blocks) -> bytes * blocks;
    }

    private final Map<Area, DeviceBuffer> areas = new EnumMap<>(Area.class);
    private final Map<CoderArea, DeviceBuffer> coderAreas = new EnumMap<>(CoderArea.class);

    private Bzip2EncodeMemory() {}

    /**
     * Tiles of a chunk: enough for its bytes, and for its text, which has at most a quarter more and no more than the
     * limit.
     */
    static int tiles(int rawBytes, int textLimit) {
        int bytes = Math.max(rawBytes, Math.min(textLimit, rawBytes + rawBytes / 4 + Integer.BYTES));
        return (bytes + TILE_ROTATIONS - 1) / TILE_ROTATIONS;
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    private static long bytes(CoderArea[] areas, long tiles, long blocks) {
        long bytes = 0;
        for (CoderArea area : areas) {
            bytes += aligned(area.size.bytes(tiles, blocks));
        }
        return bytes;
    }

    /** Bytes of all of it. */
    static long bytes(long tiles, long blocks) {
        long bytes = 0;
        for (Area area : Area.values()) {
            bytes += aligned(area.size.bytes(tiles, blocks));
        }
        return bytes;
    }

    /**
     * Cuts it out.
     *
     * @param scratch at least {@link #bytes}, aligned to 256 bytes
     * @throws IndexOutOfBoundsException if it is too small
     */
    static Bzip2EncodeMemory cut(DeviceBuffer scratch, int tiles, int blocks) {
        Bzip2EncodeMemory memory = new Bzip2EncodeMemory();
        long at = 0;
        for (Area area : Area.values()) {
            long bytes = area.size.bytes(tiles, blocks);
            memory.areas.put(area, scratch.slice(at, bytes));
            at += aligned(bytes);
        }
        DeviceBuffer keys = memory.of(Area.KEYS_B);
        at = 0;
        for (CoderArea area : CoderArea.values()) {
            long bytes = area.size.bytes(tiles, blocks);
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
