package io.warpcodec.engine.cpu;

import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Coders that wait for their next chunk: making one (native memory, tables) costs more than a small chunk. At most
 * {@link #KEPT_PER_KEY} wait for each key; the rest is closed.
 *
 * <p>Those that wait are the garbage collector's, which frees their native memory too: were they held, its cleaner
 * would keep the loader of our classes in memory for ever. Thread-safe.
 */
final class IdleCoders<K, C extends AutoCloseable> {
    private static final int KEPT_PER_KEY = Math.max(4, Runtime.getRuntime().availableProcessors());

    private final ConcurrentHashMap<K, ConcurrentLinkedDeque<WeakReference<C>>> idle = new ConcurrentHashMap<>();

    /** A waiting coder, or null. */
    C take(K key) {
        ConcurrentLinkedDeque<WeakReference<C>> waiting = idle.get(key);
        C found = null;
        if (waiting != null) {
            WeakReference<C> next = waiting.pollFirst();
            while (next != null && (found = next.get()) == null) {
                next = waiting.pollFirst();
            }
        }
        return found;
    }

    void give(K key, C coder) {
        ConcurrentLinkedDeque<WeakReference<C>> waiting =
                idle.computeIfAbsent(key, absent -> new ConcurrentLinkedDeque<>());
        if (waiting.size() >= KEPT_PER_KEY) {
            waiting.removeIf(each -> each.refersTo(null));
        }
        if (waiting.size() < KEPT_PER_KEY) {
            waiting.addFirst(new WeakReference<>(coder));
        } else {
            close(coder);
        }
    }

    private static void close(AutoCloseable coder) {
        try {
            coder.close();
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
