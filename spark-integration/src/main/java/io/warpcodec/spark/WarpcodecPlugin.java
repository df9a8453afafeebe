package io.warpcodec.spark;

import io.warpcodec.Engines;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Optional companion of the codecs, set with {@code spark.plugins=io.warpcodec.spark.WarpcodecPlugin}. It publishes
 * the counters of each process as {@code plugin.io.warpcodec.spark.WarpcodecPlugin.*} in Spark's metrics system, and
 * on the driver also the sums over all executors, as {@code executors.*}. It gives the device pool the GPU addresses
 * that Spark assigned to this executor. It tells the codecs that an executor lives long, so that devices start with
 * its first stream. What fails here is logged, and never stops a driver or an executor.
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
        /** What the names of sums over executors begin with. */
        private static final String EXECUTORS = "executors.";

        private final ExecutorTotals totals = new ExecutorTotals();
        private final List<WarpcodecMetrics> metrics = new CopyOnWriteArrayList<>();

        @Override
        public Map<String, String> init(SparkContext spark, PluginContext context) {
            attempt(() -> ProcessSettings.apply(context));
            return Map.of();
        }

        @Override
        public void registerMetrics(String applicationId, PluginContext context) {
            attempt(() -> metrics.add(WarpcodecMetrics.ofThisProcess(context.metricRegistry())));
            attempt(() -> metrics.add(new WarpcodecMetrics(context.metricRegistry(), EXECUTORS, totals::sums)));
        }

        /** Takes what an executor has counted; there is no answer. */
        @Override
        public Object receive(Object message) {
            attempt(() -> totals.take(message));
            metrics.forEach(known -> attempt(known::refresh));
            return null;
        }
    }

    /** Tells the driver what was counted, at the end of a task and on its thread, if a counter has changed since. */
    private static final class ExecutorSide implements ExecutorPlugin {
        /** Null if this executor could not be told of it. */
        private PluginContext context;
        /** Null in local mode, where the driver's side has the counters of the same process. */
        private WarpcodecMetrics metrics;

        private Map<String, Long> told = Map.of();

        @Override
        public void init(PluginContext given, Map<String, String> extraSettings) {
            attempt(() -> ProcessSettings.apply(given));
            attempt(Engines::expectLongLife);
            attempt(() -> {
                if (!ProcessSettings.isDriver(given)) {
                    metrics = WarpcodecMetrics.ofThisProcess(given.metricRegistry());
                }
            });
            context = given;
        }

        @Override
        public void onTaskSucceeded() {
            attempt(this::tell);
        }

        @Override
        public void onTaskFailed(TaskFailedReason reason) {
            attempt(this::tell);
        }

        @Override
        public void shutdown() {
            attempt(this::tell);
        }

        private synchronized void tell() {
            Map<String, Long> counters = Metrics.snapshot();
            if (counters.equals(told) || context == null) {
                return;
            }
            if (metrics != null) {
                metrics.refresh();
            }
            try {
                context.send(ExecutorTotals.message(context.executorID(), counters));
                told = counters;
            } catch (IOException gone) {
                LOG.debug("the driver was not told of the counters", gone);
            }
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
