package io.warpcodec.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** YARN on this machine, each daemon a process. The NodeManager's auxiliary service serves GPUs, if there are any. */
final class YarnCluster implements AutoCloseable {
    private static final long START_SECONDS = 90;
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_MILLIS = 50;

    private final Configuration conf;
    private final Deque<JavaProcess> daemons = new ArrayDeque<>();
    private JavaProcess nodeManager;

    private YarnCluster(Configuration conf) {
        this.conf = conf;
    }

    /** Starts the daemons and waits until jobs can be submitted. */
    static YarnCluster start(YarnSite site) throws IOException, InterruptedException {
        Configuration conf = site.configuration();
        Path files = site.write(conf);
        YarnCluster cluster = new YarnCluster(conf);
        try {
            JavaProcess resources =
                    cluster.daemon(site, files, "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager");
            JavaProcess history = cluster.daemon(site, files, "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer");
            resources.awaitInLog("Transitioned to active state", START_SECONDS);
            cluster.nodeManager = cluster.daemon(site, files, "org.apache.hadoop.yarn.server.nodemanager.NodeManager");
            cluster.nodeManager.awaitInLog("Registered with ResourceManager", START_SECONDS);
            history.awaitInLog("IPC Server listener on " + cluster.port("mapreduce.jobhistory.address"), START_SECONDS);
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    private String port(String name) {
        return conf.get(name).replaceAll(".*:", "");
    }

    private JavaProcess daemon(YarnSite site, Path files, String mainClass) throws IOException {
        Path logs = Files.createDirectories(site.folder().resolve("daemons"));
        JavaProcess daemon = JavaProcess.start(
                logs.resolve(mainClass.substring(mainClass.lastIndexOf('.') + 1) + ".log"),
                Map.of("JAVA_HOME", System.getProperty("java.home")),
                files + ":" + site.classPath(),
                List.of("-Xmx1g", site.hostsOption(), "--add-opens=java.base/java.lang=ALL-UNNAMED", mainClass));
        daemons.push(daemon);
        return daemon;
    }

    /** For jobs. */
    Configuration configuration() {
        return conf;
    }

    /** The process that serves GPUs; null if there is none. */
    ProcessHandle service() {
        List<ProcessHandle> found = ProcessorTime.below(nodeManager.process().toHandle(), "ServeMain");
        return found.isEmpty() ? null : found.get(0);
    }

    /** Waits until the service takes clients; false if its process has ended, or does not in time. */
    boolean awaitService(Path nodeFolder, long mostSeconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(mostSeconds);
        while (!Files.exists(nodeFolder.resolve("socket"))) {
            if (System.nanoTime() > end || service() == null) {
                return false;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return true;
    }

    /** What the NodeManager has last said of GPUs. */
    String saidOfGpus() throws IOException {
        return nodeManager.log().lines().filter(line -> line.contains("GPU")).reduce("nothing", (first, last) -> last);
    }

    /** Waits until no container is left but that of the job itself, which stays for five seconds. */
    void awaitTasks() throws InterruptedException {
        long end = System.nanoTime() + QUIET_NANOS;
        while (System.nanoTime() < end
                && ProcessorTime.below(nodeManager.process().toHandle(), "default_container_executor")
                                .size()
                        > 1) {
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /** Processor seconds so far of all containers: the jobs' own and their tasks. */
    double containerSeconds() throws IOException {
        double seconds = ProcessorTime.ofEndedChildren(nodeManager.id());
        ProcessHandle service = service();
        for (ProcessHandle process : ProcessorTime.below(nodeManager.process().toHandle(), "")) {
            if (!process.equals(service)) {
                seconds += ProcessorTime.of(process.pid()) + ProcessorTime.ofEndedChildren(process.pid());
            }
        }
        return seconds;
    }

    /** Processor seconds so far of the daemons themselves. */
    double daemonSeconds() throws IOException {
        double seconds = 0;
        for (JavaProcess daemon : daemons) {
            seconds += ProcessorTime.of(daemon.id());
        }
        return seconds;
    }

    /** Processor seconds so far of the process that serves GPUs. */
    double serviceSeconds() throws IOException {
        ProcessHandle service = service();
        return service == null ? 0 : ProcessorTime.of(service.pid());
    }

    @Override
    public void close() {
        while (!daemons.isEmpty()) {
            daemons.pop().close();
        }
    }
}
