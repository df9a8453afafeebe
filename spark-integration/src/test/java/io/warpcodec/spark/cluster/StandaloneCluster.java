package io.warpcodec.spark.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A Spark standalone cluster of real processes on loopback: one master, some workers, each worker starting executors as
 * processes of their own. Every worker reports one GPU through a discovery script, whether the machine has one or not.
 */
public final class StandaloneCluster implements AutoCloseable {
    private static final int DAEMON_HEAP_MEBIBYTES = 256;
    /** {@code -Dwarpcodec.test.sizes=all}: twice the rows, and executors on both workers for every codec. */
    private static final boolean ALL_SIZES =
            System.getProperty("warpcodec.test.sizes", "").equals("all");

    private static final int EXECUTOR_HEAP_MEBIBYTES = 512;
    private static final int CORES_PER_WORKER = 2;
    private static final Pattern MASTER_STARTED = Pattern.compile("Starting Spark master at (spark://[^\\s\"]+)");
    private static final Pattern WORKER_REGISTERED = Pattern.compile("Successfully registered with master");

    /** How one application ended: its exit status and everything that it and the driver printed. */
    public record Submitted(int exitStatus, String output) {}

    private final SparkHome home;
    private final Path folder;
    private final Deque<ChildJvm> processes = new ArrayDeque<>();
    private String masterUrl;
    private int submittedCount;

    private StandaloneCluster(SparkHome home, Path folder) {
        this.home = home;
        this.folder = folder;
    }

    /** Starts a cluster and waits until its workers have registered. */
    public static StandaloneCluster start(SparkHome home, Path folder, int workers)
            throws IOException, InterruptedException {
        StandaloneCluster cluster = new StandaloneCluster(home, folder);
        try {
            cluster.startMaster();
            for (int index = 0; index < workers; index++) {
                cluster.startWorker(index);
            }
            for (ChildJvm process : cluster.processes) {
                if (process != cluster.processes.peekLast()) {
                    process.awaitInLog(WORKER_REGISTERED);
                }
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    private void startMaster() throws IOException, InterruptedException {
        ChildJvm master = ChildJvm.start(
                home,
                folder.resolve("master/log"),
                DAEMON_HEAP_MEBIBYTES,
                Map.of(),
                List.of(),
                "org.apache.spark.deploy.master.Master",
                List.of("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"));
        processes.push(master);
        masterUrl = master.awaitInLog(MASTER_STARTED).group(1);
    }

    private void startWorker(int index) throws IOException {
        Path work = Files.createDirectories(folder.resolve("worker-" + index));
        processes.push(ChildJvm.start(
                home,
                work.resolve("log"),
                DAEMON_HEAP_MEBIBYTES,
                Map.of("SPARK_WORKER_DIR", work.toString()),
                List.of(
                        "-Dspark.worker.resource.gpu.amount=1",
                        "-Dspark.worker.resource.gpu.discoveryScript=" + discoveryScript(work, index)),
                "org.apache.spark.deploy.worker.Worker",
                List.of(
                        "--host",
                        "127.0.0.1",
                        "--port",
                        "0",
                        "--webui-port",
                        "0",
                        "--cores",
                        Integer.toString(CORES_PER_WORKER),
                        "--memory",
                        (2 * EXECUTOR_HEAP_MEBIBYTES) + "m",
                        masterUrl)));
    }

    private static Path discoveryScript(Path work, int address) throws IOException {
        Path script = work.resolve("find-gpus");
        Files.writeString(script, "#!/bin/sh\necho '{\"name\": \"gpu\", \"addresses\": [\"" + address + "\"]}'\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    /** Submits an application, waits for its end and returns what it printed. */
    public Submitted submit(
            Path applicationJar,
            String mainClass,
            List<Path> jars,
            Map<String, String> settings,
            List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("--master", masterUrl, "--class", mainClass));
        command.addAll(List.of("--driver-memory", EXECUTOR_HEAP_MEBIBYTES + "m"));
        command.addAll(List.of("--executor-memory", EXECUTOR_HEAP_MEBIBYTES + "m"));
        if (!jars.isEmpty()) {
            command.add("--jars");
            command.add(String.join(",", jars.stream().map(Path::toString).toList()));
        }
        settings("spark.ui.enabled", "false", command);
        settings("spark.driver.host", "127.0.0.1", command);
        String orders = "-Dwarpcodec.test.spark.orders=" + (ALL_SIZES ? 60_000 : WorkloadTables.ORDERS);
        settings(
                "spark.executor.extraJavaOptions",
                "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UseTransparentHugePages"
                        + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote " + orders,
                command);
        settings(WorkloadApplication.ALL_EXECUTORS, Boolean.toString(ALL_SIZES), command);
        settings.forEach((key, value) -> settings(key, value, command));
        command.add(applicationJar.toString());
        command.addAll(arguments);
        Path log = folder.resolve("application-" + submittedCount++ + "/log");
        try (ChildJvm submit = ChildJvm.start(
                home,
                log,
                EXECUTOR_HEAP_MEBIBYTES,
                Map.of(),
                List.of(orders),
                "org.apache.spark.deploy.SparkSubmit",
                command)) {
            int exitStatus = submit.awaitExit();
            return new Submitted(exitStatus, submit.log());
        }
    }

    private static void settings(String key, String value, List<String> command) {
        command.add("--conf");
        command.add(key + "=" + value);
    }

    /** Ends all processes: workers first, the master last. */
    @Override
    public void close() {
        while (!processes.isEmpty()) {
            processes.pop().close();
        }
    }
}
