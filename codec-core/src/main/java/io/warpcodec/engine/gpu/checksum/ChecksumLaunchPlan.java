package io.warpcodec.engine.gpu.checksum;

import io.warpcodec.engine.gpu.block.ChunkRanges;
import java.nio.ByteBuffer;

/** How one batch is dealt out to warps. Immutable. */
final class ChecksumLaunchPlan {
    // The rows of a chunk begin with the row that holds its prelude, PRELUDE_BYTES in front of it. So every chunk has
    // a row, also an empty chunk. Rows of all chunks are dealt out evenly, but no warp gets fewer than
    // MIN_ROWS_PER_WARP. Each warp pays for one more term (the price of 24 rows), and each cta for filling its
    // tables.

    static final int MIN_ROWS_PER_WARP = 16;

    private final ChunkRanges chunks;
    private final long rowCount;
    private final long rowsPerWarp;
    private final int ctaCount;

    private ChecksumLaunchPlan(ChunkRanges chunks, long rowCount, long rowsPerWarp, int ctaCount) {
        this.chunks = chunks;
        this.rowCount = rowCount;
        this.rowsPerWarp = rowsPerWarp;
        this.ctaCount = ctaCount;
    }

    static ChecksumLaunchPlan of(ChunkRanges chunks, int residentWarpCount) {
        long rowCount = 0;
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            rowCount += rowCount(chunks, chunk);
        }
        long warpCount = Math.max(1, Math.min(residentWarpCount, ceilDiv(rowCount, MIN_ROWS_PER_WARP)));
        long rowsPerWarp = Math.max(1, ceilDiv(rowCount, warpCount));
        long ctaCount = Math.max(1, ceilDiv(ceilDiv(rowCount, rowsPerWarp), ChecksumKernels.CTA_WARPS));
        return new ChecksumLaunchPlan(chunks, rowCount, rowsPerWarp, Math.toIntExact(ctaCount));
    }

    /** Size of the chunk table. */
    static long tableBytes(int chunkCount) {
        return (chunkCount + 1L) * ChecksumKernels.CHUNK_ENTRY_BYTES;
    }

    int chunkCount() {
        return chunks.count();
    }

    long rowCount() {
        return rowCount;
    }

    long rowsPerWarp() {
        return rowsPerWarp;
    }

    int ctaCount() {
        return ctaCount;
    }

    /** Writes the chunk table at the buffer's position. */
    void writeTable(ByteBuffer table) {
        long row = 0;
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            table.putLong(row).putLong(chunks.offsetBytes(chunk)).putLong(chunks.lengthBytes(chunk));
            row += rowCount(chunks, chunk);
        }
        table.putLong(row).putLong(0).putLong(0);
    }

    private static long rowCount(ChunkRanges chunks, int chunk) {
        long begin = chunks.offsetBytes(chunk);
        long firstRow = Math.floorDiv(begin - ChecksumKernels.PRELUDE_BYTES, (long) ChecksumKernels.ROW_BYTES);
        return ceilDiv(
                begin + chunks.lengthBytes(chunk) - firstRow * ChecksumKernels.ROW_BYTES, ChecksumKernels.ROW_BYTES);
    }

    private static long ceilDiv(long dividend, long divisor) {
        return -Math.floorDiv(-dividend, divisor);
    }
}
