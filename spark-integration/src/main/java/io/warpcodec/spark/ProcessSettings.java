package io.warpcodec.spark;

import io.warpcodec.PoolSettings;
import io.warpcodec.Settings;
import io.warpcodec.Version;
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
    private static final String DRIVER = "driver";

    private ProcessSettings() {}

    /** Whether this is the process of Spark's driver; in local mode it is the executor too. */
    static boolean isDriver(PluginContext context) {
        return DRIVER.equals(context.executorID());
    }

    /**
     * Installs the pool settings of this driver or executor. An assignment by Spark wins over the setting
     * {@code devices}; local mode never has one.
     */
    static void apply(PluginContext context) {
        SparkConf conf = context.conf();
        ResourceInformation gpus = context.resources().get(GPU_RESOURCE);
        PoolSettings settings = Settings.pool(word -> conf.get(Settings.SPARK_PREFIX + word, null));
        if (gpus != null) {
            settings = settings.withDevices(List.of(gpus.addresses()));
        }
        PoolSettings.install(settings);
        List<String> devices = settings.devices();
        LOG.info(
                "Warpcodec {} on {} {}: {}",
                Version.text(),
                isDriver(context) ? "Spark's" : "executor",
                context.executorID(),
                devices.isEmpty() ? "may use every GPU that it finds" : "may use the GPUs " + devices);
    }
}
