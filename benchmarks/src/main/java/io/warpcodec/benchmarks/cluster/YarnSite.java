package io.warpcodec.benchmarks.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The configuration of a YARN cluster on loopback: one ResourceManager, one NodeManager, one history server, files on
 * the local file system.
 *
 * @param folder where the cluster keeps what it writes
 * @param slots tasks at once; one more when the last job is long over
 * @param serviceClass the auxiliary service that serves GPUs
 * @param nodeFolder where it does
 * @param classPath of the containers
 * @param hostsOption an option for every Java process
 */
record YarnSite(Path folder, int slots, String serviceClass, String nodeFolder, String classPath, String hostsOption) {
    static final int CONTAINER_MEBIBYTES = 1024;
    /** A job's own container, beside that of the last job, which stays for five seconds. */
    private static final int JOB_SLOTS = 2;

    private static final String RESOURCE_MANAGER = "yarn.resourcemanager.";
    private static final String NODE_MANAGER = "yarn.nodemanager.";
    private static final String SERVICES = NODE_MANAGER + "aux-services";
    private static final String HISTORY = "mapreduce.jobhistory.";
    private static final String QUEUES = "yarn.scheduler.capacity.";

    /** Every file that a daemon reads its configuration from. */
    private static final List<String> FILES =
            List.of("core-site.xml", "yarn-site.xml", "mapred-site.xml", "capacity-scheduler.xml");

    /** Of new processes on ports that are free now. */
    Configuration configuration() throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
        conf.set("fs.defaultFS", "file:///");
        ports(conf);
        nodeManager(conf);
        conf.setBoolean(RESOURCE_MANAGER + "webapp.ui-actions.enabled", false);
        conf.setInt("yarn.scheduler.minimum-allocation-mb", CONTAINER_MEBIBYTES);
        conf.setInt("yarn.scheduler.maximum-allocation-mb", CONTAINER_MEBIBYTES * (slots + JOB_SLOTS));
        conf.set(QUEUES + "root.queues", "default");
        conf.set(QUEUES + "root.default.capacity", "100");
        conf.set(QUEUES + "maximum-am-resource-percent", "1");
        jobs(conf);
        return conf;
    }

    private static void ports(Configuration conf) throws IOException {
        List<String> names = List.of(
                RESOURCE_MANAGER + "address",
                RESOURCE_MANAGER + "scheduler.address",
                RESOURCE_MANAGER + "resource-tracker.address",
                RESOURCE_MANAGER + "admin.address",
                RESOURCE_MANAGER + "webapp.address",
                NODE_MANAGER + "localizer.address",
                NODE_MANAGER + "webapp.address",
                NODE_MANAGER + "address",
                HISTORY + "address",
                HISTORY + "admin.address",
                HISTORY + "webapp.address",
                "mapreduce.shuffle.port");
        List<ServerSocket> open = new ArrayList<>();
        try {
            for (String name : names) {
                ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                open.add(free);
                conf.set(name, (name.endsWith("port") ? "" : "127.0.0.1:") + free.getLocalPort());
            }
        } finally {
            for (ServerSocket socket : open) {
                socket.close();
            }
        }
        for (String bound : List.of(RESOURCE_MANAGER, NODE_MANAGER, HISTORY)) {
            conf.set(bound + "bind-host", "127.0.0.1");
        }
    }

    private void nodeManager(Configuration conf) {
        conf.set(NODE_MANAGER + "local-dirs", folder.resolve("local").toString());
        conf.set(NODE_MANAGER + "log-dirs", folder.resolve("containers").toString());
        conf.setInt(NODE_MANAGER + "resource.memory-mb", CONTAINER_MEBIBYTES * (slots + JOB_SLOTS));
        conf.setInt(NODE_MANAGER + "resource.cpu-vcores", slots + JOB_SLOTS);
        conf.setBoolean(NODE_MANAGER + "vmem-check-enabled", false);
        conf.setBoolean(NODE_MANAGER + "pmem-check-enabled", false);
        conf.setBoolean(NODE_MANAGER + "disk-health-checker.enable", false);
        conf.set(SERVICES, "mapreduce_shuffle,warpcodec");
        conf.set(SERVICES + ".mapreduce_shuffle.class", "org.apache.hadoop.mapred.ShuffleHandler");
        conf.set(SERVICES + ".warpcodec.class", serviceClass);
        conf.set(SERVICES + ".warpcodec.node.folder", nodeFolder);
    }

    private void jobs(Configuration conf) {
        String options = hostsOption + " --add-opens=java.base/java.lang=ALL-UNNAMED";
        conf.set("mapreduce.framework.name", "yarn");
        // as our pages say of tasks that have GPUs; and where this process finds the driver, if that is said
        String libraries = System.getenv("LD_LIBRARY_PATH");
        conf.set(
                "mapreduce.admin.user.env",
                "CUDA_DEVICE_MAX_CONNECTIONS=32" + (libraries == null ? "" : ",LD_LIBRARY_PATH=" + libraries));
        conf.set("yarn.app.mapreduce.am.staging-dir", folder.resolve("staging").toString());
        conf.set("yarn.application.classpath", folder.resolve("conf").toString());
        conf.set("mapreduce.application.classpath", classPath.replace(':', ','));
        conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx512m " + options);
        conf.setInt("yarn.app.mapreduce.am.resource.mb", CONTAINER_MEBIBYTES);
        conf.setInt("mapreduce.map.memory.mb", CONTAINER_MEBIBYTES);
        conf.setBoolean("mapreduce.map.speculative", false);
        conf.setInt("mapreduce.map.maxattempts", 1);
        conf.setInt("mapreduce.am.max-attempts", 1);
        conf.setInt("mapreduce.job.counters.max", 1000);
        // by default the job's end is seen five seconds late
        conf.setInt("mapreduce.client.completion.pollinterval", 50);
    }

    /** Java options of tasks. */
    String taskOptions(String more) {
        return hostsOption + " --add-opens=java.base/java.lang=ALL-UNNAMED " + more;
    }

    /** Writes the files; their folder, which belongs on the class path of daemons. */
    Path write(Configuration conf) throws IOException {
        Path files = Files.createDirectories(folder.resolve("conf"));
        for (String name : FILES) {
            try (OutputStream out = Files.newOutputStream(files.resolve(name))) {
                conf.writeXml(out);
            }
        }
        Files.writeString(files.resolve("log4j.properties"), """
                log4j.rootLogger=INFO,err
                log4j.appender.err=org.apache.log4j.ConsoleAppender
                log4j.appender.err.target=System.err
                log4j.appender.err.layout=org.apache.log4j.PatternLayout
                log4j.appender.err.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
                """);
        return files;
    }
}
