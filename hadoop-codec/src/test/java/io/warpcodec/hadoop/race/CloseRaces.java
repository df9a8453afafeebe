package io.warpcodec.hadoop.race;

import io.warpcodec.Engines;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.choice.AcceleratorStart;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.engine.choice.StartEvidence;
import io.warpcodec.engine.choice.StartTurns;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.RealGpu;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Streams of a codec that other threads close at random moments, beside streams that nothing closes. The orders of
 * events that are known to do harm have tests of their own. This program looks for others, on a real device too.
 *
 * <pre>
 * java -cp ... io.warpcodec.hadoop.race.CloseRaces CODEC|all SECONDS [cpu|scripted|gpu] [SEED]
 * </pre>
 *
 * Some threads read and write streams that are closed under them, some close, and others read and write streams of
 * their own ("innocent"). It is a violation if:
 *
 * <ul>
 *   <li>a read delivers a byte of another stream, or says too early that its stream has ended;
 *   <li>a written stream is whole that should not be, or decodes to anything but what was written;
 *   <li>anything but an IOException is thrown;
 *   <li>an innocent stream fails;
 *   <li>at the end, a source or sink was not closed exactly once, or a thread or a lease is left.
 * </ul>
 *
 * Prints a line of counts for each codec, and exits with 1 if there was a violation. The order of events differs from
 * run to run; the seed decides only what each thread does.
 */
public final class CloseRaces {
    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int MOST_PRINTED = 20;
    private static final List<String> OF_THE_PROCESS = List.of(
            "ForkJoinPool", "CompletableFutureDelayScheduler", "StatisticsDataReferenceCleaner", "warpcodec device");

    private CloseRaces() {}

    public static void main(String[] arguments) throws Exception {
        List<CodecUnderTest> subjects = arguments[0].equals("all")
                ? List.of(CodecUnderTest.values())
                : List.of(CodecUnderTest.valueOf(arguments[0].toUpperCase(Locale.ROOT)));
        double seconds = Double.parseDouble(arguments[1]);
        String engine = arguments.length > 2 ? arguments[2] : "cpu";
        long seed = arguments.length > 3 ? Long.parseLong(arguments[3]) : System.nanoTime();
        int violations = 0;
        for (CodecUnderTest subject : subjects) {
            Result result = run(subject, seconds, engine, seed);
            System.out.println(result);
            result.violations().stream().limit(MOST_PRINTED).forEach(System.out::println);
            violations += result.violations().size();
        }
        System.exit(violations == 0 ? 0 : 1);
    }

    /**
     * What a run came to.
     *
     * @param line its counts
     * @param violations what went wrong; empty if nothing did
     */
    record Result(String line, List<String> violations) {
        @Override
        public String toString() {
            return line + ", violations: " + violations.size();
        }
    }

    /** Runs one codec for so long on an engine of its own. */
    static Result run(CodecUnderTest subject, double seconds, String engineName, long seed) throws Exception {
        RaceCounts counts = new RaceCounts();
        Set<Thread> threadsBefore = threads();
        Path folder = Files.createTempDirectory("close-races");
        try (RaceEngine engine = RaceEngine.open(engineName)) {
            RaceFiles files = RaceFiles.write(subject, folder, seed);
            List<Thread> threads = new RaceThreads(subject, files, counts, seed).startAll();
            Thread.sleep((long) (seconds * 1000));
            counts.stop();
            for (Thread thread : threads) {
                thread.join(SETTLE_NANOS / 1_000_000);
                counts.require(!thread.isAlive(), "a thread is left: " + thread.getName());
            }
            counts.requireAllClosed();
            await(() -> engine.lentBytes.getAsLong() == 0);
            counts.require(engine.lentBytes.getAsLong() == 0, "bytes are left lent: " + engine.lentBytes.getAsLong());
        } finally {
            Engines.installAccelerator(null);
            delete(folder);
        }
        await(() -> threadsBefore.containsAll(threads()));
        counts.require(threadsBefore.containsAll(threads()), "threads are left: " + threads());
        return new Result(
                String.format(Locale.ROOT, "%s on %s, seed %d, %.1f s: %s", subject, engineName, seed, seconds, counts),
                counts.violations());
    }

    private static void await(BooleanSupplier settled) throws InterruptedException {
        long start = System.nanoTime();
        while (!settled.getAsBoolean() && System.nanoTime() - start < SETTLE_NANOS) {
            Thread.sleep(1);
        }
    }

    /**
     * Those of the streams: the JVM's own come and go, Hadoop's cleaner and the thread of a real device stay as long
     * as the process.
     */
    private static Set<Thread> threads() {
        Thread[] all = new Thread[Thread.activeCount() + 100];
        int count = Thread.enumerate(all);
        return Arrays.stream(all, 0, count)
                .filter(thread -> OF_THE_PROCESS.stream().noneMatch(thread.getName()::contains))
                .collect(Collectors.toSet());
    }

    private static void delete(Path folder) throws IOException {
        List<Path> paths = new ArrayList<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(paths::add);
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }

    /** An engine and its bytes that are lent. */
    private record RaceEngine(Engine engine, LongSupplier lentBytes, Runnable closer) implements AutoCloseable {
        static RaceEngine open(String name) throws Exception {
            RaceEngine opened = switch (name) {
                case "cpu" -> new RaceEngine(null, () -> 0, () -> {});
                case "scripted" -> {
                    ScriptedGpu gpu = new ScriptedGpu(new CpuEngine(), 2, ScriptedGpu.smallLimits()).started();
                    yield new RaceEngine(gpu.engine(), gpu.pool()::lentBytes, gpu::close);
                }
                case "gpu" -> {
                    Engine gpu = RealGpu.open(new CpuEngine());
                    if (gpu.unavailableReason(true) != null) {
                        throw new IllegalStateException("no device: " + gpu.unavailableReason(true));
                    }
                    yield new RaceEngine(gpu, () -> RealGpu.lentBytes(gpu), () -> {});
                }
                default -> throw new IllegalArgumentException("no engine named " + name);
            };
            // "cpu" finds no device, also where there is one: a process in mode auto would start it after a while
            AcceleratorStart start = opened.engine == null
                    ? new AcceleratorStart(
                            () -> new AcceleratorStart.Found(null, FallbackReason.NO_DRIVER),
                            StartTurns::alone,
                            StartEvidence.ofThisProcess())
                    : AcceleratorStart.of(opened.engine);
            Engines.install(new EngineSelector(new CpuEngine(), start));
            return opened;
        }

        @Override
        public void close() {
            closer.run();
        }
    }
}
