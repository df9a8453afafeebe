package io.warpcodec.device.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.pool.ScriptedDriver.Call;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that was stopped for longer than the watchdog allows, by a debugger, a long collection or the move of its
 * machine, keeps its device.
 */
class DevicePauseTest {
    private static final long WATCHDOG_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);
    /**
     * Seconds that the child process is stopped; three quarters of it, and at most the production watchdog of 10 s,
     * is the watchdog's time.
     */
    private static final int STOP_SECONDS = Integer.getInteger("warpcodec.test.pause.seconds", 4);

    private static final int TASKS = 8;

    @ParameterizedTest
    @CsvSource({"WORK,1", "WORK,8", "IS_DONE,1", "IS_DONE,8"})
    void aJumpOfTheClockIsNoSilence(Call call, int tasks) throws Exception {
        try (HangingWave wave = new HangingWave(WATCHDOG_NANOS).hang(call).await(call, tasks)) {
            wave.jump(PAUSE_NANOS).awaitLooks(3).jump(PAUSE_NANOS).awaitLooks(3);
            assertThat(wave.letGo()).isEqualTo(tasks);
            assertThat(wave.lostDevices()).isZero();
        }
    }

    @Test
    void aDeviceThatWasIdleForLongIsNotSilent() throws Exception {
        try (HangingWave wave = new HangingWave(WATCHDOG_NANOS).hang(Call.WORK).jump(PAUSE_NANOS)) {
            wave.await(Call.WORK, 1).awaitLooks(3);
            assertThat(wave.letGo()).isEqualTo(1);
            assertThat(wave.lostDevices()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"WORK", "IS_DONE"})
    void aDeviceThatHangsIsGivenUpAllTheSame(Call call) throws Exception {
        try (HangingWave wave = new HangingWave(TimeUnit.MILLISECONDS.toNanos(300))) {
            wave.hang(call).await(call, 1);
            wave.awaitEnd();
            assertThat(wave.lostDevices()).isEqualTo(1);
            assertThat(wave.letGo()).isZero();
        }
    }

    @Test
    void silenceIsCountedInStepsOfTheWaitingTask() {
        AtomicLong clock = new AtomicLong(5);
        AtomicLong turns = new AtomicLong(7);
        SilenceWatch watch = new SilenceWatch(clock::get, turns::get);
        clock.addAndGet(100);
        assertThat(watch.silentNanos(true)).isEqualTo(100);
        clock.addAndGet(PAUSE_NANOS);
        assertThat(watch.silentNanos(true)).isEqualTo(100 + ObservedTime.MOST_STEP_NANOS);
        turns.incrementAndGet();
        clock.addAndGet(50);
        assertThat(watch.silentNanos(true)).as("the thread has turned").isZero();
        clock.addAndGet(50);
        assertThat(watch.silentNanos(true)).isEqualTo(50);
        clock.addAndGet(50);
        assertThat(watch.silentNanos(false)).as("the thread has nothing to do").isZero();
        clock.addAndGet(50);
        assertThat(watch.silentNanos(true)).isEqualTo(50);
    }

    /** {@code SIGSTOP}, a while, {@code SIGCONT}. */
    @Test
    void aStoppedProcessKeepsItsDevice() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoppedProcess.class.getName(),
                        Long.toString(Math.min(WATCHDOG_NANOS, TimeUnit.MILLISECONDS.toNanos(STOP_SECONDS * 750L))))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("waiting");
            signal("STOP", child);
            // the pause itself is what is tested
            Thread.sleep(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
            signal("CONT", child);
            child.getOutputStream().write('\n');
            child.getOutputStream().flush();
            assertThat(said.readLine()).isEqualTo(TASKS + " done, 0 devices lost");
        } finally {
            child.destroyForcibly();
        }
    }

    private static void signal(String name, Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Main class: tasks wait for a wave that ends once a line has come in and each of them has looked at the clock. */
    static final class StoppedProcess {
        public static void main(String[] arguments) throws Exception {
            try (HangingWave wave = new HangingWave(Long.parseLong(arguments[0]))) {
                wave.hang(Call.WORK).await(Call.WORK, TASKS);
                System.out.println("waiting");
                System.in.read();
                wave.awaitLooks(3);
                System.out.println(wave.letGo() + " done, " + wave.lostDevices() + " devices lost");
            }
        }
    }
}
