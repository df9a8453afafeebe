package io.warpcodec.benchmarks.job;

import io.warpcodec.Settings;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * A process that {@link TaskProcesses} starts: a task that reads one {@code .gz} to its end and is done, or an executor that reads it again and again on many threads.
 *
 * <pre>
 * usage: ReadingTask stock|cpu|auto|gpu|node FILE RAW_BYTES
 *        ReadingTask stock|cpu|auto|gpu|node FILE RAW_BYTES THREADS SECONDS
 * </pre>
 *
 * A task prints the time of day, in milliseconds, at which it was done, how long it read, and how long it waited for the first bytes, in microseconds; an executor a CSV line for every two seconds.
 */
public final class ReadingTask {
    private static final int SLICE_SECONDS = 2;

    /** When the first bytes of a task were there. */
    private static long firstByteNanos;

    private ReadingTask() {}

    public static void main(String[] arguments) throws Exception {
        CompressionCodec codec = codec(arguments[0]);
        long rawBytes = Long.parseLong(arguments[2]);
        if (arguments.length == 3) {
            // what every Hadoop process does once
            FileSystem.getLocal(new Configuration(false))
                    .getRaw()
                    .open(new Path(arguments[1]))
                    .close();
            long start = System.nanoTime();
            if (read(codec, arguments[1], new LongAdder()) != rawBytes) {
                throw new IOException("other bytes than expected");
            }
            long readMicros = (System.nanoTime() - start) / 1000;
            System.out.println(System.currentTimeMillis() + " " + readMicros + " " + (firstByteNanos - start) / 1000);
            return;
        }
        execute(codec, arguments, Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
    }

    /** The codec of a variant: Hadoop's own, or ours in a mode; {@code node} is mode auto beside a service in the folder {@code -Dnode.folder}. */
    private static CompressionCodec codec(String variant) {
        Configuration conf = new Configuration(false);
        boolean node = variant.equals("node");
        conf.set(Settings.HADOOP_PREFIX + "mode", node ? "auto" : variant);
        conf.set(Settings.HADOOP_PREFIX + "node.folder", node ? System.getProperty("node.folder") : "none");
        Class<? extends CompressionCodec> type = variant.equals("stock") ? GzipCodec.class : GpuGzipCodec.class;
        return ReflectionUtils.newInstance(type, conf);
    }

    private static long read(CompressionCodec codec, String file, LongAdder bytes) throws IOException {
        FileSystem local = FileSystem.getLocal(new Configuration(false)).getRaw();
        long sum = 0;
        byte[] buffer = new byte[64 << 10];
        try (InputStream in = codec.createInputStream(local.open(new Path(file)))) {
            int first = in.read(buffer);
            firstByteNanos = System.nanoTime();
            for (int count = first; count >= 0; count = in.read(buffer)) {
                sum += count;
                bytes.add(count);
            }
        }
        return sum;
    }

    private static void execute(CompressionCodec codec, String[] arguments, int threads, int seconds)
            throws InterruptedException {
        LongAdder bytes = new LongAdder();
        for (int thread = 0; thread < threads; thread++) {
            Thread reader = new Thread(() -> {
                try {
                    while (true) {
                        read(codec, arguments[1], bytes);
                    }
                } catch (IOException failed) {
                    throw new AssertionError(failed);
                }
            });
            reader.setDaemon(true);
            reader.start();
        }
        for (int second = SLICE_SECONDS; second <= seconds; second += SLICE_SECONDS) {
            long before = bytes.sum();
            long onDevices = deviceBytes();
            long start = System.nanoTime();
            Thread.sleep(SLICE_SECONDS * 1000L);
            double elapsed = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "executor,%s,%d,%d,%.2f,%.2f%n",
                    arguments[0],
                    threads,
                    second,
                    (bytes.sum() - before) / 1e9 / elapsed,
                    (deviceBytes() - onDevices) / 1e9 / elapsed);
        }
    }

    private static long deviceBytes() {
        return Metrics.counter("decode.gzip.gpu.bytesOut").sum();
    }
}
