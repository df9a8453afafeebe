package io.warpcodec.engine.cpu;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Coders that wait for their next chunk: making one (native memory, tables) costs more than a small chunk. At most
 * {@link #KEPT_PER_KEY} wait for each key; the rest is closed. Thread-safe.
 */
final class IdleCoders<K, C extends AutoCloseable> {
    private static final int KEPT_PER_KEY = Math.max(4, Runtime.getRuntime().availableProcessors());

    private final ConcurrentHashMap<K, ConcurrentLinkedDeque<C>> idle = new ConcurrentHashMap<>();

    /** A waiting coder, or null. */
    C take(K key) {
        ConcurrentLinkedDeque<C> waiting = idle.get(key);
        return waiting == null ? null : waiting.pollFirst();
    }

    void give(K key, C coder) {
        ConcurrentLinkedDeque<C> waiting = idle.computeIfAbsent(key, absent -> new ConcurrentLinkedDeque<>());
        if (waiting.size() < KEPT_PER_KEY) {
            waiting.addFirst(coder);
        } else {
            try {
                coder.close();
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
