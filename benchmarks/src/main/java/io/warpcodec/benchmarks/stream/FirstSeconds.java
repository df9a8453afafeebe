package io.warpcodec.benchmarks.stream;

import com.sun.management.OperatingSystemMXBean;
import io.warpcodec.Engines;
import io.warpcodec.PoolSettings;
import io.warpcodec.Settings;
import io.warpcodec.benchmarks.CodecWork;
import io.warpcodec.benchmarks.CountedFallbacks;
import io.warpcodec.benchmarks.ResultFile;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a process gets from its first second on: threads that read or write the same text over and over through
 * streams of one codec, without a warm-up, and a line of CSV for each half second. One point a process, since what
 * one leaves compiled and learned is the next one's start. The file is written and verified in mode {@code cpu}, so
 * that no device has worked before.
 *
 * <pre>
 * usage: FirstSeconds --format lz4 --mode auto [--codec "GpuLz4Codec hadoop"] [--direction decode] [--threads 16] [--seconds 10] [--size MB] [--data FILE] [--long-life true]
 *                     [--reads heap|direct] [--set WORD=VALUE,...] [--start-at EPOCH_SECOND] [--out PATH] [--commit ID]
 * </pre>
 *
 * Formats and codecs as {@link HostToHost} names them; the first codec of the format unless told otherwise. With
 * {@code --long-life false} devices start by the work that was seen, as in a task. {@code --start-at} has the threads
 * of several processes begin together.
 */
public final class FirstSeconds {
    private static final String HEADER =
            "codec,mode,direction,threads,second,gb_s,cpu_s_per_gb,gpu_chunk_share,raw_bytes_so_far";
    private static final long INTERVAL_NANOS = 500_000_000;

    private final Map<String, String> options = new TreeMap<>(Map.ofEntries(
            Map.entry("format", "lz4"),
            Map.entry("mode", "auto"),
            Map.entry("codec", ""),
            Map.entry("direction", "decode"),
            Map.entry("threads", "16"),
            Map.entry("seconds", "10"),
            Map.entry("size", "64"),
            Map.entry("data", ""),
            Map.entry("long-life", "true"),
            Map.entry("reads", "heap"),
            Map.entry("set", ""),
            Map.entry("start-at", "0"),
            Map.entry("out", "first-seconds.csv")));

    private final LongAdder rawBytes = new LongAdder();
    private final AtomicBoolean over = new AtomicBoolean();

    private FirstSeconds() {}

    public static void main(String[] arguments) throws Exception {
        FirstSeconds benchmark = new FirstSeconds();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            benchmark.options.put(arguments[i].substring(2), arguments[i + 1]);
        }
        benchmark.run();
    }

    private void run() throws Exception {
        byte[] raw = CodecWork.raw(options.get("data"), Integer.parseInt(options.get("size")) * 1_000_000);
        Map<String, String> settings = new TreeMap<>();
        for (String pair : options.get("set").split(",")) {
            if (!pair.isEmpty()) {
                settings.put(pair.split("=")[0], pair.split("=")[1]);
            }
        }
        // the first codec of a process would decide, which has no settings
        PoolSettings.install(Settings.pool(settings::get));
        Contestant contestant = Contestant.of(options.get("format"), List.of(options.get("mode")), settings).stream()
                .filter(each -> each.name().contains(options.get("codec")))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no codec is named " + options.get("codec")));
        Contestant onCpu = contestant.onCpu();
        byte[] file = CodecWork.compress(onCpu.codec(), raw);
        CodecWork.verify(onCpu.codec(), file, raw);
        ResultFile results = new ResultFile(options, HEADER);
        if (Boolean.parseBoolean(options.get("long-life"))) {
            Engines.expectLongLife();
        }
        CountedFallbacks fallbacks = new CountedFallbacks();
        int threads = Integer.parseInt(options.get("threads"));
        Thread.sleep(Math.max(0, Long.parseLong(options.get("start-at")) * 1000 - System.currentTimeMillis()));
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        List<Future<?>> running = new ArrayList<>();
        long start = System.nanoTime();
        for (int thread = 0; thread < threads; thread++) {
            running.add(workers.submit(() -> work(contestant, file, raw)));
        }
        try {
            watch(contestant, threads, start, results);
        } finally {
            over.set(true);
            workers.shutdown();
        }
        for (Future<?> each : running) {
            each.get();
        }
        results.note(fallbacks);
    }

    private Void work(Contestant contestant, byte[] file, byte[] raw) throws IOException {
        CodecWork work = options.get("direction").equals("decode")
                ? new CodecWork.Reading(contestant.codec(), file, buffer())
                : new CodecWork.Writing(contestant.codec(), raw, CodecWork.OPERATION_BYTES);
        while (!over.get()) {
            work.step();
            rawBytes.add(CodecWork.OPERATION_BYTES);
        }
        work.stop();
        return null;
    }

    private ByteBuffer buffer() {
        return options.get("reads").equals("direct")
                ? ByteBuffer.allocateDirect(CodecWork.OPERATION_BYTES)
                : ByteBuffer.allocate(CodecWork.OPERATION_BYTES);
    }

    /** Where counters stand. */
    private record Counters(long nanos, long bytes, long processorNanos, long gpuChunks, long cpuChunks) {}

    private Counters read(OperatingSystemMXBean system) {
        String prefix = options.get("direction") + "." + options.get("format").split("-")[0] + ".";
        return new Counters(
                System.nanoTime(),
                rawBytes.sum(),
                system.getProcessCpuTime(),
                Metrics.sum(prefix + "gpu.", "chunks"),
                Metrics.sum(prefix + "cpu.", "chunks"));
    }

    private void watch(Contestant contestant, int threads, long start, ResultFile results) throws Exception {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long intervals = Math.round(Double.parseDouble(options.get("seconds")) * 1e9 / INTERVAL_NANOS);
        Counters before = read(system);
        for (long interval = 1; interval <= intervals; interval++) {
            long left = start + interval * INTERVAL_NANOS - System.nanoTime();
            Thread.sleep(Math.max(0, left / 1_000_000));
            Counters now = read(system);
            double gigabytes = (now.bytes - before.bytes) / 1e9;
            long gpu = now.gpuChunks - before.gpuChunks;
            long all = gpu + now.cpuChunks - before.cpuChunks;
            results.note(String.format(
                    Locale.ROOT,
                    "%s,%s,%s,%d,%.1f,%.3f,%s,%s,%d",
                    contestant.name(),
                    contestant.mode(),
                    options.get("direction"),
                    threads,
                    (now.nanos - start) / 1e9,
                    gigabytes / ((now.nanos - before.nanos) / 1e9),
                    gigabytes == 0
                            ? "-"
                            : String.format(
                                    Locale.ROOT,
                                    "%.3f",
                                    (now.processorNanos - before.processorNanos) / 1e9 / gigabytes),
                    all == 0 ? "-" : String.format(Locale.ROOT, "%.3f", (double) gpu / all),
                    now.bytes));
            before = now;
        }
    }
}
