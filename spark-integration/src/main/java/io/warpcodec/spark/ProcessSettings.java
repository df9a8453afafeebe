package io.warpcodec.spark;

import io.warpcodec.PoolSettings;
import io.warpcodec.Settings;
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
        PoolSettings settings = Settings.pool(word -> conf.get(Settings.SPARK_PREFIX + word, null));
        if (gpus != null) {
            settings = settings.withDevices(List.of(gpus.addresses()));
        }
        PoolSettings.install(settings);
        List<String> devices = settings.devices();
        LOG.info(
                "Warpcodec on {}: GPU addresses {}",
                context.executorID(),
                devices.isEmpty() ? "not restricted" : devices);
    }
}
