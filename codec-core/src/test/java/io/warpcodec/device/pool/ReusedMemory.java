package io.warpcodec.device.pool;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Memory that scripted drivers gave back, kept softly for the drivers of later tests: most tests need less time than
 * fresh memory does to be made. Its contents are what the last one left. Thread-safe.
 */
final class ReusedMemory<T> {
    private final Map<Integer, Deque<SoftReference<T>>> kept = new HashMap<>();
    private final IntFunction<T> maker;

    /** @param maker makes memory of so many bytes */
    ReusedMemory(IntFunction<T> maker) {
        this.maker = maker;
    }

    synchronized T take(int bytes) {
        Deque<SoftReference<T>> same = kept.getOrDefault(bytes, new ArrayDeque<>());
        T memory = null;
        while (memory == null && !same.isEmpty()) {
            memory = same.pop().get();
        }
        return memory != null ? memory : maker.apply(bytes);
    }

    synchronized void keep(int bytes, T memory) {
        kept.computeIfAbsent(bytes, size -> new ArrayDeque<>()).push(new SoftReference<>(memory));
    }
}
