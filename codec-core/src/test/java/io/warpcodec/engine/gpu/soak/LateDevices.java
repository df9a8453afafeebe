package io.warpcodec.engine.gpu.soak;

import com.github.luben.zstd.Zstd;
import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Mode;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuEngines;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Mode {@code auto} on scripted devices that are late by so many milliseconds at everything that a stream does. Streams
 * of some threads run at once, in turns with streams on the CPU alone; .gz, and .zst as one frame of zstd-jni, are only
 * read. Devices without delay load the classes first.
 *
 * <p>Prints a line for each delay, place of the devices, format, direction and size. A line has the CPU's median,
 * mean and slowest stream, and the slowest stream, the mean stream and the number of streams in {@code auto}. Its
 * last two figures are how far the slowest in {@code auto} is above four times the CPU's median and 20 ms, and above
 * four times the CPU's mean and 20 ms.
 *
 * <pre>
 * usage: LateDevices [SECONDS_A_POINT [THREADS [PAUSES [FORMATS]]]]
 *   THREADS  1
 *   PAUSES   threads sleep between streams, on average so many times what a stream takes one thread on the CPU: 0
 *   FORMATS  names separated by commas: all
 * </pre>
 */
public final class LateDevices {
    private static final PoolLimits LIMITS =
            new PoolLimits(220 << 20, 256 << 20, 2 << 20, 0, TimeUnit.SECONDS.toNanos(60));

    /** What streams read, and write unless they are said only to read. */
    private enum Kind {
        LZ4_FRAME(GpuStreams.LZ4_FRAME, true),
        SNAPPY_HADOOP(GpuStreams.SNAPPY_HADOOP, true),
        GZIP(GpuStreams.GZIP, false),
        ZSTD(GpuStreams.ZSTD, true),
        ZSTD_ONE_FRAME(GpuStreams.ZSTD, false);

        private final GpuStreams streams;
        private final boolean writes;

        Kind(GpuStreams streams, boolean writes) {
            this.streams = streams;
            this.writes = writes;
        }

        byte[] file(byte[] raw) throws IOException {
            return this == ZSTD_ONE_FRAME ? Zstd.compress(raw, 3) : streams.write(raw, 256 << 10);
        }
    }

    private static final int LOADING_ROUNDS = 5;
    private static final int[] DELAYS_MILLIS = {2, 20, 100, 1000};
    private static final int[] SIZES = {24_000_000, 1_000_000};

    private LateDevices() {}

    /** A stream over all of the data. */
    private interface Work {
        void run(CodecOptions options) throws IOException;
    }

    public static void main(String[] arguments) throws Exception {
        int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        Crew crew = new Crew(
                arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1,
                arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0);
        System.out.println("devices,late_ms,format,direction,raw_bytes,cpu_ms,cpu_mean_ms,cpu_worst_ms,"
                + "auto_worst_ms,auto_mean_ms,streams,over_ms,over_mean_ms");
        List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
        if (arguments.length > 3) {
            kinds.removeIf(kind -> !List.of(arguments[3].split(",")).contains(kind.name()));
        }
        for (Kind kind : kinds) {
            byte[] raw = GpuStreams.text(SIZES[0], 1);
            byte[] file = kind.file(raw);
            for (boolean own : new boolean[] {true, false}) {
                try (Devices devices = new Devices(own)) {
                    for (int round = 0; round < LOADING_ROUNDS; round++) {
                        CodecOptions auto = kind.streams.options.withMode(Mode.AUTO);
                        read(kind.streams, auto, file, raw.length);
                        if (kind.writes) {
                            write(kind.streams, auto, raw);
                        }
                    }
                }
            }
        }
        for (Kind kind : kinds) {
            for (int bytes : SIZES) {
                byte[] raw = GpuStreams.text(bytes, 1);
                byte[] file = kind.file(raw);
                Work reads = options -> read(kind.streams, options, file, raw.length);
                Work writes = options -> write(kind.streams, options, raw);
                for (int delay : DELAYS_MILLIS) {
                    for (String where : new String[] {"own", "served"}) {
                        point(kind, "read", raw.length, reads, delay, where, crew, seconds);
                        if (kind.writes) {
                            point(kind, "write", raw.length, writes, delay, where, crew, seconds);
                        }
                    }
                }
            }
        }
        System.exit(0);
    }

    private static void read(GpuStreams kind, CodecOptions options, byte[] file, long bytes) throws IOException {
        try (ChunkedInputStream in = new ChunkedInputStream(new ByteArrayInputStream(file), kind.format, options)) {
            if (in.transferTo(OutputStream.nullOutputStream()) != bytes) {
                throw new IOException("wrong length");
            }
        }
    }

    private static void write(GpuStreams kind, CodecOptions options, byte[] raw) throws IOException {
        try (ChunkedOutputStream out = new ChunkedOutputStream(OutputStream.nullOutputStream(), kind.format, options)) {
            out.write(raw);
        }
    }

    private static double millis(Work work, CodecOptions options) throws IOException {
        long begin = System.nanoTime();
        work.run(options);
        return (System.nanoTime() - begin) / 1e6;
    }

    /** Threads that work at once. */
    private record Crew(int threads, int pauses) {
        private static final int STREAMS = 4;

        /** Milliseconds of each of a few streams of every thread. */
        List<Double> run(Work work, CodecOptions options, double pauseMillis) throws Exception {
            ExecutorService executor = Executors.newFixedThreadPool(threads);
            try {
                List<Callable<List<Double>>> shifts = Collections.nCopies(threads, () -> {
                    List<Double> took = new ArrayList<>();
                    for (int stream = 0; stream < STREAMS; stream++) {
                        if (pauses > 0) {
                            double pause = 2 * ThreadLocalRandom.current().nextDouble() * pauses * pauseMillis;
                            TimeUnit.MICROSECONDS.sleep((long) (1000 * pause));
                        }
                        took.add(millis(work, options));
                    }
                    return took;
                });
                List<Double> all = new ArrayList<>();
                for (Future<List<Double>> shift : executor.invokeAll(shifts)) {
                    all.addAll(shift.get());
                }
                return all;
            } finally {
                executor.shutdown();
            }
        }
    }

    private static void point(
            Kind kind, String direction, int bytes, Work work, int delay, String where, Crew crew, int seconds)
            throws Exception {
        CodecOptions auto = kind.streams.options.withMode(Mode.AUTO);
        CodecOptions cpu = kind.streams.options.withMode(Mode.CPU);
        List<Double> alone = new ArrayList<>();
        List<Double> took = new ArrayList<>();
        double oneMillis = Math.min(millis(work, cpu), millis(work, cpu));
        try (Devices devices = new Devices(where.equals("own"))) {
            devices.late(delay);
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(seconds)) {
                alone.addAll(crew.run(work, cpu, oneMillis));
                took.addAll(crew.run(work, auto, oneMillis));
            }
            devices.late(0);
        }
        Collections.sort(alone);
        double cpuMillis = alone.get(alone.size() / 2);
        double cpuMean = mean(alone);
        double worst = Collections.max(took);
        System.out.printf(
                Locale.ROOT,
                "%s,%d,%s,%s,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%d,%.1f,%.1f%n",
                where,
                delay,
                kind,
                direction,
                bytes,
                cpuMillis,
                cpuMean,
                alone.get(alone.size() - 1),
                worst,
                mean(took),
                took.size(),
                Math.max(0, worst - 4 * cpuMillis - 20),
                Math.max(0, worst - 4 * cpuMean - 20));
    }

    private static double mean(List<Double> millis) {
        return millis.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** Scripted devices of this process or of a service, installed. */
    private static final class Devices implements AutoCloseable {
        private final ScriptedDriver driver;
        private final AutoCloseable opened;
        private volatile int millis;

        Devices(boolean own) throws InterruptedException {
            DevicePool pool;
            if (own) {
                ScriptedGpu gpu = new ScriptedGpu(new CpuEngine(), 1, LIMITS, DeviceChoices.learning()).started();
                driver = gpu.driver();
                opened = gpu;
                pool = gpu.pool();
                Engines.installAccelerator(gpu.engine());
            } else {
                ScriptedNode node = ScriptedNode.open(1, LIMITS);
                driver = node.driver();
                opened = node;
                pool = node.pool();
                Engines.installAccelerator(GpuEngines.over(new CpuEngine(), pool, DeviceChoices.learning()));
            }
            pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
        }

        void late(int delayMillis) {
            millis = delayMillis;
            driver.script((call, n) -> {
                if (call == Call.WORK && millis > 0) {
                    try {
                        TimeUnit.MILLISECONDS.sleep(millis);
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                }
                return 0;
            });
        }

        @Override
        public void close() throws Exception {
            Engines.installAccelerator(null);
            opened.close();
        }
    }
}
