package io.warpcodec.spark;

import io.warpcodec.Engines;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Optional companion of the codecs, set with {@code spark.plugins=io.warpcodec.spark.WarpcodecPlugin}. It publishes the
 * counters as {@code plugin.io.warpcodec.spark.WarpcodecPlugin.*} in Spark's metrics system and gives the device pool the
 * GPU addresses that Spark assigned to this executor; and it tells the codecs that an executor lives long, so that devices start with its first stream. What fails here is logged, and never stops a driver or an executor.
 */
public final class WarpcodecPlugin implements SparkPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(WarpcodecPlugin.class);

    @Override
    public DriverPlugin driverPlugin() {
        return new DriverSide();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorSide();
    }

    private static final class DriverSide implements DriverPlugin {
        @Override
        public Map<String, String> init(SparkContext spark, PluginContext context) {
            attempt(() -> ProcessSettings.apply(context));
            return Map.of();
        }

        @Override
        public void registerMetrics(String applicationId, PluginContext context) {
            attempt(() -> WarpcodecMetrics.register(context.metricRegistry()));
        }
    }

    private static final class ExecutorSide implements ExecutorPlugin {
        @Override
        public void init(PluginContext context, Map<String, String> extraSettings) {
            attempt(() -> ProcessSettings.apply(context));
            attempt(Engines::expectLongLife);
            attempt(() -> WarpcodecMetrics.register(context.metricRegistry()));
        }
    }

    private static void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("Warpcodec's plugin goes on without this step; the codecs work all the same", e);
        }
    }
}
