package io.warpcodec.hadoop.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.GpuLz4Codec;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.service.Service;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A NodeManager that serves GPUs, with a scripted device, to the containers of a job. */
@Timeout(600)
class NodeGpuServiceIT {
    private static final String SERVICES = "yarn.nodemanager.aux-services";
    private static final String COUNTERS = "warpcodec";
    private static final String GPU_CHUNKS = "decode.lz4.gpu.chunks";
    private static final String CPU_CHUNKS = "decode.lz4.cpu.chunks";
    /** Chunks that devices would have done too late: on a busy machine a task waits a second for them, no longer. */
    private static final String LATE_CHUNKS = "fallback.decode.lz4.device-slow";

    private static final int CHUNK_BYTES = 65_536;
    private static final byte[] CONTENT = Payloads.text(1_000_000, 78);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    Path scratch;

    private Path folder;
    private MiniMRYarnCluster yarn;

    @BeforeEach
    void start() throws IOException {
        folder = Files.createTempDirectory(Path.of("/dev/shm"), "warpcodec-test-");
        System.setProperty("test.build.data", scratch.resolve("yarn").toString());
        Configuration conf = new Configuration();
        conf.set("hadoop.tmp.dir", scratch.resolve("tmp").toString());
        conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
        conf.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
        conf.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.5");
        // what a NodeManager waits for when it stops
        conf.setInt("yarn.nodemanager.log.retain-seconds", 0);
        conf.setInt("yarn.nodemanager.process-kill-wait.ms", 500);
        conf.setInt("yarn.scheduler.minimum-allocation-mb", 256);
        conf.setFloat("yarn.scheduler.capacity.maximum-am-resource-percent", 0.5f);
        conf.set(SERVICES + ".warpcodec.class", ScriptedNodeGpuService.class.getName());
        conf.set(CodecUnderTest.PREFIX + "node.folder", folder.toString());
        yarn = new ServingCluster();
        yarn.init(conf);
        yarn.start();
    }

    @AfterEach
    void stop() throws IOException {
        try {
            yarn.stop();
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void containersDecodeOnTheDevicesOfTheNodeManagersProcess() throws Exception {
        Process process = ScriptedNodeGpuService.process();
        Path socket = folder.resolve("socket");
        long end = System.nanoTime() + MOST_NANOS;
        while (!Files.exists(socket)) {
            assertThat(System.nanoTime()).as("the service comes up").isLessThan(end);
            Thread.sleep(50);
        }

        Path output = scratch.resolve("out");
        Job job = copyJob(output);
        assertThat(job.waitForCompletion(false)).as(job.getStatus().toString()).isTrue();
        assertThat(lines(output))
                .isEqualTo(new String(CONTENT, StandardCharsets.UTF_8).lines().toList());
        assertThat(job.getTaskReports(TaskType.MAP)).hasSize(2).allSatisfy(task -> {
            var counters = task.getTaskCounters().getGroup(COUNTERS);
            long late = counters.findCounter(LATE_CHUNKS).getValue();
            // a late chunk was asked of the service, too; where the machine is busy, all of them may be late
            assertThat(counters.findCounter(GPU_CHUNKS).getValue() + late)
                    .isGreaterThanOrEqualTo(CONTENT.length / CHUNK_BYTES / 2);
            assertThat(counters.findCounter(CPU_CHUNKS).getValue()).isEqualTo(late);
        });

        assertThat(process.isAlive()).isTrue();
        yarn.stop();
        assertThat(process.isAlive()).isFalse();
        assertThat(process.exitValue()).isZero();
        try (Stream<Path> left = Files.walk(folder)) {
            assertThat(left.map(folder::relativize).map(Path::toString)).containsOnly("", "lock", "segments");
        }
    }

    /**
     * Each of its two tasks reads half of a file of many chunks and writes its lines, and may use no devices but the
     * node's.
     */
    private Job copyJob(Path output) throws IOException {
        Configuration conf = new Configuration(yarn.getConfig());
        String opens =
                " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
                        + " --add-opens=java.base/java.lang=ALL-UNNAMED";
        conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx300m" + opens);
        conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
        conf.set("mapreduce.map.java.opts", "-Xmx300m" + opens);
        conf.setInt("mapreduce.map.memory.mb", 512);
        conf.setBoolean("mapreduce.map.speculative", false);
        conf.setInt("mapreduce.map.maxattempts", 1);
        conf.setInt("mapreduce.client.completion.pollinterval", 200);
        conf.set("io.compression.codecs", GpuLz4Codec.class.getName());
        conf.setInt(CodecUnderTest.PREFIX + "chunk.size", CHUNK_BYTES);
        conf.set(CodecUnderTest.PREFIX + "mode", "gpu");
        conf.set(CodecUnderTest.PREFIX + "devices", "node");
        byte[] file = file();
        Path input = Files.createDirectory(scratch.resolve("in")).resolve("text.lz4");
        Files.write(input, file);
        conf.setLong("mapreduce.input.fileinputformat.split.maxsize", file.length / 2 + 1);
        Job job = Job.getInstance(conf, "copy");
        job.setJarByClass(GpuLz4Codec.class);
        job.setMapperClass(LineMapper.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(NullWritable.class);
        job.setNumReduceTasks(0);
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
        FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
        return job;
    }

    private static byte[] file() throws IOException {
        Configuration conf = CodecUnderTest.LZ4.conf();
        conf.setInt(CodecUnderTest.PREFIX + "chunk.size", CHUNK_BYTES);
        conf.set(CodecUnderTest.PREFIX + "mode", "cpu");
        return Coding.compress(CodecUnderTest.LZ4.codec(conf), CONTENT);
    }

    private static List<String> lines(Path output) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> parts = Files.list(output)) {
            for (Path part : parts.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .sorted()
                    .toList()) {
                lines.addAll(Files.readAllLines(part));
            }
        }
        return lines;
    }

    /** Writes each line, and at the end which engine has decoded this task's chunks. */
    public static final class LineMapper extends Mapper<LongWritable, Text, Text, NullWritable> {
        @Override
        protected void map(LongWritable offset, Text line, Context context) throws IOException, InterruptedException {
            context.write(line, NullWritable.get());
        }

        @Override
        protected void cleanup(Context context) {
            for (String name : List.of(GPU_CHUNKS, CPU_CHUNKS, LATE_CHUNKS)) {
                context.getCounter(COUNTERS, name)
                        .increment(Metrics.counter(name).sum());
            }
        }
    }

    /** Has our service in its list, which its parent replaces before it makes the NodeManager. */
    private static final class ServingCluster extends MiniMRYarnCluster {
        ServingCluster() {
            super("serving", 1);
        }

        @Override
        protected void addService(Service service) {
            getConfig().set(SERVICES, "mapreduce_shuffle,warpcodec");
            super.addService(service);
        }
    }
}
