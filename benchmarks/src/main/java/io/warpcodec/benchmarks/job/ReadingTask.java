package io.warpcodec.benchmarks.job;

import io.warpcodec.Settings;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.hadoop.GpuLz4Codec;
import io.warpcodec.hadoop.GpuSnappyCodec;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * A process that {@link TaskProcesses} starts. A task reads one file, or a split of it, to its end and is done. An
 * executor reads the file again and again on many threads.
 *
 * <pre>
 * usage: ReadingTask stock|cpu|auto|gpu|node FORMAT FILE whole|SPLIT/COUNT
 *        ReadingTask stock|cpu|auto|gpu|node FORMAT FILE RAW_BYTES THREADS SECONDS
 * </pre>
 *
 * A task prints four numbers. First comes the time of day at its end, in milliseconds. Then come the time that it
 * read and the time that it waited for its first bytes, in microseconds; last, how many bytes it read. An executor
 * prints a CSV line for every two seconds.
 */
public final class ReadingTask {
    private static final int SLICE_SECONDS = 2;

    /** When the first bytes of a task were there. */
    private static long firstByteNanos;

    private ReadingTask() {}

    public static void main(String[] arguments) throws Exception {
        Configuration conf = configuration(arguments[0]);
        String format = arguments[1];
        String file = arguments[2];
        if (arguments.length == 4) {
            // what every Hadoop process does once
            FileSystem.getLocal(new Configuration(false))
                    .getRaw()
                    .open(new Path(file))
                    .close();
            Opening opening = opening(arguments[0], format, conf);
            long start = System.nanoTime();
            long bytes = arguments[3].equals("whole")
                    ? read(opening, file, new LongAdder())
                    : readLines(conf, file, arguments[3].split("/"));
            long readMicros = (System.nanoTime() - start) / 1000;
            System.out.println(System.currentTimeMillis() + " " + readMicros + " " + (firstByteNanos - start) / 1000
                    + " " + bytes);
            return;
        }
        execute(
                opening(arguments[0], format, conf),
                arguments,
                Integer.parseInt(arguments[4]),
                Integer.parseInt(arguments[5]));
    }

    /** Decodes a file. */
    private interface Opening {
        InputStream open(InputStream file) throws IOException;
    }

    /**
     * The mode of a variant of ours; {@code node} is mode auto beside a service in the folder {@code -Dnode.folder}.
     */
    private static Configuration configuration(String variant) {
        Configuration conf = new Configuration(false);
        boolean node = variant.equals("node");
        conf.set(Settings.HADOOP_PREFIX + "mode", node ? "auto" : variant);
        conf.set(Settings.HADOOP_PREFIX + "node.folder", node ? System.getProperty("node.folder") : "none");
        return conf;
    }

    private static Opening opening(String variant, String format, Configuration conf) {
        boolean stock = variant.equals("stock");
        if (stock && format.equals("lz4")) {
            return LZ4FrameInputStream::new;
        }
        Class<? extends CompressionCodec> type = switch (format) {
            case "lz4", "lz4-hadoop" -> stock ? Lz4Codec.class : GpuLz4Codec.class;
            case "snappy" -> stock ? SnappyCodec.class : GpuSnappyCodec.class;
            default -> stock ? GzipCodec.class : GpuGzipCodec.class;
        };
        CompressionCodec codec = ReflectionUtils.newInstance(type, conf);
        return codec::createInputStream;
    }

    private static long read(Opening opening, String file, LongAdder bytes) throws IOException {
        FileSystem local = FileSystem.getLocal(new Configuration(false)).getRaw();
        long sum = 0;
        byte[] buffer = new byte[64 << 10];
        try (InputStream in = opening.open(local.open(new Path(file)))) {
            int first = in.read(buffer);
            firstByteNanos = System.nanoTime();
            for (int count = first; count >= 0; count = in.read(buffer)) {
                sum += count;
                bytes.add(count);
            }
        }
        return sum;
    }

    /** Reads the lines of one of so many splits as a map task does; returns their bytes. */
    private static long readLines(Configuration conf, String file, String[] split) throws IOException {
        conf.set("io.compression.codecs", GpuGzipCodec.class.getName());
        conf.set("fs.file.impl", RawLocalFileSystem.class.getName());
        long fileBytes = Files.size(java.nio.file.Path.of(file));
        long from = fileBytes * Integer.parseInt(split[0]) / Integer.parseInt(split[1]);
        long to = fileBytes * (Integer.parseInt(split[0]) + 1) / Integer.parseInt(split[1]);
        long sum = 0;
        try (LineRecordReader reader = new LineRecordReader()) {
            reader.initialize(
                    new FileSplit(new Path("file://" + file), from, to - from, new String[0]),
                    new TaskAttemptContextImpl(conf, new TaskAttemptID()));
            while (reader.nextKeyValue()) {
                firstByteNanos = firstByteNanos == 0 ? System.nanoTime() : firstByteNanos;
                sum += reader.getCurrentValue().getLength() + 1;
            }
        }
        return sum;
    }

    private static void execute(Opening opening, String[] arguments, int threads, int seconds)
            throws InterruptedException {
        LongAdder bytes = new LongAdder();
        for (int thread = 0; thread < threads; thread++) {
            Thread reader = new Thread(() -> {
                try {
                    while (true) {
                        read(opening, arguments[2], bytes);
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
