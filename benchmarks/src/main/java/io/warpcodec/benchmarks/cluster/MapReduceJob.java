package io.warpcodec.benchmarks.cluster;

import io.warpcodec.benchmarks.ResultFile;
import io.warpcodec.benchmarks.job.TextCodecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * MapReduce jobs on YARN whose daemons and tasks are processes: ResourceManager, NodeManager, history server, and a
 * JVM for each map task. The NodeManager has the node service as an auxiliary service; only the contender
 * {@code node} uses it. Reading counts lines of compressed files of TPC-H lineitem, a task for each file. Writing has
 * each task write a file of the same text compressed. Hadoop's codec ({@code stock}) and ours ({@code cpu},
 * {@code auto} without a service, {@code gpu}, {@code node}) take turns, and their answers must agree. Answers are
 * the lines of each flag, and what the stock codec decodes of what was written.
 *
 * <pre>
 * usage: MapReduceJob [--format gzip|lz4|snappy|zstd] [--files 16] [--raw-mb 240] [--works read,write] [--contenders stock,cpu,auto,node] [--rounds 2] [--slots 16] [--java "-Xmx700m"]
 *                     [--folder PATH] [--node-folder PATH] [--service-class NAME] [--keep false] [--out PATH] [--commit ID]
 * </pre>
 *
 * The class path has to have YARN's daemons, as that of hadoop-codec's tests has, and no other Hadoop client. The
 * first job of each kind warms the daemons up and is not reported. Columns of times, in seconds:
 *
 * <ul>
 *   <li>{@code wall_s}: from submission until the job's end is known
 *   <li>{@code maps_s}: from the start of the first map task to the end of the last
 *   <li>{@code map_s}, {@code most_map_s}: mean and maximum of tasks
 *   <li>{@code tasks_cpu_s}: processor time of tasks as they report it, without the start of their JVMs
 *   <li>{@code containers_cpu_s}: processor time of all containers from their start on, with the job's own
 *   <li>{@code daemons_cpu_s}: processor time of the daemons
 *   <li>{@code service_cpu_s}: processor time of the process that has the GPUs
 * </ul>
 */
public final class MapReduceJob {
    private static final long SERVICE_SECONDS = 60;

    private final JobOptions options;
    private final Answers answers = new Answers();
    private ResultFile results;

    private MapReduceJob(JobOptions options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws Exception {
        JobOptions options = options(arguments);
        Path folder = Files.createTempDirectory(Path.of(options.text("folder")), "map-reduce-job-");
        Path nodeFolder = Files.createTempDirectory(Path.of(options.text("node-folder")), "map-reduce-job-");
        boolean ended = false;
        try {
            new MapReduceJob(options).run(folder, nodeFolder);
            ended = true;
        } finally {
            TextFolders.delete(nodeFolder);
            if (ended && !Boolean.parseBoolean(options.text("keep"))) {
                TextFolders.delete(folder);
            } else {
                System.out.println("logs: " + folder);
            }
        }
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
                "stock,cpu,auto,node",
                "rounds",
                "2",
                "slots",
                "16",
                "java",
                "-Xmx700m",
                "folder",
                System.getProperty("java.io.tmpdir"),
                "node-folder",
                "/dev/shm",
                "service-class",
                "io.warpcodec.hadoop.yarn.NodeGpuService",
                "keep",
                "false",
                "out",
                "map-reduce-job.csv",
                "commit",
                "");
    }

    private void run(Path folder, Path nodeFolder) throws Exception {
        String hostsOption = LoopbackHosts.install(folder);
        TextCodecs codecs = TextCodecs.of(options.text("format"));
        TextFolders input =
                TextFolders.write(folder, codecs, options.number("raw-mb") * 1_000_000L, options.number("files"));
        results = new ResultFile(options.all(), MapReduceRun.HEADER);
        results.note("# raw bytes: " + input.rawBytes() + ", compressed by stock: "
                + TextFolders.bytes(input.compressed(), "file-"));
        YarnSite site = new YarnSite(
                folder,
                options.number("slots"),
                options.text("service-class"),
                nodeFolder.toString(),
                System.getProperty("java.class.path"),
                hostsOption);
        try (YarnCluster cluster = YarnCluster.start(site)) {
            if (cluster.awaitService(nodeFolder, SERVICE_SECONDS)) {
                results.note("# the node service has taken " + cluster.serviceSeconds() + " processor s to start");
            } else {
                results.note("# no node service: " + cluster.saidOfGpus());
            }
            MapReduceRun run = new MapReduceRun(site, cluster, codecs, input, options.text("java"));
            for (int round = 0; round <= options.number("rounds"); round++) {
                for (String work : options.words("works")) {
                    // the first round warms the daemons up
                    for (Contender contender : round > 0
                            ? options.contenders()
                            : options.contenders().subList(0, 1)) {
                        measure(run, contender, work, round);
                    }
                }
            }
        }
    }

    private void measure(MapReduceRun run, Contender contender, String work, int round) throws IOException {
        String line;
        try {
            line = run.measure(contender, work, round);
        } catch (Exception failed) { // a mode that this machine has not
            results.note("# not measured: " + contender.word() + ", " + work + ", round " + round + ": " + why(failed));
            return;
        }
        answers.check(contender, work, line.substring(line.lastIndexOf(',') + 1));
        if (round > 0) {
            results.note(line);
        } else {
            System.out.println(line);
        }
    }

    private static String why(Exception failed) {
        String why = failed.getMessage() == null ? failed.toString() : failed.getMessage();
        return why.lines().findFirst().orElse("");
    }
}
