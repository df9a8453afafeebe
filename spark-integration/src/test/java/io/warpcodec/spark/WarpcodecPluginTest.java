package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.codahale.metrics.MetricRegistry;
import io.warpcodec.NodeSettings;
import io.warpcodec.PoolSettings;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;

class WarpcodecPluginTest {
    private final SparkConf conf = new SparkConf(false);
    private final MetricRegistry registry = new MetricRegistry();

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

    private void initExecutor(Map<String, ResourceInformation> resources) {
        new WarpcodecPlugin().executorPlugin().init(context(resources, conf), Map.of());
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
                throw new UnsupportedOperationException();
            }

            @Override
            public Object ask(Object message) {
                throw new UnsupportedOperationException();
            }
        };
    }
}
