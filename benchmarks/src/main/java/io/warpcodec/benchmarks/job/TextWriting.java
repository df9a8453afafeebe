package io.warpcodec.benchmarks.job;

import com.sun.management.OperatingSystemMXBean;
import io.warpcodec.Engines;
import io.warpcodec.benchmarks.CountedFallbacks;
import io.warpcodec.benchmarks.ResultFile;
import io.warpcodec.benchmarks.TpchText;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * A Spark job that reads plain text and writes it compressed, a file a task, on all cores of this machine. The level
 * is set by Hadoop's own keys, which both sides read. Contenders write in turns: {@code stock}, or our codec in a mode.
 * Hadoop's codec for {@code .zst} needs its native library, so there {@code cpu} stands for it: libzstd's frames. Then
 * our codec on the CPU reads the files; their lines must be as many as were written. Prints wall seconds, processor
 * seconds of the process, bytes, and who encoded.
 *
 * <pre>
 * usage: TextWriting [--format gzip|zstd] [--level N] [--file TEXT] [--folder PATH] [--files N] [--size MB]
 *                    [--rounds R] [--contenders stock,cpu,auto,gpu] [--cores N] [--out PATH] [--commit ID]
 * </pre>
 *
 * The text is TPC-H lineitem unless a file is named; each of the files holds {@code size} MB of it.
 */
public final class TextWriting {
    private static final String HEADER = "codec,mode,round,wall_s,cpu_s,raw_gb_s,raw_bytes,bytes,gpu_chunks,cpu_chunks";
    private static final String MODE = "io.compression.codec.gpu.mode";
    private static final String STOCK = "stock";

    private final Map<String, String> options = new TreeMap<>(Map.of(
            "format", "zstd",
            "level", "19",
            "folder", "text-writing",
            "files", "64",
            "size", "32",
            "rounds", "1",
            "contenders", "auto,gpu,cpu",
            "cores", Integer.toString(Runtime.getRuntime().availableProcessors()),
            "out", "text-writing.csv"));
    private Path raw;
    private long rawBytes;
    private long lines;

    private TextWriting() {}

    public static void main(String[] arguments) throws Exception {
        Engines.expectLongLife();
        TextWriting benchmark = new TextWriting();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            benchmark.options.put(arguments[i].substring(2), arguments[i + 1]);
        }
        benchmark.run();
    }

    private void run() throws Exception {
        ResultFile results = new ResultFile(options, HEADER);
        writeRaw();
        CountedFallbacks fallbacks = new CountedFallbacks();
        for (int round = 1; round <= number("rounds"); round++) {
            for (String contender : options.get("contenders").split(",")) {
                results.note(run(contender, round));
            }
        }
        results.note(fallbacks);
    }

    private int number(String option) {
        return Integer.parseInt(options.get(option));
    }

    private byte[] text() throws IOException {
        int bytes = number("size") * 1_000_000;
        String file = options.get("file");
        if (file == null) {
            return TpchText.lineitem(bytes);
        }
        byte[] whole = Files.readAllBytes(Path.of(file));
        byte[] text = new byte[bytes];
        for (int at = 0; at < bytes; at += whole.length) {
            System.arraycopy(whole, 0, text, at, Math.min(whole.length, bytes - at));
        }
        return text;
    }

    /** Files of as many bytes each, which end with a line. */
    private void writeRaw() throws IOException {
        raw = Path.of(options.get("folder"), "raw");
        Files.createDirectories(raw);
        byte[] text = text();
        text[text.length - 1] = '\n';
        for (byte each : text) {
            lines += each == '\n' ? 1 : 0;
        }
        for (int file = 0; file < number("files"); file++) {
            Files.write(raw.resolve(String.format(Locale.ROOT, "part-%05d.txt", file)), text);
        }
        lines *= number("files");
        rawBytes = (long) text.length * number("files");
    }

    private SparkSession session(String contender, Class<? extends CompressionCodec> codec) {
        boolean isStock = contender.equals(STOCK);
        SparkSession.Builder builder = SparkSession.builder()
                .master("local[" + options.get("cores") + "]")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                // a task a file
                .config("spark.sql.files.maxPartitionBytes", 2_000_000L * number("size"))
                .config("spark.sql.files.openCostInBytes", 2_000_000L * number("size"))
                .config(
                        "spark.hadoop.zlib.compress.level",
                        "9".equals(options.get("level")) ? "BEST_COMPRESSION" : "SIX")
                .config("spark.hadoop.io.compression.codec.zstd.level", options.get("level"))
                .config("spark.hadoop.io.compression.codecs", codec.getName());
        if (!isStock) {
            builder.config("spark.hadoop." + MODE, contender);
        }
        SparkSession session = builder.getOrCreate();
        session.sparkContext().setLogLevel("ERROR");
        return session;
    }

    private String run(String contender, int round) throws IOException {
        TextCodecs pair = TextCodecs.of(options.get("format"));
        Class<? extends CompressionCodec> codec = contender.equals(STOCK) ? pair.stock() : pair.ours();
        if (codec == null) {
            throw new IllegalArgumentException(
                    "Hadoop's codec for " + options.get("format") + " needs a native library");
        }
        Path target = Path.of(options.get("folder"), contender);
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        SparkSession session = session(contender, codec);
        try {
            long gpu = Metrics.sum("encode.", "gpu.chunks");
            long cpu = Metrics.sum("encode.", "cpu.chunks");
            long processor = system.getProcessCpuTime();
            long start = System.nanoTime();
            session.read()
                    .text(raw.toString())
                    .write()
                    .mode(SaveMode.Overwrite)
                    .option("compression", codec.getName())
                    .text(target.toString());
            double wall = (System.nanoTime() - start) / 1e9;
            double processorSeconds = (system.getProcessCpuTime() - processor) / 1e9;
            long gpuChunks = Metrics.sum("encode.", "gpu.chunks") - gpu;
            long cpuChunks = Metrics.sum("encode.", "cpu.chunks") - cpu;
            session.stop();
            requireLines(target, pair);
            return String.format(
                    Locale.ROOT,
                    "%s,%s,%d,%.2f,%.1f,%.3f,%d,%d,%d,%d",
                    codec.getSimpleName(),
                    contender.equals(STOCK) ? "-" : contender,
                    round,
                    wall,
                    processorSeconds,
                    rawBytes / wall / 1e9,
                    rawBytes,
                    bytesOf(target, pair.suffix()),
                    gpuChunks,
                    cpuChunks);
        } finally {
            session.stop();
            SparkSession.clearDefaultSession();
            SparkSession.clearActiveSession();
        }
    }

    /** Another session reads what was written, on the CPU. */
    private void requireLines(Path folder, TextCodecs pair) {
        SparkSession reading = session("cpu", pair.ours());
        try {
            long found = reading.read().text(folder.toString()).count();
            if (found != lines) {
                throw new IllegalStateException(folder + " has " + found + " lines, not " + lines);
            }
        } finally {
            reading.stop();
        }
    }

    private static long bytesOf(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> parts = files.filter(file -> file.toString().endsWith(suffix))
                    .sorted(Comparator.naturalOrder())
                    .toList();
            long bytes = 0;
            for (Path part : parts) {
                bytes += Files.size(part);
            }
            return bytes;
        }
    }
}
