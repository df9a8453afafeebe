package io.warpcodec.engine.gpu.soak;

import io.warpcodec.Engines;
import io.warpcodec.Mode;
import io.warpcodec.PoolSettings;
import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.pool.FaultyDriver;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.serve.NodeCaps;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuEngines;
import io.warpcodec.engine.gpu.GpuPrograms;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.node.ServedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.Metrics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Endurance: many threads read and write all containers that devices take, contents of every size and nature, and
 * compare every byte, while inputs are damaged, streams abandoned, threads interrupted and driver calls failed. It
 * ends after so many raw bytes or minutes, whichever comes first; at half time and at the end everybody stops, and
 * nothing may be lent.
 *
 * <p>Exit code 1 if a byte or an error differs, memory is not given back, or other devices are given up than {@code
 * --lose-device} loses. The code is 1 too if the second half needed more than the first by more than the slack that
 * {@link SoakMarks} names. The slack of the live heap is {@link #LIVE_SLACK_BYTES}.
 *
 * <pre>
 * usage: Soak [--driver cuda|scripted|none] [--mode gpu|auto|cpu] [--bytes 2e12] [--minutes 8] [--threads 32] [--largest BYTES] [--encode true]
 *             [--fault-every OPERATIONS] [--driver-fault-every CALLS] [--lose-device true] [--node true] [--seed N] [--out soak.csv]
 * </pre>
 *
 * {@code --node}: through a node's service. {@code --lose-device}, with mode auto, loses the device after nine tenths
 * of the time: everything then goes on on the CPU.
 */
final class Soak {
    private static final long LIVE_SLACK_BYTES = 64L << 20;
    private static final double LOSS_SHARE = 0.9;

    private final Map<String, String> options = new TreeMap<>(Map.ofEntries(
            Map.entry("driver", "cuda"),
            Map.entry("mode", "gpu"),
            Map.entry("bytes", "2e12"),
            Map.entry("minutes", "8"),
            Map.entry("threads", "32"),
            Map.entry("largest", Integer.toString(32 << 20)),
            Map.entry("encode", "true"),
            Map.entry("fault-every", "50"),
            Map.entry("driver-fault-every", "400"),
            Map.entry("lose-device", "false"),
            Map.entry("node", "false"),
            Map.entry("seed", Long.toString(TestSeed.value())),
            Map.entry("out", "soak.csv")));
    private final List<String> findings = new ArrayList<>();
    private FaultyDriver driver;
    private OwnPool pool;
    private ServedNode node;

    private Soak() {}

    public static void main(String[] arguments) throws Exception {
        List<String> findings = run(arguments);
        findings.forEach(finding -> System.out.println("FOUND: " + finding));
        System.out.println(findings.isEmpty() ? "soak passed" : "soak failed");
        System.exit(findings.isEmpty() ? 0 : 1);
    }

    /** What is wrong; nothing if all is well. */
    static List<String> run(String... arguments) throws Exception {
        Soak soak = new Soak();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            if (soak.options.put(arguments[i].substring(2), arguments[i + 1]) == null) {
                throw new IllegalArgumentException("no option " + arguments[i]);
            }
        }
        soak.run();
        return soak.findings;
    }

    private long number(String option) {
        return (long) Double.parseDouble(options.get(option));
    }

    private void run() throws Exception {
        long seed = Long.parseLong(options.get("seed"));
        System.out.println("soak: " + options);
        SoakSamples samples = new SoakSamples(seed, (int) number("largest"));
        install(seed);
        try {
            soak(seed, samples);
        } finally {
            if (node != null) {
                node.close();
            } else if (pool != null) {
                pool.close();
            }
        }
    }

    private void install(long seed) throws InterruptedException {
        switch (options.get("driver")) {
            case "cuda" -> {
                if (!DeviceDriver.status().ready()) {
                    throw new IllegalStateException(DeviceDriver.status().reason());
                }
                driver = FaultyDriver.overCuda(seed);
                open(GpuEngines.limits(PoolSettings.current(), driver.devices().size()));
            }
            case "scripted" -> {
                driver = FaultyDriver.over(ScriptedGpu.newDriver(1), seed);
                open(ScriptedGpu.smallLimits());
            }
            default -> Engines.installAccelerator(null);
        }
    }

    private void open(PoolLimits limits) throws InterruptedException {
        pool = driver.openPool(limits, new GpuPrograms());
        pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
        if (!pool.isRunning()) {
            throw new IllegalStateException("no device runs: " + pool.unavailableReason());
        }
        if (Boolean.parseBoolean(options.get("node"))) {
            long bytes = Math.max(limits.pinnedMaxBytes(), 64 << 20);
            NodeCaps caps = new NodeCaps(64, 1024, bytes, 8 * bytes, bytes, 32 << 20);
            node = ServedNode.open(new CpuEngine(), pool, caps);
            Engines.installAccelerator(GpuEngines.over(new CpuEngine(), node.pool(), DeviceChoices.learning()));
        } else {
            Engines.installAccelerator(GpuEngines.over(new CpuEngine(), pool, DeviceChoices.learning()));
        }
        driver.failOneIn((int) number("driver-fault-every"));
    }

    private long lentBytes() {
        return node != null ? node.pool().lentBytes() : pool == null ? 0 : pool.lentBytes();
    }

    private void soak(long seed, SoakSamples samples) throws Exception {
        ReentrantReadWriteLock pauses = new ReentrantReadWriteLock(true);
        ScheduledExecutorService interrupts = Executors.newSingleThreadScheduledExecutor();
        SoakThread.Counts counts = new SoakThread.Counts();
        SoakThread.Shared shared = new SoakThread.Shared(
                samples,
                Mode.valueOf(options.get("mode").toUpperCase(Locale.ROOT)),
                Boolean.parseBoolean(options.get("encode")),
                (int) number("fault-every"),
                pauses.readLock(),
                interrupts,
                counts);
        long lostBefore = devicesLost();
        List<Thread> threads = new ArrayList<>();
        for (int index = 0; index < number("threads"); index++) {
            threads.add(new Thread(new SoakThread(shared, seed + index), "soak " + index));
        }
        SoakMarks marks = new SoakMarks(
                () -> driver == null ? 0 : driver.usedBytes(), this::lentBytes, Path.of(options.get("out")));
        long startNanos = System.nanoTime();
        threads.forEach(Thread::start);
        try {
            watch(startNanos, counts, marks, pauses);
        } finally {
            counts.over = true;
            for (Thread thread : threads) {
                thread.join();
            }
            interrupts.shutdownNow();
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%.1f GB in %.1f s, %.2f GB/s%ndamaged %d, of these refused %d; abandoned %d; interrupted %d%n%s",
                counts.rawBytes.sum() / 1e9,
                seconds,
                counts.rawBytes.sum() / 1e9 / seconds,
                counts.damaged.sum(),
                counts.refused.sum(),
                counts.abandoned.sum(),
                counts.interrupted.sum(),
                marks);
        report();
        if (counts.wrong != null) {
            findings.add(counts.wrong);
        }
        findings.addAll(marks.growths());
        long lost = devicesLost() - lostBefore;
        if (lost != (isLosing() ? driver.devices().size() : 0)) {
            findings.add(lost + " devices given up");
        }
    }

    /** Takes marks every second until it is over; stops everybody at half time and in the end. */
    private void watch(long startNanos, SoakThread.Counts counts, SoakMarks marks, ReentrantReadWriteLock pauses)
            throws Exception {
        double mostSeconds = 60 * Double.parseDouble(options.get("minutes"));
        double mostBytes = Double.parseDouble(options.get("bytes"));
        long liveBytes = 0;
        while (!counts.over) {
            Thread.sleep(1000);
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            long rawBytes = counts.rawBytes.sum();
            marks.take(seconds, rawBytes);
            double share = Math.max(seconds / mostSeconds, rawBytes / mostBytes);
            if (isLosing() && share > LOSS_SHARE) {
                driver.lose();
            }
            if (share >= 0.5 && liveBytes == 0) {
                liveBytes = pause(pauses, "half time");
                marks.startSecondHalf();
            }
            counts.over |= share >= 1;
        }
        long endBytes = pause(pauses, "the end");
        System.out.println("live heap: " + liveBytes + " bytes at half time, " + endBytes + " at the end");
        if (liveBytes != 0 && endBytes - liveBytes > LIVE_SLACK_BYTES) {
            findings.add("the live heap grew from " + liveBytes + " to " + endBytes + " bytes");
        }
    }

    /** With everybody stopped: what lives on the heap. Nothing may be lent then. */
    private long pause(ReentrantReadWriteLock pauses, String when) throws InterruptedException {
        pauses.writeLock().lock();
        try {
            long liveBytes = SoakMarks.liveBytes();
            if (pool != null && pool.isRunning() && lentBytes() != 0) {
                findings.add(lentBytes() + " page-locked bytes are lent at " + when);
            }
            return liveBytes;
        } finally {
            pauses.writeLock().unlock();
        }
    }

    private boolean isLosing() {
        return driver != null && Boolean.parseBoolean(options.get("lose-device"));
    }

    private static long devicesLost() {
        return Metrics.counter("pool.devices-lost").sum();
    }

    private void report() {
        if (driver != null) {
            System.out.println("driver faults: out of memory " + driver.outOfMemoryCount() + ", other "
                    + driver.failedCallCount());
        }
        Metrics.snapshot().forEach((name, value) -> {
            if (value > 0 && (name.startsWith("fallback.") || name.startsWith("pool.") || name.endsWith(".chunks"))) {
                System.out.println(name + " " + value);
            }
        });
    }
}
