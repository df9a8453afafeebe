package io.warpcodec.engine.gpu.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.engine.gpu.block.ChunkRanges;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChecksumLaunchPlanTest {
    private static final int RESIDENT_WARPS = 4224;

    @Test
    void anEmptyChunkHasOneRow() {
        assertThat(rows(100, 0)).isEqualTo(1);
        assertThat(rows(0, 0)).isEqualTo(1);
        assertThat(rows(512, 0)).isEqualTo(1);
    }

    @Test
    void rowsBeginWithTheRowOfThePrelude() {
        assertThat(rows(4, 508)).isEqualTo(1);
        assertThat(rows(4, 509)).isEqualTo(2);
        assertThat(rows(0, 512)).isEqualTo(2);
        assertThat(rows(3, 509)).isEqualTo(2);
        assertThat(rows(3, 510)).isEqualTo(3);
    }

    @Test
    void everyRowIsTakenByExactlyOneWarpOfTheGrid() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int turn = 0; turn < 200; turn++) {
            int count = 1 + random.nextInt(300);
            long[] offsets = random.longs(count, 0, 1L << 40).toArray();
            long[] lengths = random.longs(count, 0, 1L << random.nextInt(1, 40)).toArray();
            ChecksumLaunchPlan plan = ChecksumLaunchPlan.of(new ChunkRanges(offsets, lengths), RESIDENT_WARPS);
            long warps = (long) plan.ctaCount() * ChecksumKernels.CTA_WARPS;
            assertThat(plan.rowsPerWarp() * warps).as("seed %d", seed).isGreaterThanOrEqualTo(plan.rowCount());
            assertThat(warps).as("seed %d", seed).isLessThan(RESIDENT_WARPS + ChecksumKernels.CTA_WARPS);
            assertThat(plan.rowsPerWarp() * (warps - ChecksumKernels.CTA_WARPS))
                    .as("no cta without work, seed %d", seed)
                    .isLessThan(plan.rowCount());
        }
    }

    @Test
    void theTableHoldsRunningRowsOffsetsAndLengths() {
        ChunkRanges chunks = new ChunkRanges(new long[] {4, 600}, new long[] {509, 1});
        ByteBuffer table = ByteBuffer.allocate(Math.toIntExact(ChecksumLaunchPlan.tableBytes(2)))
                .order(ByteOrder.LITTLE_ENDIAN);
        ChecksumLaunchPlan.of(chunks, RESIDENT_WARPS).writeTable(table);
        assertThat(table.hasRemaining()).isFalse();
        long[] words = new long[9];
        table.flip().asLongBuffer().get(words);
        assertThat(words).containsExactly(0, 4, 509, 2, 600, 1, 3, 0, 0);
    }

    @Test
    void rangesThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new ChunkRanges(new long[1], new long[2]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ChunkRanges(new long[] {-1}, new long[] {2}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ChunkRanges(new long[] {1}, new long[] {-2}))
                .isInstanceOf(IllegalArgumentException.class);
        ChunkRanges overflowing = new ChunkRanges(new long[] {Long.MAX_VALUE}, new long[] {Long.MAX_VALUE});
        assertThatThrownBy(() -> overflowing.requireWithin(Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
        ChunkRanges beyond = new ChunkRanges(new long[] {5}, new long[] {6});
        assertThatThrownBy(() -> beyond.requireWithin(10)).hasMessageContaining("chunk 0");
        beyond.requireWithin(11);
    }

    private static long rows(long offset, long length) {
        return ChecksumLaunchPlan.of(new ChunkRanges(new long[] {offset}, new long[] {length}), RESIDENT_WARPS)
                .rowCount();
    }
}
