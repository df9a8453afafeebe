package io.warpcodec.cli.bench;

import io.warpcodec.Mode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Measures every contestant on bytes in memory. Each is warmed up on a part of the data, then runs whole passes until
 * a second is over; the fastest pass counts, as other work on the machine slowed the others. What is decoded is
 * compared with the original, outside the measured time.
 */
public final class Bench {

    private static final int WARM_UP_BYTES = 4 << 20;
    private static final long DEFAULT_MEASURE_NANOS = 1_000_000_000;
    private static final int COPY_BYTES = 64 << 10;

    private final List<Contestant> contestants;
    private final int[] threadCounts;
    private final long measureNanos;

    /** Measures with one thread, and with as many as there are processors. */
    public Bench(Mode mode) {
        this(mode, DEFAULT_MEASURE_NANOS);
    }

    /** As {@link #Bench(Mode)}, but with another time for each figure. */
    Bench(Mode mode, long measureNanos) {
        this.measureNanos = measureNanos;
        contestants = Contestant.all(mode);
        int processors = Runtime.getRuntime().availableProcessors();
        threadCounts = processors > 1 ? new int[] {1, processors} : new int[] {1};
    }

    /**
     * Runs everyone on one file's content.
     *
     * @param each told each result as it is there
     * @throws IOException if a contestant fails, or decodes to other bytes
     */
    public void run(String file, byte[] raw, Consumer<Measurement> each) throws IOException, InterruptedException {
        for (Contestant contestant : contestants) {
            warmUp(contestant, raw);
            for (int threads : threadCounts) {
                each.accept(measure(contestant, file, raw, threads));
            }
        }
    }

    private void warmUp(Contestant contestant, byte[] raw) throws IOException {
        byte[] part = Arrays.copyOf(raw, Math.min(raw.length, WARM_UP_BYTES));
        long start = System.nanoTime();
        do {
            decompress(contestant, compress(contestant, part), new byte[part.length]);
        } while (System.nanoTime() - start < measureNanos / 3);
    }

    private Measurement measure(Contestant contestant, String file, byte[] raw, int threads)
            throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            byte[] compressed = compress(contestant, raw);
            double compressNanos = fastest(pool, threads, () -> compress(contestant, raw).length);
            byte[][] decoded = new byte[threads][raw.length];
            List<Callable<Integer>> decoders = new ArrayList<>();
            for (byte[] target : decoded) {
                decoders.add(() -> decompress(contestant, compressed, target));
            }
            double decompressNanos = fastest(pool, decoders);
            for (byte[] target : decoded) {
                if (!Arrays.equals(target, raw)) {
                    throw new IOException(contestant.name() + " " + contestant.suffix() + " decodes to other bytes");
                }
            }
            double megabytes = threads * (double) raw.length * 1e3;
            return new Measurement(
                    file,
                    contestant.name(),
                    contestant.suffix(),
                    threads,
                    raw.length,
                    compressed.length,
                    megabytes / compressNanos,
                    megabytes / decompressNanos);
        } finally {
            pool.shutdownNow();
        }
    }

    private double fastest(ExecutorService pool, int threads, Callable<Integer> work)
            throws IOException, InterruptedException {
        List<Callable<Integer>> copies = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            copies.add(work);
        }
        return fastest(pool, copies);
    }

    private double fastest(ExecutorService pool, List<Callable<Integer>> work)
            throws IOException, InterruptedException {
        long best = Long.MAX_VALUE;
        long begin = System.nanoTime();
        do {
            long start = System.nanoTime();
            for (Future<Integer> done : pool.invokeAll(work)) {
                try {
                    done.get();
                } catch (ExecutionException failed) {
                    throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
                }
            }
            best = Math.min(best, System.nanoTime() - start);
        } while (System.nanoTime() - begin < measureNanos);
        return best;
    }

    private static byte[] compress(Contestant contestant, byte[] raw) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream(raw.length / 2 + 1024);
        try (OutputStream encoder = contestant.encoder().open(sink)) {
            for (int at = 0; at < raw.length; at += COPY_BYTES) {
                encoder.write(raw, at, Math.min(COPY_BYTES, raw.length - at));
            }
        }
        return sink.toByteArray();
    }

    private static int decompress(Contestant contestant, byte[] compressed, byte[] target) throws IOException {
        try (InputStream decoder = contestant.decoder().open(new ByteArrayInputStream(compressed))) {
            int at = 0;
            while (at < target.length) {
                int count = decoder.read(target, at, Math.min(COPY_BYTES, target.length - at));
                if (count < 0) {
                    throw new IOException(contestant.name() + " " + contestant.suffix() + " decodes to fewer bytes");
                }
                at += count;
            }
            if (decoder.read() >= 0) {
                throw new IOException(contestant.name() + " " + contestant.suffix() + " decodes to more bytes");
            }
            return at;
        }
    }
}
