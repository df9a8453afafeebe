package io.warpcodec.hadoop.race;

import io.warpcodec.Engines;
import io.warpcodec.engine.CrankyEngine;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.choice.AcceleratorStart;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.engine.choice.StartEvidence;
import io.warpcodec.engine.choice.StartTurns;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.cpu.base.NativeBytes;
import io.warpcodec.engine.gpu.RealGpu;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Streams and bare coders of a codec that are closed by other threads at random moments, beside streams that nothing
 * closes.
 *
 * <pre>
 * java -cp ... io.warpcodec.hadoop.race.CloseRaces CODEC|all SECONDS [cpu|cranky|scripted|gpu] [SEED]
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
 *   <li>at the end, a source or sink was not closed exactly once, or a descriptor, a thread or a lease is left.
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
        List<RaceSubject> subjects = arguments[0].equals("all")
                ? List.of(RaceSubject.values())
                : List.of(RaceSubject.valueOf(arguments[0].toUpperCase(Locale.ROOT)));
        double seconds = Double.parseDouble(arguments[1]);
        String engine = arguments.length > 2 ? arguments[2] : "cpu";
        long seed = arguments.length > 3 ? Long.parseLong(arguments[3]) : System.nanoTime();
        int violations = 0;
        for (RaceSubject subject : subjects) {
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
     * @param inside calls during which their stream was closed
     * @param violations what went wrong; empty if nothing did
     */
    record Result(String line, long inside, List<String> violations) {
        @Override
        public String toString() {
            return line + ", violations: " + violations.size();
        }
    }

    /** Runs one codec for so long on an engine of its own. */
    static Result run(RaceSubject subject, double seconds, String engineName, long seed) throws Exception {
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
            await(() -> openFilesBelow(folder).isEmpty());
            List<String> left = openFilesBelow(folder);
            counts.require(left.isEmpty(), "descriptors are left: " + left);
            await(() -> engine.lent() == 0);
            counts.require(engine.lent() == 0, "leases are left: " + engine.lent());
        } finally {
            Engines.installAccelerator(null);
            delete(folder);
        }
        if (!engineName.equals("cranky")) {
            await(() -> threadsBefore.containsAll(threads()));
            counts.require(threadsBefore.containsAll(threads()), "threads are left: " + threads());
        }
        return new Result(
                String.format(
                        Locale.ROOT,
                        "%s on %s, seed %d, %.1f s: %s, native KiB taken: %d",
                        subject,
                        engineName,
                        seed,
                        seconds,
                        counts,
                        NativeBytes.taken() >> 10),
                counts.inside(),
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

    /**
     * Files in a folder that this process has open; of all that it has open, other tests and the JVM may open some at
     * any moment.
     */
    private static List<String> openFilesBelow(Path folder) {
        Path descriptors = Path.of("/proc/self/fd");
        List<String> open = new ArrayList<>();
        if (!Files.isDirectory(descriptors)) {
            return open;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(descriptors)) {
            String prefix = folder.toRealPath() + "/";
            for (Path entry : entries) {
                try {
                    String target = Files.readSymbolicLink(entry).toString();
                    if (target.startsWith(prefix)) {
                        open.add(target);
                    }
                } catch (NoSuchFileException closedSince) {
                    continue;
                }
            }
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
        return open;
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

    /** The engine under a run, and how to see what of it is lent. */
    private record RaceEngine(CrankyEngine cranky, ScriptedGpu scripted, Engine gpu) implements AutoCloseable {
        static RaceEngine open(String name) throws Exception {
            CrankyEngine cranky = null;
            ScriptedGpu scripted = null;
            Engine gpu = null;
            Engine engine = null;
            switch (name) {
                case "cpu" -> {
                    // no accelerator
                }
                case "cranky" -> engine = cranky = new CrankyEngine(new CpuEngine(), 1);
                case "scripted" -> {
                    scripted = new ScriptedGpu(new CpuEngine(), 2, ScriptedGpu.smallLimits()).started();
                    engine = scripted.engine();
                }
                case "gpu" -> {
                    engine = gpu = RealGpu.open(new CpuEngine());
                    if (engine.unavailableReason(true) != null) {
                        throw new IllegalStateException("no device: " + engine.unavailableReason(true));
                    }
                }
                default -> throw new IllegalArgumentException("no engine named " + name);
            }
            // "cpu" finds no device, also where there is one: a process in mode auto would start it after a while
            AcceleratorStart start = engine == null
                    ? new AcceleratorStart(
                            () -> new AcceleratorStart.Found(null, FallbackReason.NO_DRIVER),
                            StartTurns::alone,
                            StartEvidence.ofThisProcess())
                    : AcceleratorStart.of(engine);
            Engines.install(cranky != null ? cranky.selector() : new EngineSelector(new CpuEngine(), start));
            return new RaceEngine(cranky, scripted, gpu);
        }

        long lent() {
            if (gpu != null) {
                return RealGpu.lentBytes(gpu);
            }
            return cranky != null
                    ? cranky.lentLeases().size()
                    : scripted != null ? scripted.pool().lentBytes() : 0;
        }

        @Override
        public void close() {
            if (scripted != null) {
                scripted.close();
            }
        }
    }
}
