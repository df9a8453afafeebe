package io.warpcodec.benchmarks.job;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdOutputStream;
import com.sun.management.OperatingSystemMXBean;
import io.warpcodec.Engines;
import io.warpcodec.benchmarks.CountedFallbacks;
import io.warpcodec.benchmarks.HadoopStreamCodec;
import io.warpcodec.benchmarks.ResultFile;
import io.warpcodec.benchmarks.TpchText;
import io.warpcodec.metrics.Metrics;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;

/**
 * A MapReduce job over one file of text that is read in splits, its map tasks side by side as threads of this process
 * (the local job runner): lines by return flag of TPC-H lineitem. Hadoop's codec ({@code stock}) and ours in the
 * modes take turns; the answers must agree. Prints wall seconds, processor seconds of the process, and who decoded.
 *
 * <pre>
 * usage: SplitJob [--format bzip2|gzip|zstd] [--folder PATH] [--size MB] [--repeat N] [--splits N] [--rounds R] [--contenders stock,cpu,auto,gpu] [--writer stock|ours|pzstd|library|frames] [--out PATH] [--commit ID]
 * </pre>
 *
 * The file's raw text is {@code size} MB, {@code repeat} times. The stock codec writes it, ours in mode {@code auto},
 * or the tool pzstd at level 3. So does zstd-jni at level 3: one frame without size and checksum ({@code library}), or
 * announced frames of 8 MiB, as of pzstd ({@code frames}).
 */
public final class SplitJob {
    private static final int LIBRARY_LEVEL = 3;
    private static final String HEADER = "contender,splits,round,wall_s,cpu_s,raw_gb_s,gpu_chunks,cpu_chunks,answer";

    private final Map<String, String> options = new TreeMap<>(Map.of(
            "format", "bzip2",
            "folder", "split-job",
            "size", "64",
            "repeat", "8",
            "splits", "16",
            "rounds", "2",
            "contenders", "stock,cpu,auto,gpu",
            "writer", "stock",
            "out", "split-job.csv"));
    private Path file;
    private long rawBytes;

    private SplitJob() {}

    /** How often each flag occurs in a split, which is little to sort: what the job does is read. */
    public static final class FlagMapper extends Mapper<LongWritable, Text, Text, LongWritable> {
        private final FlagCounts counts = new FlagCounts();

        @Override
        protected void map(LongWritable offset, Text lines, Context context) {
            counts.add(lines.getBytes(), lines.getLength());
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            for (Map.Entry<String, Long> count : counts.byFlag().entrySet()) {
                context.write(new Text(count.getKey()), new LongWritable(count.getValue()));
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Engines.expectLongLife();
        SplitJob benchmark = new SplitJob();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            benchmark.options.put(arguments[i].substring(2), arguments[i + 1]);
        }
        benchmark.run();
    }

    private int number(String option) {
        return Integer.parseInt(options.get(option));
    }

    private void run() throws Exception {
        ResultFile results = new ResultFile(options, HEADER);
        TextCodecs codecs = TextCodecs.of(options.get("format"));
        write(codecs);
        results.note("# raw bytes: " + rawBytes + ", file: " + Files.size(file));
        CountedFallbacks fallbacks = new CountedFallbacks();
        String answer = null;
        for (int round = 0; round <= number("rounds"); round++) {
            for (String contender : options.get("contenders").split(",")) {
                String line = run(codecs, contender, round);
                String found = line.substring(line.lastIndexOf(',') + 1);
                if (answer != null && !answer.equals(found)) {
                    throw new IllegalStateException(contender + " answers " + found + ", not " + answer);
                }
                answer = found;
                if (round > 0) { // the first round warms up
                    results.note(line);
                } else {
                    System.out.println(line);
                }
            }
        }
        results.note(fallbacks);
    }

    private void write(TextCodecs codecs) throws IOException {
        Path folder = Files.createDirectories(Path.of(options.get("folder")));
        file = folder.resolve("lineitem" + codecs.suffix()).toAbsolutePath();
        byte[] text = TpchText.lineitem(number("size") * 1_000_000);
        int limit = text.length;
        while (text[limit - 1] != '\n') {
            limit--;
        }
        rawBytes = (long) limit * number("repeat");
        Path raw = folder.resolve("lineitem");
        boolean byTool = options.get("writer").equals("pzstd");
        try (OutputStream sink = byTool ? Files.newOutputStream(raw) : encoder(codecs)) {
            for (int turn = 0; turn < number("repeat"); turn++) {
                sink.write(text, 0, limit);
            }
        }
        if (byTool) {
            run(List.of("pzstd", "-q", "-f", "-3", "-o", file.toString(), raw.toString()));
            Files.delete(raw);
        }
    }

    private OutputStream encoder(TextCodecs codecs) throws IOException {
        if (options.get("writer").equals("library")) {
            return new ZstdOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 20), LIBRARY_LEVEL);
        }
        if (options.get("writer").equals("frames")) {
            return new BufferedOutputStream(new FrameWriter(Files.newOutputStream(file)), FrameWriter.FRAME_BYTES);
        }
        return new HadoopStreamCodec(options.get("writer").equals("ours") ? codecs.ours() : codecs.stock())
                .compress(new BufferedOutputStream(Files.newOutputStream(file), 1 << 20));
    }

    /** Writes each array as a frame, behind a skippable frame of 4 bytes that tells its length. */
    private static final class FrameWriter extends OutputStream {
        static final int FRAME_BYTES = 8 << 20;
        private static final int SKIPPABLE_MAGIC = 0x184D2A50;

        private final OutputStream sink;
        private final ZstdCompressCtx context =
                new ZstdCompressCtx().setLevel(LIBRARY_LEVEL).setChecksum(true).setContentSize(false);

        FrameWriter(OutputStream sink) {
            this.sink = sink;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            byte[] frame = context.compress(Arrays.copyOfRange(bytes, from, from + count));
            ByteBuffer announcement = ByteBuffer.allocate(3 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            sink.write(announcement
                    .putInt(SKIPPABLE_MAGIC)
                    .putInt(Integer.BYTES)
                    .putInt(frame.length)
                    .array());
            sink.write(frame);
        }

        @Override
        public void close() throws IOException {
            context.close();
            sink.close();
        }
    }

    private static void run(List<String> command) throws IOException {
        try {
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status != 0) {
                throw new IOException(command + " failed with " + status);
            }
        } catch (InterruptedException stopped) {
            throw new IOException(stopped);
        }
    }

    private String run(TextCodecs codecs, String contender, int round) throws Exception {
        int splits = number("splits");
        Configuration conf = new Configuration();
        boolean ours = !contender.equals("stock");
        conf.set("io.compression.codecs", (ours ? codecs.ours() : codecs.stock()).getName());
        if (ours) {
            conf.set("io.compression.codec.gpu.mode", contender);
        }
        conf.set("mapreduce.framework.name", "local");
        // by default the job's end is seen five seconds late
        conf.setInt("mapreduce.client.completion.pollinterval", 20);
        conf.setInt("mapreduce.local.map.tasks.maximum", splits);
        conf.setLong("mapreduce.input.fileinputformat.split.maxsize", Files.size(file) / splits + 1);
        conf.set("hadoop.tmp.dir", options.get("folder") + "/tmp");
        Path output = Path.of(options.get("folder"), "out-" + contender + "-" + round);
        Job job = Job.getInstance(conf, "lines by flag");
        job.setJarByClass(SplitJob.class);
        job.setInputFormatClass(LinesInputFormat.class);
        job.setMapperClass(FlagMapper.class);
        job.setReducerClass(LongSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(file.toUri()));
        FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long gpu = Metrics.sum("decode.", "gpu.chunks");
        long cpu = Metrics.sum("decode.", "cpu.chunks");
        long processor = system.getProcessCpuTime();
        long start = System.nanoTime();
        if (!job.waitForCompletion(false)) {
            throw new IllegalStateException(contender + " failed");
        }
        double wall = (System.nanoTime() - start) / 1e9;
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%.2f,%.1f,%.3f,%d,%d,%s",
                contender,
                splits,
                round,
                wall,
                (system.getProcessCpuTime() - processor) / 1e9,
                rawBytes / wall / 1e9,
                Metrics.sum("decode.", "gpu.chunks") - gpu,
                Metrics.sum("decode.", "cpu.chunks") - cpu,
                Files.readString(output.resolve("part-r-00000"), StandardCharsets.UTF_8)
                        .strip()
                        .replace('\n', ' ')
                        .replace('\t', '/'));
    }
}
