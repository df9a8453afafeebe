package io.warpcodec.benchmarks.stream;

import io.warpcodec.Engines;
import io.warpcodec.benchmarks.CodecWork;
import io.warpcodec.benchmarks.ResultFile;
import io.warpcodec.benchmarks.StreamCodec;
import io.warpcodec.benchmarks.TpchText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How long one request takes: a whole text of so many raw bytes is read from a compressed file, or written to one, from
 * heap to heap, with opening and closing. Alone, and while other threads do so with texts of 16 MiB without pause
 * through the same codec. Gives the median and the 99th percentile in microseconds.
 *
 * <pre>usage: RequestLatency [--seconds S] [--background 32] [--formats lz4,snappy] [--modes gpu,auto,cpu] [--direction read|write] [--out PATH] [--commit ID]</pre>
 */
public final class RequestLatency {
    private static final int[] REQUEST_BYTES = {64 << 10, 1 << 20, 16 << 20};
    private static final String HEADER = "format,codec,mode,request_bytes,background_threads,requests,p50_us,p99_us";

    private final Map<String, String> options = new TreeMap<>(Map.of(
            "seconds", "1",
            "background", "32",
            "formats", "lz4,snappy",
            "modes", "gpu,auto,cpu",
            "direction", "read",
            "out", "request-latency.csv"));
    private ResultFile results;

    private RequestLatency() {}

    public static void main(String[] arguments) throws Exception {
        Engines.expectLongLife();
        RequestLatency benchmark = new RequestLatency();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            benchmark.options.put(arguments[i].substring(2), arguments[i + 1]);
        }
        benchmark.run();
    }

    private void run() throws Exception {
        results = new ResultFile(options, HEADER);
        byte[] text = TpchText.lineitem(16 << 20);
        for (String format : options.get("formats").split(",")) {
            for (Contestant contestant :
                    Contestant.of(format, List.of(options.get("modes").split(",")), Map.of())) {
                Request largeRequest = request(contestant.codec(), text);
                for (int bytes : REQUEST_BYTES) {
                    Request request = request(contestant.codec(), Arrays.copyOf(text, bytes));
                    for (int background : new int[] {0, Integer.parseInt(options.get("background"))}) {
                        long[] nanos = measure(request, largeRequest, background);
                        results.note(String.format(
                                Locale.ROOT,
                                "%s,%s,%s,%d,%d,%d,%.1f,%.1f",
                                contestant.format(),
                                contestant.name(),
                                contestant.mode(),
                                bytes,
                                background,
                                nanos.length,
                                nanos[nanos.length / 2] / 1e3,
                                nanos[Math.min(nanos.length - 1, nanos.length * 99 / 100)] / 1e3));
                    }
                }
            }
        }
    }

    /** One request. */
    private interface Request {
        void run() throws IOException;
    }

    private Request request(StreamCodec codec, byte[] raw) throws IOException {
        byte[] file = CodecWork.compress(codec, raw);
        CodecWork.verify(codec, file, raw);
        return options.get("direction").equals("write") ? () -> write(codec, raw) : () -> read(codec, file, raw.length);
    }

    private static void read(StreamCodec codec, byte[] file, int rawBytes) throws IOException {
        byte[] buffer = new byte[CodecWork.OPERATION_BYTES];
        long got = 0;
        try (InputStream in = codec.decompress(new ByteArrayInputStream(file))) {
            for (int count; (count = in.read(buffer)) > 0; ) {
                got += count;
            }
        }
        if (got != rawBytes) {
            throw new IOException("read " + got + " bytes of " + rawBytes);
        }
    }

    private static void write(StreamCodec codec, byte[] raw) throws IOException {
        try (OutputStream out = codec.compress(OutputStream.nullOutputStream())) {
            for (int at = 0; at < raw.length; at += CodecWork.OPERATION_BYTES) {
                out.write(raw, at, Math.min(CodecWork.OPERATION_BYTES, raw.length - at));
            }
        }
    }

    /** Sorted times of requests made one after another, the first third of the time unmeasured. */
    private long[] measure(Request request, Request large, int background)
            throws IOException, InterruptedException, ExecutionException {
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService others = Executors.newCachedThreadPool();
        List<Future<?>> running = new ArrayList<>();
        try {
            for (int i = 0; i < background; i++) {
                running.add(others.submit(() -> {
                    while (!over.get()) {
                        large.run();
                    }
                    return null;
                }));
            }
            long span = (long) (Double.parseDouble(options.get("seconds")) * 1e9);
            List<Long> nanos = new ArrayList<>();
            long start = System.nanoTime();
            for (long now = start; now - start < span * 3 / 2 || nanos.isEmpty(); ) {
                long before = System.nanoTime();
                request.run();
                now = System.nanoTime();
                if (now - start > span / 2) {
                    nanos.add(now - before);
                }
            }
            over.set(true);
            for (Future<?> each : running) {
                each.get();
            }
            return nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        } finally {
            over.set(true);
            others.shutdown();
        }
    }
}
