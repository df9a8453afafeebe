package io.warpcodec.device.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class MemoryTurnsTest {
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final MemoryTurns turns = new MemoryTurns(System::nanoTime);
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicBoolean free = new AtomicBoolean();

    private boolean attempt() {
        attempts.incrementAndGet();
        return free.get();
    }

    @Test
    void aTaskThatFindsMemoryDoesNotWait() throws InterruptedException {
        free.set(true);
        assertThat(turns.attempt(this::attempt, 0)).isTrue();
        assertThat(attempts).hasValue(1);
    }

    @Test
    void anAttemptThatFailsIsMadeAgainWhenMemoryHasComeBack() throws Exception {
        CompletableFuture<Boolean> waiting = waiting();
        assertThat(turns.isAwaited()).isTrue();
        free.set(true);
        turns.cameBack();
        assertThat(waiting.get()).isTrue();
        assertThat(turns.isAwaited()).isFalse();
    }

    @Test
    void memoryThatComesBackUnnoticedIsFoundAllTheSame() throws Exception {
        CompletableFuture<Boolean> waiting = waiting();
        free.set(true);
        assertThat(waiting.get()).isTrue();
    }

    @Test
    void waitingEnds() throws InterruptedException {
        long start = System.nanoTime();
        assertThat(turns.attempt(this::attempt, 20_000_000)).isFalse();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
        assertThat(turns.isAwaited()).isFalse();
    }

    @Test
    void anInterruptedThreadWaitsNoLonger() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
            thread.complete(Thread.currentThread());
            try {
                return turns.attempt(this::attempt, LONG_NANOS);
            } catch (InterruptedException stopped) {
                return true;
            }
        });
        while (!turns.isAwaited()) {
            Thread.sleep(1);
        }
        thread.get().interrupt();
        assertThat(interrupted.get()).isTrue();
        assertThat(turns.isAwaited()).isFalse();
    }

    /** The first thread has waited so long that the second one may not take memory before it. */
    @Test
    void theOldestThreadComesFirstOnceItHasWaitedLong() throws Exception {
        AtomicLong clock = new AtomicLong();
        MemoryTurns fair = new MemoryTurns(clock::get);
        Queue<String> got = new ConcurrentLinkedQueue<>();
        AtomicInteger memory = new AtomicInteger();
        CompletableFuture<Void> first = taking(fair, memory, "first", got);
        awaitWaiting(fair, 1);
        clock.addAndGet(MemoryTurns.PATIENCE_NANOS);
        AtomicInteger tries = new AtomicInteger();
        CompletableFuture<Boolean> second = attempting(fair, () -> {
            tries.incrementAndGet();
            return got.contains("first") && memory.getAndUpdate(some -> Math.max(0, some - 1)) > 0;
        });
        awaitWaiting(fair, 2);
        assertThat(tries).hasValue(0);
        memory.set(2);
        fair.cameBack();
        first.get();
        assertThat(second.get()).isTrue();
        assertThat(fair.isAwaited()).isFalse();
    }

    @Test
    void aThreadThatComesTakesMemoryWhileOthersHaveNotWaitedLong() throws Exception {
        AtomicLong clock = new AtomicLong();
        MemoryTurns fair = new MemoryTurns(clock::get);
        AtomicBoolean forFirst = new AtomicBoolean();
        CompletableFuture<Boolean> first = attempting(fair, forFirst::get);
        awaitWaiting(fair, 1);
        clock.addAndGet(MemoryTurns.PATIENCE_NANOS - 1);
        assertThat(fair.attempt(() -> true, 0)).isTrue();
        clock.addAndGet(1);
        assertThat(fair.attempt(() -> true, 0)).isFalse();
        forFirst.set(true);
        fair.cameBack();
        assertThat(first.get()).isTrue();
    }

    @Test
    void othersDoNotWaitForAThreadThatFindsNothingForLong() throws Exception {
        AtomicLong clock = new AtomicLong();
        MemoryTurns fair = new MemoryTurns(clock::get);
        AtomicBoolean forFirst = new AtomicBoolean();
        AtomicBoolean forSecond = new AtomicBoolean();
        CompletableFuture<Boolean> first = attempting(fair, forFirst::get);
        awaitWaiting(fair, 1);
        CompletableFuture<Boolean> second = attempting(fair, forSecond::get);
        awaitWaiting(fair, 2);
        clock.addAndGet(MemoryTurns.FIRST_NANOS - 1);
        assertThat(fair.attempt(() -> true, 0)).isFalse();
        clock.addAndGet(1);
        assertThat(fair.attempt(() -> true, 0)).isTrue();
        forFirst.set(true);
        fair.cameBack();
        assertThat(first.get()).isTrue();
        assertThat(fair.attempt(() -> true, 0)).as("the next one is first").isFalse();
        forSecond.set(true);
        fair.cameBack();
        assertThat(second.get()).isTrue();
    }

    /** Pieces of memory come back one by one, and sixteen threads get them in the order in which they came. */
    @Test
    void threadsThatWaitLongHaveTurnsInOrder() throws Exception {
        AtomicLong clock = new AtomicLong();
        MemoryTurns fair = new MemoryTurns(clock::get);
        Queue<String> got = new ConcurrentLinkedQueue<>();
        AtomicInteger memory = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            names.add("thread " + i);
            all.add(taking(fair, memory, "thread " + i, got));
            awaitWaiting(fair, i + 1);
        }
        clock.addAndGet(MemoryTurns.PATIENCE_NANOS);
        for (int i = 0; i < 16; i++) {
            memory.incrementAndGet();
            fair.cameBack();
            while (got.size() <= i) {
                Thread.sleep(1);
            }
        }
        for (CompletableFuture<Void> each : all) {
            each.get();
        }
        assertThat(got).containsExactlyElementsOf(names);
    }

    @Test
    void aThreadThatHasNoUseForWhatCameBackTellsTheNextOne() throws Exception {
        MemoryTurns fair = new MemoryTurns(new AtomicLong()::get);
        AtomicBoolean isLarge = new AtomicBoolean();
        CompletableFuture<Boolean> large = attempting(fair, isLarge::get);
        awaitWaiting(fair, 1);
        CompletableFuture<Boolean> small = attempting(fair, free::get);
        awaitWaiting(fair, 2);
        free.set(true);
        fair.cameBack();
        assertThat(small.get()).isTrue();
        assertThat(large).isNotDone();
        isLarge.set(true);
        fair.cameBack();
        assertThat(large.get()).isTrue();
    }

    private static CompletableFuture<Void> taking(
            MemoryTurns turns, AtomicInteger memory, String name, Queue<String> got) {
        return attempting(turns, () -> {
                    boolean takes = memory.getAndUpdate(some -> Math.max(0, some - 1)) > 0;
                    if (takes) {
                        got.add(name);
                    }
                    return takes;
                })
                .thenAccept(taken -> assertThat(taken).isTrue());
    }

    private static CompletableFuture<Boolean> attempting(MemoryTurns turns, BooleanSupplier attempt) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(turns.attempt(attempt, LONG_NANOS));
            } catch (InterruptedException stopped) {
                result.completeExceptionally(stopped);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static void awaitWaiting(MemoryTurns turns, int count) throws InterruptedException {
        while (turns.waiting() < count) {
            Thread.sleep(1);
        }
    }

    private CompletableFuture<Boolean> waiting() throws InterruptedException {
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return turns.attempt(this::attempt, LONG_NANOS);
            } catch (InterruptedException stopped) {
                return false;
            }
        });
        while (!turns.isAwaited()) {
            Thread.sleep(1);
        }
        return waiting;
    }
}
