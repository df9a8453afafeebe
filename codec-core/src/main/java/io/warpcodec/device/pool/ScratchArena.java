package io.warpcodec.device.pool;

import io.warpcodec.device.lease.FreeRanges;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Which parts of a device's scratch are lent: a range for each wave that needs one, from its issue until its stream
 * has done everything. It knows offsets only; the memory is {@link DeviceResources}'. Not thread-safe: guarded by the
 * monitor of the {@link LeaseBook}.
 *
 * <p>The rule, which keeps every wave from starving: the programs of queued leases are looked at in the order of
 * their oldest leases. The first whose wave finds no range {@linkplain #keepPlace keeps a place}: a stretch in which
 * nothing more is lent until this wave has it. Waves that need none, or find a range
 * {@linkplain #tryTakeBeside beside} that place, overtake it. So it waits no longer than the waves that were under
 * way when it began to wait.
 */
final class ScratchArena {
    private final long capacityBytes;
    private final TreeMap<Long, Range> lent = new TreeMap<>();
    private String keeper;
    private Range kept;

    /**
     * A lent range.
     *
     * @param offset a multiple of {@link FreeRanges#GRAIN_BYTES}
     * @param bytes rounded up to such a multiple; 0 for a wave that needs none
     */
    record Range(long offset, long bytes) {
        long limit() {
            return offset + bytes;
        }

        private long bytesWithin(Range other) {
            return Math.max(0, Math.min(limit(), other.limit()) - Math.max(offset, other.offset));
        }
    }

    /** @param capacityBytes all of it, a multiple of {@link FreeRanges#GRAIN_BYTES} */
    ScratchArena(long capacityBytes) {
        this.capacityBytes = capacityBytes;
    }

    long capacityBytes() {
        return capacityBytes;
    }

    /** Bytes lent now. */
    long lentBytes() {
        return lent.values().stream().mapToLong(Range::bytes).sum();
    }

    /** Takes so many bytes wherever they are free; null if they are nowhere. */
    Range tryTake(long bytes) {
        return take(bytes, new ArrayList<>(lent.values()));
    }

    /** As {@link #tryTake}, but takes nothing of the place that was kept last. */
    Range tryTakeBeside(long bytes) {
        List<Range> taken = new ArrayList<>(lent.values());
        taken.add(kept);
        taken.sort(Comparator.comparingLong(Range::offset));
        return take(bytes, taken);
    }

    private Range take(long bytes, List<Range> taken) {
        long wanted = WaveSlot.aligned(bytes);
        if (wanted == 0) {
            return new Range(0, 0);
        }
        long at = 0;
        for (Range range : taken) {
            if (range.offset() - at >= wanted) {
                break;
            }
            at = Math.max(at, range.limit());
        }
        if (capacityBytes - at < wanted) {
            return null;
        }
        Range range = new Range(at, wanted);
        lent.put(at, range);
        return range;
    }

    /**
     * Keeps a place for a wave that found no range: where the fewest waves have to end first, and of such places the
     * one with the least free memory. A program that keeps one goes on keeping the same, unless its wave has grown
     * beyond it; any other's is given up.
     *
     * @param bytes at most the capacity
     */
    void keepPlace(String program, long bytes) {
        long wanted = WaveSlot.aligned(bytes);
        if (program.equals(keeper) && kept.bytes() >= wanted) {
            return;
        }
        List<Range> places = new ArrayList<>(List.of(new Range(0, wanted), new Range(capacityBytes - wanted, wanted)));
        for (Range range : lent.values()) {
            places.add(new Range(range.offset() - wanted, wanted));
            places.add(new Range(range.offset(), wanted));
            places.add(new Range(range.limit() - wanted, wanted));
            places.add(new Range(range.limit(), wanted));
        }
        keeper = program;
        kept = places.stream()
                .filter(place -> place.offset() >= 0 && place.limit() <= capacityBytes)
                .min(Comparator.comparingLong(this::wavesWithin)
                        .thenComparing(this::lentWithin, Comparator.reverseOrder()))
                .orElseThrow();
    }

    private long wavesWithin(Range place) {
        return lent.values().stream()
                .filter(range -> range.bytesWithin(place) > 0)
                .count();
    }

    private long lentWithin(Range place) {
        return lent.values().stream()
                .mapToLong(range -> range.bytesWithin(place))
                .sum();
    }

    /**
     * Takes a range back whose wave's stream has done everything.
     *
     * @throws IllegalStateException if it is not lent
     */
    void give(Range range) {
        if (range.bytes() > 0 && !lent.remove(range.offset(), range)) {
            throw new IllegalStateException("scratch at " + range.offset() + " is given back twice");
        }
    }
}
