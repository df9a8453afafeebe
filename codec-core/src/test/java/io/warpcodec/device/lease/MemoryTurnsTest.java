package io.warpcodec.device.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
