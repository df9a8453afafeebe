package io.warpcodec.benchmarks.job;

import com.sun.management.OperatingSystemMXBean;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Mode;
import io.warpcodec.benchmarks.ResultFile;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.gzipindex.GzipIndexer;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/**
 * One ordinary {@code .gz} of TPC-H lineitem, a single member of zlib -6, read by Hadoop's LineRecordReader: as one
 * split, and, with an index beside it, in several, each by a thread. Every way must deliver the same lines as often:
 * their number and the sum of their CRC-32 are compared. Stock's codec as one split is the baseline. Before that, how
 * long the index takes, made by the CPU and, where there are devices, by them.
 *
 * <pre>
 * usage: SideCarSplits [--folder PATH] [--scale F] [--splits 1,8,16] [--rounds R] [--spacing BYTES] [--out PATH] [--commit ID]
 * </pre>
 *
 * Scale factor 4.8 is a file of about 1 GB.
 */
public final class SideCarSplits {
    private static final String HEADER = "reader,splits,round,wall_s,cpu_s,raw_gb_s,with_index,lines,crc_sum";
    private static final int PARTS = 64;
    private static final int TRAILER_BYTES = 8;

    private final Map<String, String> options = new TreeMap<>(Map.of(
            "folder", "side-car-splits",
            "scale", "4.8",
            "splits", "1,8,16",
            "rounds", "3",
            "spacing", Long.toString(GzipIndexer.SPACING_BYTES),
            "out", "side-car-splits.csv"));
    private Path file;
    private long rawBytes;

    /** The lines of some splits: how many, and the sum of their checksums, whatever the order. */
    private record Lines(long count, long crcSum) {
        Lines plus(Lines more) {
            return new Lines(count + more.count, crcSum + more.crcSum);
        }
    }

    /** The text of a part of the table, and its piece of the DEFLATE stream. */
    private record TablePart(byte[] deflated, byte[] raw) {}

    private SideCarSplits() {}

    public static void main(String[] arguments) throws Exception {
        SideCarSplits benchmark = new SideCarSplits();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            benchmark.options.put(arguments[i].substring(2), arguments[i + 1]);
        }
        benchmark.run();
    }

    private void run() throws Exception {
        ResultFile results = new ResultFile(options, HEADER);
        Path folder = Files.createDirectories(Path.of(options.get("folder")));
        file = folder.resolve("lineitem.gz").toAbsolutePath();
        Path sideCar = file.resolveSibling(GzipIndex.nameFor("lineitem.gz"));
        Files.deleteIfExists(sideCar);
        write();
        results.note("# file: " + Files.size(file) + " bytes of " + rawBytes);
        Lines expected = measure(results, "stock GzipCodec", GzipCodec.class.getName(), 1, null);
        Files.write(sideCar, index(results, Mode.CPU));
        if (Engines.selector().accelerator() != null) {
            Files.write(sideCar, index(results, Mode.GPU));
        }
        for (String splits : options.get("splits").split(",")) {
            measure(results, "GpuGzipCodec", GpuGzipCodec.class.getName(), Integer.parseInt(splits), expected);
        }
    }

    /** An index whose points this mode finds. */
    private byte[] index(ResultFile results, Mode mode) throws IOException {
        long spacing = Long.parseLong(options.get("spacing"));
        int threads = Runtime.getRuntime().availableProcessors();
        long deviceBytes = Metrics.counter("decode.gzip.gpu.bytesOut").sum();
        long start = System.nanoTime();
        byte[] index = GzipIndexer.index(
                () -> Files.newInputStream(file), spacing, CodecOptions.DEFAULTS.withMode(mode), threads);
        results.note(String.format(
                Locale.ROOT,
                "# index, mode %s: %d bytes, made and, by %d threads, verified in %.2f s; %d raw bytes from devices",
                mode,
                index.length,
                threads,
                (System.nanoTime() - start) / 1e9,
                Metrics.counter("decode.gzip.gpu.bytesOut").sum() - deviceBytes));
        return index;
    }

    private Lines measure(ResultFile results, String name, String codec, int splits, Lines expected) throws Exception {
        Lines found = null;
        int rounds = Integer.parseInt(options.get("rounds"));
        for (int round = 0; round <= rounds; round++) {
            long usedBefore = Metrics.counter("decode.gzip.sidecar.used").sum();
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            long processor = system.getProcessCpuTime();
            long start = System.nanoTime();
            found = read(codec, splits);
            double wall = (System.nanoTime() - start) / 1e9;
            if (expected != null && !expected.equals(found)) {
                throw new IllegalStateException(
                        name + " in " + splits + " splits reads " + found + ", not " + expected);
            }
            if (round > 0) { // the first round warms up
                results.note(String.format(
                        Locale.ROOT,
                        "%s,%d,%d,%.2f,%.1f,%.3f,%d,%d,%x",
                        name,
                        splits,
                        round,
                        wall,
                        (system.getProcessCpuTime() - processor) / 1e9,
                        rawBytes / wall / 1e9,
                        Metrics.counter("decode.gzip.sidecar.used").sum() - usedBefore,
                        found.count,
                        found.crcSum));
            }
        }
        return found;
    }

    private Lines read(String codec, int splits) throws Exception {
        Configuration conf = new Configuration();
        conf.set("io.compression.codecs", codec);
        long fileBytes = Files.size(file);
        long splitBytes = (fileBytes + splits - 1) / splits;
        ExecutorService threads = Executors.newFixedThreadPool(splits);
        try {
            List<Future<Lines>> tasks = new ArrayList<>();
            for (long at = 0; at < fileBytes; at += splitBytes) {
                FileSplit split = new FileSplit(
                        new org.apache.hadoop.fs.Path(file.toUri()),
                        at,
                        Math.min(splitBytes, fileBytes - at),
                        new String[0]);
                tasks.add(threads.submit(() -> read(conf, split)));
            }
            Lines all = new Lines(0, 0);
            for (Future<Lines> task : tasks) {
                all = all.plus(task.get());
            }
            return all;
        } finally {
            threads.shutdown();
        }
    }

    private static Lines read(Configuration conf, FileSplit split) throws IOException {
        long count = 0;
        long crcSum = 0;
        CRC32 crc = new CRC32();
        try (LineRecordReader reader = new LineRecordReader()) {
            reader.initialize(split, new TaskAttemptContextImpl(conf, new TaskAttemptID()));
            while (reader.nextKeyValue()) {
                Text line = reader.getCurrentValue();
                crc.reset();
                crc.update(line.getBytes(), 0, line.getLength());
                crcSum += crc.getValue();
                count++;
            }
        }
        return new Lines(count, crcSum);
    }

    /**
     * Writes the file: one member, whose stream is made of parts that are deflated side by side, each ended by a flush.
     */
    private void write() throws Exception {
        double scale = Double.parseDouble(options.get("scale"));
        int processors = Runtime.getRuntime().availableProcessors();
        ExecutorService threads = Executors.newFixedThreadPool(processors);
        Deque<Future<TablePart>> parts = new ArrayDeque<>();
        CRC32 crc = new CRC32();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            out.write(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 3});
            for (int next = 1; next <= PARTS || !parts.isEmpty(); ) {
                while (next <= PARTS && parts.size() < processors) {
                    int number = next++;
                    parts.add(threads.submit(() -> part(scale, number)));
                }
                TablePart part = parts.remove().get();
                out.write(part.deflated);
                crc.update(part.raw);
                rawBytes += part.raw.length;
            }
            out.write(ByteBuffer.allocate(TRAILER_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt((int) crc.getValue())
                    .putInt((int) rawBytes)
                    .array());
        } finally {
            threads.shutdown();
        }
    }

    private static TablePart part(double scale, int number) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (LineItem item : new LineItemGenerator(scale, number, PARTS)) {
            text.writeBytes(item.toLine().getBytes(StandardCharsets.ISO_8859_1));
            text.write('\n');
        }
        byte[] raw = text.toByteArray();
        Deflater deflater = new Deflater(6, true);
        deflater.setInput(raw);
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        if (number == PARTS) {
            deflater.finish();
        }
        int flush = number == PARTS ? Deflater.NO_FLUSH : Deflater.SYNC_FLUSH;
        for (int count; (count = deflater.deflate(buffer, 0, buffer.length, flush)) > 0; ) {
            deflated.write(buffer, 0, count);
        }
        deflater.end();
        return new TablePart(deflated.toByteArray(), raw);
    }
}
