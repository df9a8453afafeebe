package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.stream.gzipindex.GzipIndexer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * MapReduce on HDFS and YARN of one machine: each codec reads the input, in splits where the format has them, carries
 * the map output and writes the result; {@code hadoop fs -text} reads it. Three jobs run in containers: one of gzip,
 * in a container for every task, one whose tasks share the master's, and one of an ordinary file with its index. The
 * tasks of the other codecs run in this process, where Hadoop treats a codec as in a container. A container's JVM
 * takes ten times as long to start as its tasks to run.
 */
@Timeout(600)
class MapReduceIT {
    /** {@code -Dwarpcodec.test.sizes=all} runs the jobs of all codecs in containers. */
    private static final boolean ALL_IN_CONTAINERS =
            System.getProperty("warpcodec.test.sizes", "").equals("all");

    private static final int CHUNK_BYTES = 65_536;
    private static final byte[] CONTENT = Payloads.text(200_000, 77);

    @TempDir
    static Path scratch;

    private static MiniDFSCluster hdfs;
    private static MiniMRYarnCluster yarn;

    @BeforeAll
    static void start() throws IOException {
        System.setProperty("test.build.data", scratch.resolve("yarn").toString());
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, scratch.resolve("hdfs").toString());
        conf.set("hadoop.tmp.dir", scratch.resolve("tmp").toString());
        hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        hdfs.waitClusterUp();
        conf.set("fs.defaultFS", hdfs.getURI().toString());
        settings(conf);
        yarn = new MiniMRYarnCluster("codecs", 1);
        yarn.init(conf);
        yarn.start();
    }

    private static void settings(Configuration conf) {
        conf.setInt("yarn.nodemanager.resource.memory-mb", 4096);
        conf.setInt("yarn.nodemanager.resource.cpu-vcores", 4);
        conf.setInt("yarn.scheduler.minimum-allocation-mb", 256);
        conf.setFloat("yarn.scheduler.capacity.maximum-am-resource-percent", 0.5f);
        conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
        conf.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
        conf.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.5");
        conf.setInt("yarn.nodemanager.log.retain-seconds", 0);
        conf.setInt("mapreduce.client.completion.pollinterval", 200);
        String opens =
                " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UseTransparentHugePages -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
                        + " --add-opens=java.base/java.lang=ALL-UNNAMED"
                        + " --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.net=ALL-UNNAMED";
        conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx300m" + opens);
        conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
        conf.set("mapreduce.map.java.opts", "-Xmx300m" + opens);
        conf.set("mapreduce.reduce.java.opts", "-Xmx300m" + opens);
        conf.setInt("mapreduce.map.memory.mb", 512);
        conf.setInt("mapreduce.reduce.memory.mb", 512);
        conf.setInt("mapreduce.task.io.sort.mb", 16);
        conf.setBoolean("mapreduce.map.speculative", false);
        conf.setBoolean("mapreduce.reduce.speculative", false);
        conf.setInt("mapreduce.map.maxattempts", 1);
        conf.setInt("mapreduce.reduce.maxattempts", 1);
    }

    @AfterAll
    static void stop() {
        if (yarn != null) {
            yarn.stop();
        }
        if (hdfs != null) {
            hdfs.shutdown(true);
        }
    }

    /** All jobs in containers at once: they wait for each other rather than for the clock. */
    @Test
    void everyCodecReadsShufflesAndWritesInAJob() throws Exception {
        FileSystem files = hdfs.getFileSystem();
        Map<CodecUnderTest, Job> jobs = new EnumMap<>(CodecUnderTest.class);
        for (CodecUnderTest format : CodecUnderTest.values()) {
            jobs.put(format, submit(format, files));
        }
        for (Map.Entry<CodecUnderTest, Job> each : jobs.entrySet()) {
            CodecUnderTest format = each.getKey();
            Job job = each.getValue();
            assertThat(job.waitForCompletion(false))
                    .as(format + ": " + job.getStatus())
                    .isTrue();
            var counters = job.getCounters();
            assertThat(counters.findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES)
                            .getValue())
                    .as(format + ": the map output is compressed")
                    .isLessThan(
                            counters.findCounter(TaskCounter.MAP_OUTPUT_BYTES).getValue() / 2);
            FileStatus part = Arrays.stream(files.listStatus(output(format)))
                    .filter(file -> file.getPath().getName().startsWith("part-"))
                    .findFirst()
                    .orElseThrow();
            assertThat(part.getPath().getName()).endsWith(format.suffix);
            byte[] decoded;
            try (InputStream in = files.open(part.getPath())) {
                decoded = Coding.decompress(format.codec(), in.readAllBytes());
            }
            assertThat(lines(decoded)).as(format + ": sorted lines").isEqualTo(sortedLines());
            assertThat(lines(fsText(format, part.getPath().toString())))
                    .as(format + ": hadoop fs -text")
                    .isEqualTo(sortedLines());
        }
    }

    /** A file that another program wrote: four splits, each with lines of its own. */
    @Test
    void anOrdinaryGzipFileIsSplitByTheIndexBesideIt() throws Exception {
        FileSystem files = hdfs.getFileSystem();
        var input = new org.apache.hadoop.fs.Path("/in-indexed", "text.gz");
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip, 512, true)) {
            for (int at = 0; at < CONTENT.length; at += 10_000) {
                out.write(CONTENT, at, Math.min(10_000, CONTENT.length - at));
                out.flush();
            }
        }
        try (var out = files.create(input)) {
            out.write(gzip.toByteArray());
        }
        try (var out = files.create(new org.apache.hadoop.fs.Path("/in-indexed", GzipIndex.nameFor("text.gz")))) {
            out.write(GzipIndexer.index(() -> files.open(input), 1000));
        }
        Configuration conf = new Configuration(yarn.getConfig());
        conf.set("io.compression.codecs", CodecUnderTest.GZIP.className);
        conf.setBoolean("mapreduce.job.ubertask.enable", true);
        conf.setLong("mapreduce.input.fileinputformat.split.maxsize", gzip.size() / 4 + 1);
        var output = new org.apache.hadoop.fs.Path("/out-indexed");
        Job job = sortJob(conf, "sort indexed", new org.apache.hadoop.fs.Path("/in-indexed"), output);
        assertThat(job.waitForCompletion(false)).as(job.getStatus().toString()).isTrue();
        try (InputStream in = files.open(new org.apache.hadoop.fs.Path(output, "part-r-00000"))) {
            assertThat(lines(in.readAllBytes())).isEqualTo(sortedLines());
        }
        assertThat(job.getTaskReports(TaskType.MAP))
                .hasSize(4)
                .allSatisfy(task -> assertThat(task.getTaskCounters()
                                .findCounter(TaskCounter.MAP_INPUT_RECORDS)
                                .getValue())
                        .isPositive());
    }

    private static org.apache.hadoop.fs.Path output(CodecUnderTest format) {
        return new org.apache.hadoop.fs.Path("/out-" + format);
    }

    private static Job submit(CodecUnderTest format, FileSystem files) throws Exception {
        Configuration conf = new Configuration(yarn.getConfig());
        conf.addResource(format.conf());
        conf.set("io.compression.codecs", format.className);
        conf.setInt(CodecUnderTest.PREFIX + "chunk.size", CHUNK_BYTES);
        if (format == CodecUnderTest.LZ4_HADOOP) {
            conf.set(CodecUnderTest.PREFIX + "lz4.framing", "hadoop");
        }
        if (format == CodecUnderTest.BZIP2) {
            conf.unset(CodecUnderTest.PREFIX + "chunk.size");
        }
        CompressionCodec codec = format.codec(conf);
        org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path("/in-" + format, "text" + format.suffix);
        byte[] file = Coding.compress(codec, CONTENT);
        try (var out = files.create(input)) {
            out.write(file);
        }
        switch (format) {
            case GZIP -> conf.setBoolean("mapreduce.job.ubertask.enable", false);
            case ZSTD -> conf.setBoolean("mapreduce.job.ubertask.enable", true);
            default -> {
                if (ALL_IN_CONTAINERS) {
                    conf.setBoolean("mapreduce.job.ubertask.enable", true);
                } else {
                    conf.set("mapreduce.framework.name", "local");
                }
            }
        }
        conf.setBoolean("mapreduce.map.output.compress", true);
        conf.set("mapreduce.map.output.compress.codec", format.className);
        conf.setLong("mapreduce.input.fileinputformat.split.maxsize", file.length / 2 + 1);
        conf.setBoolean(FileOutputFormat.COMPRESS, true);
        conf.set(FileOutputFormat.COMPRESS_CODEC, format.className);
        Job job = sortJob(conf, "sort " + format, input, output(format));
        job.submit();
        return job;
    }

    private static Job sortJob(
            Configuration conf, String name, org.apache.hadoop.fs.Path input, org.apache.hadoop.fs.Path output)
            throws IOException {
        Job job = Job.getInstance(conf, name);
        job.setJarByClass(GpuGzipCodec.class);
        job.setMapperClass(LineMapper.class);
        job.setReducerClass(LineReducer.class);
        job.setMapOutputKeyClass(Text.class);
        job.setMapOutputValueClass(LongWritable.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(NullWritable.class);
        job.setNumReduceTasks(1);
        FileInputFormat.addInputPath(job, input);
        FileOutputFormat.setOutputPath(job, output);
        return job;
    }

    private static byte[] fsText(CodecUnderTest format, String path) throws Exception {
        Configuration conf = new Configuration(yarn.getConfig());
        conf.set("io.compression.codecs", format.className);
        PrintStream usual = System.out;
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        System.setOut(new PrintStream(shown, true, StandardCharsets.UTF_8));
        try {
            assertThat(new FsShell(conf).run(new String[] {"-text", path})).isZero();
        } finally {
            System.setOut(usual);
        }
        return shown.toByteArray();
    }

    private static List<String> lines(byte[] text) {
        return new String(text, StandardCharsets.UTF_8).lines().toList();
    }

    private static List<String> sortedLines() {
        return Stream.of(new String(CONTENT, StandardCharsets.UTF_8).split("\n"))
                .map(Text::new)
                .sorted()
                .map(Text::toString)
                .toList();
    }

    /** Emits each line as a key. */
    public static final class LineMapper extends Mapper<LongWritable, Text, Text, LongWritable> {
        @Override
        protected void map(LongWritable offset, Text line, Context context) throws IOException, InterruptedException {
            context.write(line, offset);
        }
    }

    /** Writes each line as often as it came. */
    public static final class LineReducer extends Reducer<Text, LongWritable, Text, NullWritable> {
        @Override
        protected void reduce(Text line, Iterable<LongWritable> offsets, Context context)
                throws IOException, InterruptedException {
            for (LongWritable offset : offsets) {
                context.write(line, NullWritable.get());
            }
        }
    }
}
