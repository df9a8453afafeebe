package io.warpcodec.benchmarks.stream;

import com.sun.management.OperatingSystemMXBean;
import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.PoolSettings;
import io.warpcodec.Settings;
import io.warpcodec.benchmarks.CodecWork;
import io.warpcodec.benchmarks.CountedFallbacks;
import io.warpcodec.benchmarks.ResultFile;
import io.warpcodec.engine.ChoiceReport;
import io.warpcodec.engine.Engine;
import io.warpcodec.metrics.Metrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Speed of whole streams, heap to heap: so many threads, each reading or writing the same text over and over through
 * its own streams. Gives GB/s of raw bytes over all threads, and what the host's processors spent on it: processor
 * seconds of this process, its pool's threads included, per GB. One line of CSV per point; every codec's file is
 * first decoded and compared. At the end, the numbers by which mode {@code auto} chose.
 *
 * <pre>
 * usage: HostToHost [--seconds S] [--size MB] [--formats lz4,snappy] [--modes gpu,auto,cpu[,alone]]
 *                   [--directions decode,encode] [--threads 1,4,16] [--devices N] [--data FILE|KIND]
 *                   [--file own|cpu|first|gzip] [--set WORD=VALUE,...] [--out PATH] [--commit ID]
 * </pre>
 *
 * <p>KIND is the word of a {@link io.warpcodec.benchmarks.DataKind}. The mode {@code alone} leaves the peers out. With
 * {@code --file cpu} ours all read the file that mode {@code cpu} writes. With {@code --file first} all codecs of a
 * format read the file that the first of them writes. With {@code --file gzip} every codec reads the same file: one
 * member, made by zlib's level 6. With {@code --devices} the process has the first N devices to itself; one process
 * for each N. The format {@code memory} is how fast the threads copy arrays, a limit of the host:
 * each byte is read and written.
 */
public final class HostToHost {
    private static final String HEADER =
            "format,codec,mode,direction,threads,gb_s,cpu_s_per_gb,gpu_share,file_bytes,raw_bytes";
    private static final double WARM_UP_SHARE = 0.5;
    private static final String MEMORY = "memory";

    private final Map<String, String> options = new TreeMap<>(Map.ofEntries(
            Map.entry("seconds", "2"),
            Map.entry("size", "64"),
            Map.entry("formats", "lz4,snappy"),
            Map.entry("modes", "gpu,auto,cpu"),
            Map.entry("directions", "decode,encode"),
            Map.entry("threads", "1,4,16"),
            Map.entry("devices", ""),
            Map.entry("data", ""),
            Map.entry("file", "own"),
            Map.entry("set", ""),
            Map.entry("out", "host-to-host.csv")));
    private ResultFile results;
    private byte[] raw;
    private byte[] member;
    private String firstFormat;
    private byte[] firstFile;

    private HostToHost() {}

    public static void main(String[] arguments) throws Exception {
        Engines.expectLongLife();
        HostToHost benchmark = new HostToHost();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            benchmark.options.put(arguments[i].substring(2), arguments[i + 1]);
        }
        benchmark.run();
    }

    private void run() throws Exception {
        raw = CodecWork.raw(options.get("data"), Integer.parseInt(options.get("size")) * 1_000_000);
        results = new ResultFile(options, HEADER);
        Map<String, String> settings = new TreeMap<>();
        words("set").forEach(pair -> settings.put(pair.split("=")[0], pair.split("=")[1]));
        if (!options.get("devices").isEmpty()) {
            settings.put(
                    "devices",
                    IntStream.range(0, Integer.parseInt(options.get("devices")))
                            .mapToObj(Integer::toString)
                            .collect(Collectors.joining(",")));
        }
        // the first codec of a process would decide, which may have no settings
        PoolSettings.install(Settings.pool(settings::get));
        for (String format : words("formats").toList()) {
            if (format.equals(MEMORY)) {
                measureMemory();
                continue;
            }
            for (Contestant contestant : Contestant.of(format, words("modes").toList(), settings)) {
                try {
                    measure(contestant);
                } catch (IOException failed) {
                    results.note("# not measured: " + contestant.name() + " " + contestant.mode() + ": "
                            + failed.getMessage());
                }
            }
        }
        Engine accelerator = Engines.selector().accelerator();
        if (accelerator != null) {
            for (ChoiceReport report : accelerator.choices(CodecOptions.DEFAULTS.cpuWeight())) {
                results.note("# " + report.summary());
            }
        }
    }

    private void measureMemory() throws Exception {
        for (int threads : words("threads").mapToInt(Integer::parseInt).toArray()) {
            List<CodecWork> work = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                work.add(new CodecWork.Copying());
            }
            double seconds = Double.parseDouble(options.get("seconds"));
            run(work, WARM_UP_SHARE * seconds);
            Load load = run(work, seconds);
            results.note(String.format(
                    Locale.ROOT,
                    "%s,arrays,-,copy,%d,%.3f,%.3f,-,%d,%d",
                    MEMORY,
                    threads,
                    load.bytes() / load.seconds() / 1e9,
                    load.cpuSeconds() / (load.bytes() / 1e9),
                    CodecWork.Copying.ARRAY_BYTES,
                    CodecWork.Copying.ARRAY_BYTES));
        }
    }

    private byte[] file(Contestant contestant) throws IOException {
        return switch (options.get("file")) {
            case "gzip" -> oneMember();
            case "cpu" -> CodecWork.compress(contestant.onCpu().codec(), raw);
            case "first" -> {
                if (firstFormat == null || !firstFormat.equals(contestant.format())) {
                    firstFormat = contestant.format();
                    firstFile = CodecWork.compress(contestant.codec(), raw);
                }
                yield firstFile;
            }
            default -> CodecWork.compress(contestant.codec(), raw);
        };
    }

    private byte[] oneMember() throws IOException {
        if (member == null) {
            ByteArrayOutputStream sink = new ByteArrayOutputStream();
            try (OutputStream gzip = new GZIPOutputStream(sink, 1 << 16)) {
                gzip.write(raw);
            }
            member = sink.toByteArray();
        }
        return member;
    }

    private void measure(Contestant contestant) throws Exception {
        byte[] file = file(contestant);
        CodecWork.verify(contestant.codec(), file, raw);
        for (String direction : words("directions").toList()) {
            for (int threads : words("threads").mapToInt(Integer::parseInt).toArray()) {
                List<CodecWork> work = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    work.add(
                            direction.equals("decode")
                                    ? new CodecWork.Reading(contestant.codec(), file, CodecWork.OPERATION_BYTES)
                                    : new CodecWork.Writing(contestant.codec(), raw, CodecWork.OPERATION_BYTES));
                }
                double seconds = Double.parseDouble(options.get("seconds"));
                run(work, WARM_UP_SHARE * seconds);
                String prefix = direction + "." + contestant.format().split("-")[0] + ".";
                String rawBytes = direction.equals("decode") ? "bytesOut" : "bytesIn";
                CountedFallbacks fallbacks = new CountedFallbacks();
                long gpuBefore = Metrics.sum(prefix + "gpu.", rawBytes);
                long cpuBefore = Metrics.sum(prefix + "cpu.", rawBytes);
                Load load = run(work, seconds);
                long gpu = Metrics.sum(prefix + "gpu.", rawBytes) - gpuBefore;
                long cpu = Metrics.sum(prefix + "cpu.", rawBytes) - cpuBefore;
                for (CodecWork each : work) {
                    each.stop();
                }
                results.note(String.format(
                        Locale.ROOT,
                        "%s,%s,%s,%s,%d,%.3f,%.3f,%s,%d,%d",
                        contestant.format(),
                        contestant.name(),
                        contestant.mode(),
                        direction,
                        threads,
                        load.bytes() / load.seconds() / 1e9,
                        load.cpuSeconds() / (load.bytes() / 1e9),
                        gpu + cpu == 0 ? "-" : String.format(Locale.ROOT, "%.3f", (double) gpu / (gpu + cpu)),
                        file.length,
                        raw.length));
                results.note(fallbacks);
            }
        }
    }

    /** What was done in a stretch of time. */
    private record Load(long bytes, double seconds, double cpuSeconds) {}

    private static Load run(List<CodecWork> work, double seconds) throws Exception {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        ExecutorService threads = Executors.newFixedThreadPool(work.size());
        long[] start = new long[2];
        CyclicBarrier together = new CyclicBarrier(work.size(), () -> {
            start[0] = System.nanoTime();
            start[1] = system.getProcessCpuTime();
        });
        try {
            List<Future<Long>> done = new ArrayList<>();
            for (CodecWork each : work) {
                done.add(threads.submit(() -> {
                    together.await();
                    long until = start[0] + (long) (seconds * 1e9);
                    long bytes = 0;
                    do {
                        each.step();
                        bytes += CodecWork.OPERATION_BYTES;
                    } while (System.nanoTime() < until);
                    return bytes;
                }));
            }
            long bytes = 0;
            for (Future<Long> each : done) {
                bytes += each.get();
            }
            return new Load(bytes, (System.nanoTime() - start[0]) / 1e9, (system.getProcessCpuTime() - start[1]) / 1e9);
        } finally {
            threads.shutdownNow();
        }
    }

    private Stream<String> words(String option) {
        return Stream.of(options.get(option).split(",")).filter(word -> !word.isEmpty());
    }
}
