package io.warpcodec.device.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.TestSeed;
import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.pool.ScratchArena.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScratchArenaTest {
    private static final int GRAIN = FreeRanges.GRAIN_BYTES;
    private static final long CAPACITY = 100L * GRAIN;

    @Test
    void rangesNeverOverlapAndAllComesBack() {
        Random random = new Random(TestSeed.value());
        ScratchArena arena = new ScratchArena(CAPACITY);
        List<Range> held = new ArrayList<>();
        for (int turn = 0; turn < 20_000; turn++) {
            if (random.nextBoolean()) {
                long bytes = random.nextInt(30 * GRAIN);
                Range range = arena.tryTake(bytes);
                if (range != null) {
                    assertThat(range.bytes()).isBetween(bytes, bytes + GRAIN - 1);
                    assertThat(range.offset()).isBetween(0L, CAPACITY - range.bytes());
                    assertThat(held)
                            .noneMatch(other -> other.offset() < range.limit() && range.offset() < other.limit());
                    held.add(range);
                } else {
                    assertThat(longestGap(held)).isLessThan(WaveSlot.aligned(bytes));
                }
            } else if (!held.isEmpty()) {
                arena.give(held.remove(random.nextInt(held.size())));
            }
            assertThat(arena.lentBytes())
                    .isEqualTo(held.stream().mapToLong(Range::bytes).sum());
        }
        held.forEach(arena::give);
        assertThat(arena.tryTake(CAPACITY)).isEqualTo(new Range(0, CAPACITY));
    }

    private static long longestGap(List<Range> held) {
        long longest = 0;
        for (long at = 0; at < CAPACITY; at += GRAIN) {
            long from = at;
            while (at < CAPACITY && isFree(held, at)) {
                at += GRAIN;
            }
            longest = Math.max(longest, at - from);
        }
        return longest;
    }

    private static boolean isFree(List<Range> held, long at) {
        return held.stream().noneMatch(range -> range.offset() <= at && at < range.limit());
    }

    @Test
    void aWaveThatNeedsNoneAlwaysGetsIt() {
        ScratchArena arena = new ScratchArena(CAPACITY);
        arena.tryTake(CAPACITY);
        arena.keepPlace("large", CAPACITY);
        assertThat(arena.tryTake(0)).isEqualTo(new Range(0, 0));
        assertThat(arena.tryTakeBeside(0)).isEqualTo(new Range(0, 0));
        arena.give(new Range(0, 0));
    }

    @Test
    void givingBackTwiceIsNoticed() {
        ScratchArena arena = new ScratchArena(CAPACITY);
        Range range = arena.tryTake(1);
        arena.give(range);
        assertThatThrownBy(() -> arena.give(range)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void thePlaceThatIsKeptIsWhereTheFewestWavesAre() {
        ScratchArena arena = new ScratchArena(CAPACITY);
        arena.tryTake(30 * GRAIN);
        Range second = arena.tryTake(10 * GRAIN);
        Range third = arena.tryTake(30 * GRAIN);
        arena.keepPlace("large", 50 * GRAIN);
        // it begins where the third does, which is the only one in it
        arena.give(second);
        assertThat(arena.tryTakeBeside(11 * GRAIN)).isNull();
        assertThat(arena.tryTakeBeside(10 * GRAIN)).isEqualTo(second);
        assertThat(arena.tryTakeBeside(10 * GRAIN)).isEqualTo(new Range(90 * GRAIN, 10 * GRAIN));
        assertThat(arena.tryTake(50 * GRAIN)).isNull();
        arena.give(third);
        assertThat(arena.tryTake(50 * GRAIN)).isNotNull();
    }

    /** Whatever others do beside the place, it is free as soon as those are gone that were in it. */
    @Test
    void nothingMoreIsLentInThePlaceThatIsKept() {
        Random random = new Random(TestSeed.value());
        for (int trial = 0; trial < 500; trial++) {
            ScratchArena arena = new ScratchArena(CAPACITY);
            List<Range> before = new ArrayList<>();
            long wanted = (20 + random.nextInt(60)) * (long) GRAIN;
            Range taken = arena.tryTake(wanted);
            while (taken != null) {
                before.add(taken);
                taken = arena.tryTake((1 + random.nextInt(12)) * (long) GRAIN);
            }
            List<Range> after = new ArrayList<>();
            while (!before.isEmpty()) {
                arena.keepPlace("large", wanted);
                Range other = arena.tryTakeBeside((1 + random.nextInt(6)) * (long) GRAIN);
                if (other != null) {
                    after.add(other);
                }
                arena.give(before.remove(random.nextInt(before.size())));
                // a place that is smaller, or another program's, would be kept elsewhere
                if (random.nextBoolean()) {
                    arena.keepPlace("large", wanted - GRAIN);
                }
            }
            assertThat(arena.tryTake(wanted)).as("%d others", after.size()).isNotNull();
        }
    }
}
