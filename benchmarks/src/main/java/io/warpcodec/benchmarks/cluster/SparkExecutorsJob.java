package io.warpcodec.benchmarks.cluster;

import io.warpcodec.benchmarks.ResultFile;
import io.warpcodec.benchmarks.job.TextCodecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkException;
import org.apache.spark.launcher.JavaModuleOptions;
import scala.util.Properties;

/**
 * A Spark application on executors that are processes of one machine (a {@code local-cluster}): lines of TPC-H
 * lineitem by flag from compressed files, as a query too, text written compressed, a shuffle. Hadoop's and Spark's
 * codecs ({@code stock}) and ours ({@code cpu}, {@code own}, which has GPUs in each executor, {@code node}) take
 * turns, and their answers must agree. For {@code node} the node service is started here. Each contender has new
 * executors in every round, which do all the work {@code passes} times: the first pass is that of JVMs that have just
 * started.
 *
 * <pre>
 * usage: SparkExecutorsJob [--format gzip|lz4|snappy|zstd] [--files 16] [--raw-mb 240] [--works read,write] [--contenders stock,cpu,own,node] [--rounds 1] [--passes 3]
 *                          [--executors 4] [--cores 4] [--memory-mb 2048] [--java OPTIONS] [--folder PATH] [--node-folder PATH] [--service "MAIN ARGUMENT ..."] [--keep false]
 *                          [--out PATH] [--commit ID]
 * </pre>
 *
 * Works: {@code read, sql, write, shuffle}. In {@code --service} the word FOLDER is replaced by the service's folder.
 * {@code executors_cpu_s} are processor seconds of all executors, {@code service_cpu_s} of the process that has the
 * GPUs.
 */
public final class SparkExecutorsJob {
    private static final String HEADER = "contender,work,round,pass,wall_s,raw_gb_s,executors_cpu_s,service_cpu_s,"
            + "out_bytes,gpu_chunks,cpu_chunks,by_cpu,answer";
    /** In the environment of the process that has what Spark wants there. */
    private static final String HOME = "SPARK_HOME";

    private static final long SERVICE_SECONDS = 60;
    private static final long LOOK_MILLIS = 50;

    private final JobOptions options;
    private final TextCodecs codecs;
    private final Answers answers = new Answers();
    private Path folder;
    private Path nodeFolder;
    private String hostsOption;
    private TextFolders input;
    private ResultFile results;

    private SparkExecutorsJob(JobOptions options) {
        this.options = options;
        this.codecs = TextCodecs.of(options.text("format"));
    }

    public static void main(String[] arguments) throws Exception {
        JobOptions options = options(arguments);
        if (System.getenv(HOME) == null) {
            System.exit(again(arguments));
        }
        new SparkExecutorsJob(options).run();
        // threads of Spark's workers live on
        System.exit(0);
    }

    static JobOptions options(String... arguments) {
        return JobOptions.parse(
                arguments,
                "format",
                "gzip",
                "files",
                "16",
                "raw-mb",
                "240",
                "works",
                "read,write",
                "contenders",
                "stock,cpu,own,node",
                "rounds",
                "1",
                "passes",
                "3",
                "executors",
                "4",
                "cores",
                "4",
                "memory-mb",
                "2048",
                "java",
                "",
                "folder",
                System.getProperty("java.io.tmpdir"),
                "node-folder",
                "/dev/shm",
                "service",
                "io.warpcodec.serve.ServeMain node.folder=FOLDER",
                "keep",
                "false",
                "out",
                "spark-executors-job.csv",
                "commit",
                "");
    }

    /** Runs this program in a process whose environment has a folder that stands for an installation of Spark. */
    private static int again(String[] arguments) throws IOException, InterruptedException {
        Path home = Files.createTempDirectory("spark-home-");
        Files.createDirectory(home.resolve("jars"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+")));
        command.addAll(List.of("-Xmx2g", SparkExecutorsJob.class.getName()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        String version = Properties.versionNumberString();
        builder.environment()
                .putAll(Map.of(
                        "CLASSPATH",
                        System.getProperty("java.class.path"),
                        HOME,
                        home.toString(),
                        "SPARK_SCALA_VERSION",
                        version.substring(0, version.lastIndexOf('.')),
                        "SPARK_LOCAL_IP",
                        "127.0.0.1",
                        "JAVA_HOME",
                        System.getProperty("java.home")));
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        int status = process.waitFor();
        if (status == 0) {
            TextFolders.delete(home);
        } else {
            System.out.println("logs of executors: " + home);
        }
        return status;
    }

    private void run() throws Exception {
        folder = Files.createTempDirectory(Path.of(options.text("folder")), "spark-executors-job-");
        nodeFolder = Files.createTempDirectory(Path.of(options.text("node-folder")), "spark-executors-job-");
        try {
            hostsOption = LoopbackHosts.install(folder);
            input = TextFolders.write(folder, codecs, options.number("raw-mb") * 1_000_000L, options.number("files"));
            results = new ResultFile(options.all(), HEADER);
            results.note("# raw bytes: " + input.rawBytes() + ", compressed by stock: "
                    + TextFolders.bytes(input.compressed(), "file-"));
            for (int round = 1; round <= options.number("rounds"); round++) {
                for (Contender contender : options.contenders()) {
                    if (contender == Contender.NODE) {
                        served(round);
                    } else {
                        measure(contender, round, null);
                    }
                }
            }
        } finally {
            TextFolders.delete(nodeFolder);
            if (!Boolean.parseBoolean(options.text("keep"))) {
                TextFolders.delete(folder);
            }
        }
    }

    /** Beside a service that lives for this contender alone. */
    private void served(int round) throws Exception {
        Path log = Files.createTempFile("node-service-", ".log");
        List<String> command = new ArrayList<>(List.of("-Xmx512m", "-XX:+UseSerialGC"));
        for (String word : options.text("service").split(" ")) {
            command.add(word.replace("FOLDER", nodeFolder.toString()));
        }
        try (JavaProcess service = JavaProcess.start(log, Map.of(), System.getProperty("java.class.path"), command)) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SERVICE_SECONDS);
            while (!Files.exists(nodeFolder.resolve("socket"))
                    && service.process().isAlive()
                    && System.nanoTime() < end) {
                Thread.sleep(LOOK_MILLIS);
            }
            if (service.process().isAlive()) {
                results.note(
                        "# the node service has taken " + ProcessorTime.of(service.id()) + " processor s to start");
            } else {
                results.note("# no node service: " + service.log().lines().reduce("", (first, last) -> last));
            }
            measure(Contender.NODE, round, service);
        } finally {
            Files.delete(log);
        }
    }

    /** @param service null for none */
    private void measure(Contender contender, int round, JavaProcess service) throws Exception {
        try (SparkExecutors executors =
                SparkExecutors.start(options, contender, codecs, nodeFolder.toString(), hostsOption)) {
            results.note(String.format(
                    Locale.ROOT,
                    "# %s, round %d: executors have taken %.1f processor s to start",
                    contender.word(),
                    round,
                    executors.seconds()));
            for (int pass = 1; pass <= options.number("passes"); pass++) {
                for (String work : options.words("works")) {
                    String line;
                    try {
                        line = measure(contender, executors, work, service);
                    } catch (SparkException failed) { // a mode that this machine has not
                        results.note("# not measured: " + contender.word() + ", " + work + ": "
                                + failed.getMessage().lines().findFirst().orElse(""));
                        continue;
                    }
                    answers.check(contender, work, line.substring(line.lastIndexOf(',') + 1));
                    results.note(contender.word() + "," + work + "," + round + "," + pass + "," + line);
                }
            }
        }
    }

    /** The columns from the wall on. */
    private String measure(Contender contender, SparkExecutors executors, String work, JavaProcess service)
            throws Exception {
        Path output = folder.resolve("out");
        Map<String, Long> counts = executors.counts();
        double processor = executors.seconds();
        double served = serviceSeconds(service);
        long start = System.nanoTime();
        String answer = new SparkWork(
                        executors.session(), input, contender.codec(codecs).getName(), output)
                .run(work);
        double wall = (System.nanoTime() - start) / 1e9;
        processor = executors.seconds() - processor;
        served = serviceSeconds(service) - served;
        long outBytes = 0;
        if (Files.exists(output)) {
            outBytes = TextFolders.bytes(output, "part-");
            answer = TextFolders.decoded(output, codecs);
            TextFolders.delete(output);
        }
        return String.format(
                Locale.ROOT,
                "%.2f,%.3f,%.1f,%.2f,%d,%s,%s",
                wall,
                input.rawBytes() / wall / 1e9,
                processor,
                served,
                outBytes,
                CodecCounters.columns(CodecCounters.difference(executors.counts(), counts)),
                answer);
    }

    private static double serviceSeconds(JavaProcess service) throws IOException {
        return service == null ? 0 : ProcessorTime.of(service.id());
    }
}
