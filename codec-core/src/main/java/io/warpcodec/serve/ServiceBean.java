package io.warpcodec.serve;

import io.warpcodec.device.node.ServiceReport;
import io.warpcodec.device.serve.NodeService;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures of a service as a bean, from {@link #register} until it is closed. The process of a service lives long,
 * so unlike {@code io.warpcodec:type=Metrics} it does not wait for an agent to start JMX. Thread-safe.
 */
final class ServiceBean implements NodeServiceMXBean, AutoCloseable {
    private static final double MILLION = 1e6;
    private static final long BILLION = 1_000_000_000;
    private static final Logger LOG = LoggerFactory.getLogger(ServiceBean.class);

    private final NodeService service;

    /** Null where there is no such bean. */
    private volatile ObjectName name;

    private ServiceBean(NodeService service) {
        this.service = service;
    }

    /** Registers a bean. A failure changes nothing: figures are a courtesy. */
    static ServiceBean register(NodeService service, Path folder) {
        ServiceBean bean = new ServiceBean(service);
        try {
            ObjectName wanted =
                    new ObjectName("io.warpcodec:type=NodeService,folder=" + ObjectName.quote(folder.toString()));
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, wanted);
            bean.name = wanted;
        } catch (JMException | RuntimeException | LinkageError unavailable) {
            // a JRE without the module java.management, or a policy against it
            LOG.debug("no bean: {}", unavailable.toString());
        }
        return bean;
    }

    @Override
    public void close() {
        ObjectName registered = name;
        name = null;
        try {
            if (registered != null) {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered);
            }
        } catch (JMException | RuntimeException gone) {
            LOG.debug("{}", gone.toString());
        }
    }

    @Override
    public String toString() {
        return "bean " + name;
    }

    private ServiceReport.Work work() {
        return service.totals().work();
    }

    private ServiceReport.Window window() {
        return service.totals().window();
    }

    @Override
    public int getClientCount() {
        return service.totals().clientCount();
    }

    @Override
    public long getMemoryBytes() {
        return service.totals().memoryBytes();
    }

    @Override
    public long getMostMemoryBytes() {
        return service.totals().mostMemoryBytes();
    }

    @Override
    public long getBacklogBytes() {
        return service.totals().backlogBytes();
    }

    @Override
    public long getUpSeconds() {
        return service.totals().upNanos() / BILLION;
    }

    @Override
    public long getReceived() {
        return work().received();
    }

    @Override
    public long getDone() {
        return work().done();
    }

    @Override
    public long getWithdrawn() {
        return work().withdrawn();
    }

    @Override
    public long getDropped() {
        return work().dropped();
    }

    @Override
    public Map<String, Long> getFailed() {
        return work().failed();
    }

    @Override
    public long getInputBytes() {
        return work().inputBytes();
    }

    @Override
    public long getOutputBytes() {
        return work().outputBytes();
    }

    @Override
    public double getOutputBytesPerSecond() {
        return window().bytesPerSecond();
    }

    @Override
    public double getWaitMillis() {
        return window().meanWaitNanos() / MILLION;
    }

    @Override
    public double getWaitMostMillis() {
        return window().mostWaitNanos() / MILLION;
    }

    @Override
    public Map<String, Long> getClientsNotServed() {
        return service.totals().refused();
    }

    @Override
    public Map<String, Long> getSegmentsDenied() {
        return service.totals().denied();
    }

    @Override
    public List<ClientFigures> getClients() {
        return service.report().clients().stream()
                .<ClientFigures>map(Figures::new)
                .toList();
    }

    /** One client's. */
    private record Figures(ServiceReport.Client client) implements ClientFigures {
        @Override
        public String getName() {
            return client.name();
        }

        @Override
        public String getUser() {
            return client.user();
        }

        @Override
        public long getMemoryBytes() {
            return client.memoryBytes();
        }

        @Override
        public int getUnderWay() {
            return client.works();
        }

        @Override
        public long getDone() {
            return client.work().done();
        }

        @Override
        public long getFailed() {
            return client.work().failures();
        }

        @Override
        public long getOutputBytes() {
            return client.work().outputBytes();
        }

        @Override
        public double getOutputBytesPerSecond() {
            return client.window().bytesPerSecond();
        }

        @Override
        public double getWaitMillis() {
            return client.window().meanWaitNanos() / MILLION;
        }

        @Override
        public double getWaitMostMillis() {
            return client.window().mostWaitNanos() / MILLION;
        }
    }
}
