package io.warpcodec.serve;

import io.warpcodec.device.node.ServiceReport;
import io.warpcodec.device.node.ServiceReport.Client;
import io.warpcodec.device.node.ServiceReport.Window;
import io.warpcodec.device.serve.NodeService;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures of a service as a bean, {@code io.warpcodec:type=NodeService,folder="/run/warpcodec"}, from {@link
 * #register} until it is closed; docs/user/node-service.md says what each means. Figures that are asked for together
 * are of one moment. The process of a service lives long, so unlike {@code io.warpcodec:type=Metrics} the bean does not
 * wait for an agent to start JMX. Thread-safe.
 */
final class ServiceBean implements DynamicMBean, AutoCloseable {
    private static final double MILLION = 1e6;
    private static final long BILLION = 1_000_000_000;
    private static final String PAGE = "see docs/user/node-service.md";
    private static final String CLIENTS = "Clients";
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

    /** All figures; clients only if they are asked for: none if the service does not answer within a second. */
    private Map<String, Object> figures(boolean withClients) {
        ServiceReport report = withClients ? service.report() : service.totals();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("ClientCount", report.clientCount());
        figures.put("MemoryBytes", report.memoryBytes());
        figures.put("MostMemoryBytes", report.mostMemoryBytes());
        figures.put("BacklogBytes", report.backlogBytes());
        figures.put("UpSeconds", report.upNanos() / BILLION);
        figures.put("Received", report.work().received());
        figures.put("Done", report.work().done());
        figures.put("Withdrawn", report.work().withdrawn());
        figures.put("Dropped", report.work().dropped());
        figures.put("Failed", table(report.work().failed()));
        figures.put("InputBytes", report.work().inputBytes());
        figures.put("OutputBytes", report.work().outputBytes());
        Window window = report.window();
        figures.put("OutputBytesPerSecond", window.bytesPerSecond());
        figures.put("WaitMillis", window.meanWaitNanos() / MILLION);
        figures.put("WaitMostMillis", window.mostWaitNanos() / MILLION);
        figures.put("ClientsNotServed", table(report.refused()));
        figures.put("SegmentsDenied", table(report.denied()));
        figures.put(CLIENTS, report.clients().stream().map(ServiceBean::row).toArray(CompositeData[]::new));
        return figures;
    }

    private static CompositeData row(Client client) {
        Map<String, Object> items = new LinkedHashMap<>();
        items.put("name", client.name());
        items.put("user", client.user());
        items.put("memoryBytes", client.memoryBytes());
        items.put("underWay", client.works());
        items.put("done", client.work().done());
        items.put("failed", client.work().failures());
        items.put("outputBytes", client.work().outputBytes());
        items.put("outputBytesPerSecond", client.window().bytesPerSecond());
        items.put("waitMillis", client.window().meanWaitNanos() / MILLION);
        items.put("waitMostMillis", client.window().mostWaitNanos() / MILLION);
        return composite(items);
    }

    private static TabularDataSupport table(Map<String, Long> counts) {
        try {
            CompositeType type = composite(Map.of("key", "", "value", 0L)).getCompositeType();
            TabularDataSupport table =
                    new TabularDataSupport(new TabularType("Counts", PAGE, type, new String[] {"key"}));
            counts.forEach((word, count) -> table.put(composite(Map.of("key", word, "value", count))));
            return table;
        } catch (OpenDataException wrong) {
            throw new AssertionError(wrong);
        }
    }

    private static CompositeData composite(Map<String, Object> items) {
        try {
            String[] names = items.keySet().toArray(String[]::new);
            OpenType<?>[] types = items.values().stream().map(ServiceBean::type).toArray(OpenType[]::new);
            return new CompositeDataSupport(new CompositeType("Figures", PAGE, names, names, types), items);
        } catch (OpenDataException wrong) {
            throw new AssertionError(wrong);
        }
    }

    private static OpenType<?> type(Object value) {
        if (value instanceof Long) {
            return SimpleType.LONG;
        }
        if (value instanceof Integer) {
            return SimpleType.INTEGER;
        }
        return value instanceof Double ? SimpleType.DOUBLE : SimpleType.STRING;
    }

    // ---- the bean

    @Override
    public Object getAttribute(String wanted) throws AttributeNotFoundException {
        Object value = figures(CLIENTS.equals(wanted)).get(wanted);
        if (value == null) {
            throw new AttributeNotFoundException("there is no figure " + wanted);
        }
        return value;
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        Map<String, Object> figures = figures(List.of(names).contains(CLIENTS));
        AttributeList found = new AttributeList();
        for (String each : names) {
            if (figures.containsKey(each)) {
                found.add(new Attribute(each, figures.get(each)));
            }
        }
        return found;
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes = figures(false).entrySet().stream()
                .map(figure -> new MBeanAttributeInfo(
                        figure.getKey(), figure.getValue().getClass().getName(), PAGE, true, false, false))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(ServiceBean.class.getName(), "A node's service", attributes, null, null, null);
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException("figures cannot be set: " + attribute.getName());
    }

    /** Sets nothing. */
    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] arguments, String[] signature) {
        throw new UnsupportedOperationException(action);
    }
}
