package io.warpcodec.engine.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.choice.AcceleratorStart.Found;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that work on the CPU while devices start, more of them than processors. */
class CpuBesideStartTest {
    private static final CodecOptions AUTO = CodecOptions.DEFAULTS.withMode(Mode.AUTO);
    private static final int THREADS = CpuBesideStart.TURNS + 3;

    private final ScriptedProcess process = new ScriptedProcess();
    private final CountDownLatch startMayEnd = new CountDownLatch(1);
    private final CountDownLatch workMayEnd = new CountDownLatch(1);
    private final AtomicInteger working = new AtomicInteger();
    private final AcceleratorStart start = new AcceleratorStart(this::search, () -> process, process);
    private final EngineSelector engines = new EngineSelector(new Waiting(), start);
    private final List<Thread> threads = new ArrayList<>();

    private Found search() {
        try {
            startMayEnd.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return new Found(null, FallbackReason.NO_GPU_ENGINE);
    }

    /** Chunks of it are worked on until they may end. */
    private final class Waiting extends ForwardingEngine {
        @Override
        public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
            return new Batch<>() {
                @Override
                public int size() {
                    return chunks.size();
                }

                @Override
                public DecodedChunk take(int index) throws IOException {
                    working.incrementAndGet();
                    try {
                        workMayEnd.await();
                    } catch (InterruptedException interrupted) {
                        throw new IOException(interrupted);
                    } finally {
                        working.decrementAndGet();
                    }
                    return null;
                }

                @Override
                public void close() {
                    // holds nothing
                }
            };
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        startMayEnd.countDown();
        workMayEnd.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Each thread asks a selector of its own, as each stream does. */
    private void beginWork(Mode mode) {
        for (int i = 0; i < THREADS; i++) {
            EngineSelector own = engines.observed(() -> {});
            Thread thread = new Thread(() -> {
                try {
                    own.choose(Format.LZ4, Direction.DECODE, AUTO.withMode(mode))
                            .decode(Format.LZ4, AUTO, List.of())
                            .take(0);
                } catch (IOException interrupted) {
                    // its work was not to end
                }
            });
            threads.add(thread);
            thread.start();
        }
    }

    private void awaitWorking(int count) {
        while (working.get() != count) {
            Thread.onSpinWait();
        }
    }

    /** All threads work or wait for their turn. */
    private void awaitStanding() {
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        }
    }

    private void beginStart() {
        start.expectLongLife();
        start.consider();
        assertThat(start.isUnderWay()).isTrue();
    }

    @Test
    void aProcessorIsLeftToTheStart() {
        beginStart();
        beginWork(Mode.AUTO);
        awaitWorking(CpuBesideStart.TURNS);
        awaitStanding();
        assertThat(working).hasValue(CpuBesideStart.TURNS);
    }

    @Test
    void aTurnGoesToTheNextThread() throws InterruptedException {
        beginStart();
        beginWork(Mode.AUTO);
        awaitWorking(CpuBesideStart.TURNS);
        workMayEnd.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(start.isUnderWay()).isTrue();
    }

    @Test
    void allWorkWhenTheStartIsOver() {
        beginStart();
        beginWork(Mode.AUTO);
        awaitWorking(CpuBesideStart.TURNS);
        startMayEnd.countDown();
        awaitWorking(THREADS);
    }

    @Test
    void aStartThatHangsCostsNoProcessors() {
        beginStart();
        beginWork(Mode.AUTO);
        awaitWorking(CpuBesideStart.TURNS);
        process.lived(100 * StartCosts.LEAST_START_NANOS);
        awaitWorking(THREADS);
        assertThat(start.isUnderWay()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"AUTO", "CPU"})
    void withoutAStartNothingWaits(Mode mode) {
        if (mode == Mode.CPU) {
            beginStart();
        }
        beginWork(mode);
        awaitWorking(THREADS);
    }

    @Test
    void aThreadThatIsInterruptedGoesOn() {
        beginStart();
        beginWork(Mode.AUTO);
        awaitWorking(CpuBesideStart.TURNS);
        threads.forEach(Thread::interrupt);
        awaitWorking(0);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "8,7", "15,14", "16,14", "32,28"})
    void anEighthIsLeft(int processors, int turns) {
        assertThat(CpuBesideStart.turns(processors)).isEqualTo(turns);
    }
}
