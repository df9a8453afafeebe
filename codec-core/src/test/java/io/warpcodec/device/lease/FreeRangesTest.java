package io.warpcodec.device.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.TestSeed;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FreeRangesTest {
    @Test
    void rangesNeverOverlapAndAllComesBack() {
        long seed = TestSeed.value();
        Random random = new Random(seed);
        int grains = 500;
        FreeRanges ranges = new FreeRanges(grains * FreeRanges.GRAIN_BYTES + 17);
        BitSet taken = new BitSet();
        List<int[]> held = new ArrayList<>();
        for (int turn = 0; turn < 20_000; turn++) {
            if (random.nextBoolean()) {
                int bytes = 1 + random.nextInt(20 * FreeRanges.GRAIN_BYTES);
                int offset = ranges.take(bytes);
                int count = (bytes + FreeRanges.GRAIN_BYTES - 1) / FreeRanges.GRAIN_BYTES;
                if (offset < 0) {
                    assertThat(longestFreeRun(taken, grains))
                            .as("seed %d", seed)
                            .isLessThan(count);
                    continue;
                }
                int first = offset / FreeRanges.GRAIN_BYTES;
                assertThat(offset % FreeRanges.GRAIN_BYTES).isZero();
                assertThat(taken.get(first, first + count).isEmpty())
                        .as("seed %d", seed)
                        .isTrue();
                assertThat(first + count).isLessThanOrEqualTo(grains);
                taken.set(first, first + count);
                held.add(new int[] {offset, bytes, first, count});
            } else if (!held.isEmpty()) {
                int[] back = held.remove(random.nextInt(held.size()));
                ranges.give(back[0], back[1]);
                taken.clear(back[2], back[2] + back[3]);
            }
        }
        held.forEach(back -> ranges.give(back[0], back[1]));
        assertThat(ranges.take(grains * FreeRanges.GRAIN_BYTES))
                .as("joined again, seed %d", seed)
                .isZero();
    }

    private static int longestFreeRun(BitSet taken, int grains) {
        int longest = 0;
        for (int at = 0; at < grains; ) {
            int end = taken.nextSetBit(at);
            end = end < 0 ? grains : end;
            longest = Math.max(longest, end - at);
            at = taken.nextClearBit(end);
        }
        return longest;
    }

    @Test
    void givingBackTwiceIsNoticed() {
        FreeRanges ranges = new FreeRanges(4096);
        int first = ranges.take(300);
        ranges.take(300);
        ranges.give(first, 300);
        assertThatThrownBy(() -> ranges.give(first, 300)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ranges.give(256, 300)).isInstanceOf(IllegalStateException.class);
        // more than was taken, so that it reaches into the free range behind it
        int last = ranges.take(300);
        assertThatThrownBy(() -> ranges.give(last, 3000)).isInstanceOf(IllegalStateException.class);
        assertThat(ranges.take(1)).as("what it reached into is still free").isEqualTo(4 * FreeRanges.GRAIN_BYTES);
    }
}
