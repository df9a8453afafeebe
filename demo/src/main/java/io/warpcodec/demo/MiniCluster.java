package io.warpcodec.demo;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;

/**
 * HDFS and YARN on loopback, daemons in this process, containers in their own. Everything they write lies in one
 * folder, which belongs to the caller.
 */
final class MiniCluster implements AutoCloseable {

    private static final long HDFS_BLOCK_BYTES = 64 << 20;

    /**
     * Input of a job, compressed, up to which its tasks share one container; far below what the default size gives
     * any format.
     */
    private static final long SMALL_JOB_BYTES = 3 << 20;

    private static final String[] OPENED_PACKAGES = {
        "java.lang",
        "java.lang.invoke",
        "java.lang.reflect",
        "java.io",
        "java.net",
        "java.nio",
        "java.util",
        "java.util.concurrent",
    };

    private final MiniDFSCluster hdfs;
    private final MiniMRYarnCluster yarn;

    /** Starts the daemons; {@code base} holds settings for them and for all jobs. */
    MiniCluster(Path scratch, Configuration base) throws IOException {
        // The daemons' test support takes its working folder from here; the default would be ./target.
        System.setProperty("test.build.data", scratch.resolve("yarn").toString());
        Configuration conf = new Configuration(base);
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, scratch.resolve("hdfs").toString());
        conf.set("hadoop.tmp.dir", scratch.resolve("hadoop").toString());
        conf.setLong("dfs.blocksize", HDFS_BLOCK_BYTES);
        conf.setLong("dfs.namenode.fs-limits.min-block-size", 1 << 20);
        conf.setBoolean("dfs.namenode.edits.noeditlogchannelflush", true);
        hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).format(true).build();
        MiniMRYarnCluster starting = null;
        try {
            hdfs.waitClusterUp();
            conf.set("fs.defaultFS", hdfs.getURI().toString());
            configureYarn(conf);
            configureTasks(conf);
            starting = new MiniMRYarnCluster("warpcodec", 1);
            starting.init(conf);
            starting.start();
        } catch (RuntimeException | IOException e) {
            if (starting != null) {
                starting.stop();
            }
            hdfs.shutdown();
            throw e;
        }
        yarn = starting;
    }

    /** Settings with which a job reaches both; a copy that the caller may change. */
    Configuration settings() {
        return new Configuration(yarn.getConfig());
    }

    FileSystem fileSystem() throws IOException {
        return hdfs.getFileSystem();
    }

    @Override
    public void close() {
        yarn.stop();
        hdfs.shutdown(true);
    }

    private static void configureYarn(Configuration conf) {
        conf.setInt("yarn.nodemanager.resource.memory-mb", 4096);
        conf.setInt("yarn.scheduler.minimum-allocation-mb", 256);
        conf.setInt("yarn.nodemanager.resource.cpu-vcores", 4);
        conf.setFloat("yarn.scheduler.capacity.maximum-am-resource-percent", 1.0f);
        conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
        conf.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
        // A disk that is nearly full would make YARN wait for ever without saying so.
        conf.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.5");
        conf.setInt("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", 100);
        conf.setInt("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", 100);
        conf.setInt("yarn.nodemanager.sleep-delay-before-sigkill.ms", 50);
        conf.setInt("yarn.nodemanager.process-kill-wait.ms", 500);
        // Stopping waits for every container log that is still kept.
        conf.setInt("yarn.nodemanager.log.retain-seconds", 0);
        conf.setInt("mapreduce.client.completion.pollinterval", 100);
        conf.setInt("mapreduce.client.progressmonitor.pollinterval", 100);
        conf.setBoolean("yarn.timeline-service.enabled", false);
        // A master that is gone was ended by us.
        conf.setInt("yarn.resourcemanager.am.max-attempts", 1);
    }

    private static void configureTasks(Configuration conf) {
        // A task lives for seconds: the optimising compiler would cost more than it gives (0.6 s instead of 1.3 s of
        // processor for a JVM that
        // opens a FileSystem and ends, November 2026).
        StringBuilder flags = new StringBuilder(
                "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UseTransparentHugePages -XX:+IgnoreUnrecognizedVMOptions");
        for (String name : OPENED_PACKAGES) {
            flags.append(" --add-opens=java.base/").append(name).append("=ALL-UNNAMED");
        }
        conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx512m " + flags);
        conf.setInt("yarn.app.mapreduce.am.resource.mb", 768);
        conf.set("mapreduce.map.java.opts", "-Xmx512m " + flags);
        conf.set("mapreduce.reduce.java.opts", "-Xmx512m " + flags);
        conf.setInt("mapreduce.map.memory.mb", 768);
        conf.setInt("mapreduce.reduce.memory.mb", 768);
        // What Hadoop recommends for small jobs: all tasks in the master's container. A container for each would cost
        // more than the text in it.
        conf.setBoolean("mapreduce.job.ubertask.enable", true);
        conf.setLong("mapreduce.job.ubertask.maxbytes", SMALL_JOB_BYTES);
        conf.set("yarn.app.mapreduce.am.log.level", "WARN");
        conf.set("mapreduce.map.log.level", "WARN");
        conf.set("mapreduce.reduce.log.level", "WARN");
        conf.setInt("mapreduce.task.io.sort.mb", 64);
        conf.setFloat("mapreduce.job.reduce.slowstart.completedmaps", 1.0f);
        conf.setBoolean("mapreduce.map.speculative", false);
        conf.setBoolean("mapreduce.reduce.speculative", false);
        conf.setInt("mapreduce.map.maxattempts", 1);
        conf.setInt("mapreduce.reduce.maxattempts", 1);
    }
}
