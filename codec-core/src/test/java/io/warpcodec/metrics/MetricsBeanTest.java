package io.warpcodec.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.Direction;
import io.warpcodec.Format;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class MetricsBeanTest {
    private static final String STREAMS = "encode.snappy.streams";

    @Test
    void countersAreReadThroughJmxFromTheFirstStreamOn() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.warpcodec:type=Metrics");
        Metrics.countStream(Direction.ENCODE, Format.SNAPPY);
        long before = (Long) server.getAttribute(name, STREAMS);
        Metrics.countStream(Direction.ENCODE, Format.SNAPPY);
        assertThat(server.getAttribute(name, STREAMS)).isEqualTo(before + 1);
        assertThat(Arrays.stream(server.getMBeanInfo(name).getAttributes()).map(MBeanAttributeInfo::getName))
                .contains(STREAMS);
        assertThat(server.getAttributes(name, new String[] {STREAMS, "no.such.counter"}))
                .hasSize(1);
        assertThatThrownBy(() -> server.getAttribute(name, "no.such.counter"))
                .isInstanceOf(AttributeNotFoundException.class);
    }

    @Test
    void aServerThatRefusesBeansDisturbsNothing() {
        MBeanServer refusing = (MBeanServer) Proxy.newProxyInstance(
                MBeanServer.class.getClassLoader(), new Class<?>[] {MBeanServer.class}, (proxy, method, arguments) -> {
                    throw new SecurityException("no beans here");
                });
        assertThat(MetricsBean.register(refusing)).isFalse();
    }
}
