package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.codahale.metrics.MetricFilter;
import com.codahale.metrics.MetricRegistry;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.NodeSettings;
import io.warpcodec.PoolSettings;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;

class WarpcodecPluginTest {
    private final SparkConf conf = new SparkConf(false);
    private final MetricRegistry registry = new MetricRegistry();
    private final List<Object> sent = new ArrayList<>();

    @Test
    void executorTakesItsDevicesFromSparksAssignment() {
        conf.set("spark.io.compression.gpu.devices", "7");
        initExecutor(Map.of("gpu", new ResourceInformation("gpu", new String[] {"1", "GPU-5f2a"})));
        assertThat(PoolSettings.current().devices()).containsExactly("1", "GPU-5f2a");
    }

    @Test
    void withoutAnAssignmentTheSettingListsTheDevices() {
        conf.set("spark.io.compression.gpu.devices", "0, 2");
        conf.set("spark.io.compression.gpu.memory.max", "1g");
        initExecutor(Map.of());
        assertThat(PoolSettings.current())
                .isEqualTo(new PoolSettings(
                        List.of("0", "2"),
                        1L << 30,
                        PoolSettings.UNSET,
                        PoolSettings.UNSET,
                        PoolSettings.UNSET,
                        NodeSettings.NONE));
    }

    @Test
    void withoutAnyOfBothEveryDeviceMayBeUsed() {
        PoolSettings.install(PoolSettings.DEFAULTS.withDevices(List.of("5")));
        initExecutor(Map.of());
        assertThat(PoolSettings.current()).isEqualTo(PoolSettings.DEFAULTS);
    }

    @Test
    void gaugesReadTheCountersUnderTheirNames() throws Exception {
        initExecutor(Map.of());
        CodecPair.GZIP.compress(new byte[10]);
        String name = "encode.gzip.streams";
        long streamsBefore = gauge(name);
        CodecPair.GZIP.compress(new byte[10]);
        assertThat(gauge(name) - streamsBefore).isEqualTo(1);
        assertThat(registry.getNames()).contains("fallbacks", "decode.zstd.gpu.bytesOut", "encode.lz4.cpu.nanos");
    }

    @Test
    void driverPublishesTheSameGauges() {
        new WarpcodecPlugin().driverPlugin().registerMetrics("app", context(Map.of(), conf));
        assertThat(registry.getNames()).contains("encode.gzip.streams", "fallbacks");
    }

    @Test
    void executorTellsTheDriverWhatItsTasksCountedAndNothingTwice() throws Exception {
        ExecutorPlugin executor = initExecutor(Map.of());
        CodecPair.GZIP.compress(new byte[10]);
        executor.onTaskSucceeded();
        executor.onTaskSucceeded();
        assertThat(sent).hasSize(1);
        CodecPair.GZIP.compress(new byte[10]);
        executor.onTaskFailed(null);
        CodecPair.GZIP.compress(new byte[10]);
        executor.shutdown();
        assertThat(sent)
                .hasSize(3)
                .allSatisfy(message -> assertThat(classesIn(message)).allMatch(name -> name.startsWith("java.")));
        DriverPlugin driver = initDriver();
        driver.receive(sent.get(2));
        assertThat(gauge("executors.encode.gzip.streams")).isEqualTo(gauge("encode.gzip.streams"));
    }

    @Test
    void reasonsOfFallbacksBecomeGaugesByNameWhereTheyAreCounted() throws Exception {
        ExecutorPlugin executor = initExecutor(Map.of());
        String reason = "fallback.decode.lz4." + FallbackReason.DEVICE_FAILED.word();
        Metrics.countFallback(Direction.DECODE, Format.LZ4, FallbackReason.DEVICE_FAILED);
        executor.onTaskSucceeded();
        assertThat(gauge(reason)).isPositive();
        initDriver().receive(sent.get(0));
        assertThat(gauge("executors." + reason)).isEqualTo(gauge(reason));
        assertThat(gauge("executors.fallbacks")).isEqualTo(gauge("fallbacks"));
    }

    @Test
    void driverAddsUpExecutorsAndKeepsThoseThatAreGone() throws Exception {
        DriverPlugin driver = initDriver();
        String name = "decode.gzip.gpu.bytesOut";
        driver.receive(ExecutorTotals.message("1", Map.of(name, 100L)));
        driver.receive(ExecutorTotals.message("2", Map.of(name, 20L)));
        driver.receive(ExecutorTotals.message("1", Map.of(name, 300L)));
        // overtaken on its way
        driver.receive(ExecutorTotals.message("1", Map.of(name, 200L)));
        assertThat(gauge("executors." + name)).isEqualTo(320);
    }

    @Test
    void messageOfAnotherVersionNeverStopsTheDriver() {
        DriverPlugin driver = initDriver();
        assertThatCode(() -> driver.receive("something else")).doesNotThrowAnyException();
        assertThatCode(() -> driver.receive(Map.of())).doesNotThrowAnyException();
    }

    @Test
    void wrongSettingsNeverStopAnExecutorOrTheDriver() {
        conf.set("spark.io.compression.gpu.memory.max", "much");
        assertThatCode(() -> initExecutor(Map.of())).doesNotThrowAnyException();
        assertThat(registry.getNames()).isNotEmpty();
        assertThat(new WarpcodecPlugin().driverPlugin().init(null, context(Map.of(), conf)))
                .isEmpty();
    }

    @Test
    void contextThatFailsNeverStopsAnExecutor() {
        assertThatCode(() -> new WarpcodecPlugin().executorPlugin().init(null, Map.of()))
                .doesNotThrowAnyException();
    }

    private long gauge(String name) {
        return (Long) registry.getGauges().get(name).getValue();
    }

    private ExecutorPlugin initExecutor(Map<String, ResourceInformation> resources) {
        ExecutorPlugin executor = new WarpcodecPlugin().executorPlugin();
        executor.init(context(resources, conf), Map.of());
        return executor;
    }

    /** In a registry of its own process. */
    private DriverPlugin initDriver() {
        registry.removeMatching(MetricFilter.ALL);
        DriverPlugin driver = new WarpcodecPlugin().driverPlugin();
        driver.registerMetrics("app", context(Map.of(), conf));
        return driver;
    }

    /** The classes that the reader of a message needs. */
    private static Set<String> classesIn(Object message) {
        Set<String> names = new TreeSet<>();
        try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream()) {
            {
                enableReplaceObject(true);
            }

            @Override
            protected Object replaceObject(Object part) {
                names.add(part.getClass().getName());
                return part;
            }
        }) {
            out.writeObject(message);
        } catch (IOException notSerialisable) {
            throw new UncheckedIOException(notSerialisable);
        }
        return names;
    }

    private PluginContext context(Map<String, ResourceInformation> resources, SparkConf settings) {
        return new PluginContext() {
            @Override
            public MetricRegistry metricRegistry() {
                return registry;
            }

            @Override
            public SparkConf conf() {
                return settings;
            }

            @Override
            public String executorID() {
                return "3";
            }

            @Override
            public String hostname() {
                return "localhost";
            }

            @Override
            public Map<String, ResourceInformation> resources() {
                return resources;
            }

            @Override
            public void send(Object message) {
                sent.add(message);
            }

            @Override
            public Object ask(Object message) {
                throw new UnsupportedOperationException();
            }
        };
    }
}
