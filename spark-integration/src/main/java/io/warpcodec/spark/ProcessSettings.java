package io.warpcodec.spark;

import io.warpcodec.PoolSettings;
import io.warpcodec.Settings;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands Spark's settings and its assignment of GPUs to the device pool of this process. */
final class ProcessSettings {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessSettings.class);
    private static final String GPU_RESOURCE = "gpu";

    private ProcessSettings() {}

    /**
     * Installs the pool settings of this driver or executor. An assignment by Spark wins over the setting {@code devices};
     * local mode never has one.
     */
    static void apply(PluginContext context) {
        SparkConf conf = context.conf();
        ResourceInformation gpus = context.resources().get(GPU_RESOURCE);
        List<String> devices = gpus == null ? listed(conf) : List.of(gpus.addresses());
        PoolSettings.install(new PoolSettings(devices, bytes(conf, "memory.max"), bytes(conf, "pinned.max")));
        LOG.info(
                "Warpcodec on {}: GPU addresses {}",
                context.executorID(),
                devices.isEmpty() ? "not restricted" : devices);
    }

    private static List<String> listed(SparkConf conf) {
        return Arrays.stream(conf.get(Settings.SPARK_PREFIX + "devices", "").split(","))
                .map(String::trim)
                .filter(address -> !address.isEmpty())
                .toList();
    }

    private static long bytes(SparkConf conf, String word) {
        String key = Settings.SPARK_PREFIX + word;
        return conf.contains(key) ? conf.getSizeAsBytes(key) : PoolSettings.UNSET;
    }
}
