package io.warpcodec.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.benchmarks.job.TextCodecs;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What jobs on clusters need before a process is started and after the last has ended. */
class ClusterJobTest {
    private static final TextCodecs GZIP = TextCodecs.of("gzip");

    @TempDir
    Path folder;

    @Test
    void optionsHaveDefaultsAndUnknownOnesAreRefused() {
        JobOptions options = MapReduceJob.options("--files", "3", "--contenders", "stock,node");
        assertThat(options.number("files")).isEqualTo(3);
        assertThat(options.number("raw-mb")).isEqualTo(240);
        assertThat(options.contenders()).containsExactly(Contender.STOCK, Contender.NODE);
        assertThat(options.all()).doesNotContainKey("commit").containsEntry("rounds", "2");
        assertThatThrownBy(() -> SparkExecutorsJob.options("--fils", "3")).hasMessageContaining("--fils");
        assertThatThrownBy(() -> SparkExecutorsJob.options("--files")).hasMessageContaining("--files");
        assertThat(SparkExecutorsJob.options().contenders()).contains(Contender.OWN);
    }

    @Test
    void onlyOneContenderUsesTheService() {
        assertThat(Contender.STOCK.hadoopSettings(GZIP, "/folder"))
                .isEqualTo(Map.of("io.compression.codecs", "org.apache.hadoop.io.compress.GzipCodec"));
        assertThat(Contender.AUTO.hadoopSettings(GZIP, "/folder"))
                .containsEntry("io.compression.codec.gpu.mode", "auto")
                .containsEntry("io.compression.codec.gpu.node.folder", "none");
        assertThat(Contender.NODE.hadoopSettings(GZIP, "/folder"))
                .containsEntry("io.compression.codecs", "io.warpcodec.hadoop.GpuGzipCodec")
                .containsEntry("io.compression.codec.gpu.node.folder", "/folder");
        assertThat(SparkExecutors.settings(Contender.NODE, GZIP, "/folder"))
                .containsEntry("spark.plugins", "io.warpcodec.spark.WarpcodecPlugin")
                .containsEntry("spark.hadoop.io.compression.codec.gpu.node.folder", "/folder")
                .containsEntry("spark.io.compression.gpu.node.folder", "/folder");
        assertThat(SparkExecutors.settings(Contender.STOCK, GZIP, "/folder"))
                .containsEntry("spark.io.compression.codec", "lz4")
                .doesNotContainKey("spark.plugins");
    }

    @Test
    void daemonsReadWhatIsWrittenForThem() throws Exception {
        YarnSite site = new YarnSite(folder, 4, "a.Service", "/folder", "/a.jar:/b/*", "-Dan=option");
        Configuration conf = site.configuration();
        Path files = site.write(conf);
        Configuration read = new Configuration(false);
        read.addResource(Files.newInputStream(files.resolve("yarn-site.xml")));
        assertThat(read.get("yarn.nodemanager.aux-services")).isEqualTo("mapreduce_shuffle,warpcodec");
        assertThat(read.get("yarn.nodemanager.aux-services.warpcodec.node.folder"))
                .isEqualTo("/folder");
        assertThat(read.getInt("yarn.nodemanager.resource.memory-mb", 0)).isEqualTo(6 * YarnSite.CONTAINER_MEBIBYTES);
        assertThat(read.get("mapreduce.application.classpath")).isEqualTo("/a.jar,/b/*");
        assertThat(read.get("yarn.resourcemanager.address"))
                .startsWith("127.0.0.1:")
                .isNotEqualTo(read.get("yarn.nodemanager.address"));
        assertThat(site.taskOptions("-Xmx1g")).startsWith("-Dan=option").endsWith("-Xmx1g");
    }

    @Test
    void bothFoldersHaveTheSameText() throws Exception {
        TextFolders folders = TextFolders.write(folder, GZIP, 300_000, 2);
        assertThat(folders.rawBytes()).isEqualTo(TextFolders.bytes(folders.text(), "file-"));
        assertThat(TextFolders.bytes(folders.compressed(), "file-")).isLessThan(folders.rawBytes() / 2);
        Path parts = Files.createDirectory(folder.resolve("parts"));
        for (int part = 0; part < 2; part++) {
            Files.copy(folders.compressed().resolve("file-00" + part + ".gz"), parts.resolve("part-" + part));
        }
        String decoded = TextFolders.decoded(parts, GZIP);
        assertThat(decoded).startsWith(folders.rawBytes() + "/");
        Files.copy(folders.compressed().resolve("file-000.gz"), parts.resolve("part-2"));
        assertThat(TextFolders.decoded(parts, GZIP)).isNotEqualTo(decoded);
        TextFolders.delete(folder.resolve("compressed"));
        assertThat(folders.compressed()).doesNotExist();
    }

    @Test
    void countersOfProcessesAreAddedUp() {
        Map<String, Long> before = new TreeMap<>(Map.of("gpu.chunks", 2L));
        Map<String, Long> now =
                CodecCounters.sum(before, Map.of("gpu.chunks", 3L, "cpu.chunks", 1L, "fallback.decode.gzip.short", 4L));
        assertThat(CodecCounters.columns(now)).isEqualTo("5,1,decode.gzip.short=4");
        assertThat(CodecCounters.columns(CodecCounters.difference(now, before))).isEqualTo("3,1,decode.gzip.short=4");
    }

    @Test
    void anotherAnswerIsAnError() {
        Answers answers = new Answers();
        answers.check(Contender.STOCK, "read", "A/1");
        answers.check(Contender.CPU, "read", "A/1");
        answers.check(Contender.CPU, "write", "1/ff");
        assertThatThrownBy(() -> answers.check(Contender.NODE, "read", "A/2")).hasMessageContaining("node");
    }

    @Test
    void processorTimeOfAProcessAndItsChildrenIsRead() throws Exception {
        Process process = new ProcessBuilder(
                        "sh", "-c", "sh -c 'i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done'; read x")
                .start();
        long end = System.nanoTime() + 60_000_000_000L;
        while (ProcessorTime.ofEndedChildren(process.pid()) == 0 && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        assertThat(ProcessorTime.ofEndedChildren(process.pid())).isPositive();
        assertThat(ProcessorTime.of(ProcessHandle.current().pid())).isPositive();
        assertThat(ProcessorTime.below(ProcessHandle.current(), "read x"))
                .extracting(ProcessHandle::pid)
                .isEqualTo(List.of(process.pid()));
        process.getOutputStream().close();
        process.waitFor();
        assertThat(ProcessorTime.of(process.pid())).isZero();
    }

    @Test
    void thisMachineIsFoundOnLoopback() throws Exception {
        String option = LoopbackHosts.install(folder);
        Path hosts = Path.of(option.substring(option.indexOf('=') + 1));
        assertThat(hosts).content().startsWith("127.0.0.1 localhost ");
        assertThat(InetAddress.getByName("localhost").isLoopbackAddress()).isTrue();
        System.clearProperty("jdk.net.hosts.file");
    }
}
