package io.warpcodec.metrics;

import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/**
 * The counters of this JVM as attributes of one bean, {@value #NAME}. It is registered with the first stream that
 * begins while the JVM has an MBean server: where JMX is used, by an agent or by the process itself, there is one. A
 * process that does not use JMX does not come to start it by this. Thread-safe.
 */
final class MetricsBean implements DynamicMBean {
    static final String NAME = "io.warpcodec:type=Metrics";

    /** Set as well where registering failed: it is tried once. */
    private static volatile boolean settled;

    /**
     * Registers the bean if that was not tried and there is a server. A failure changes nothing: counters are a
     * courtesy.
     */
    static void offer() {
        if (settled) {
            return;
        }
        try {
            if (!MBeanServerFactory.findMBeanServer(null).isEmpty()) {
                settled = true;
                register(ManagementFactory.getPlatformMBeanServer());
            }
        } catch (RuntimeException | LinkageError unavailable) {
            // a JRE without the module java.management, or a policy against it
            settled = true;
        }
    }

    /** Returns whether the bean is there now, ours or that of another copy of these classes. */
    static boolean register(MBeanServer server) {
        try {
            ObjectName name = new ObjectName(NAME);
            if (!server.isRegistered(name)) {
                server.registerMBean(new MetricsBean(), name);
            }
            return true;
        } catch (JMException | RuntimeException refused) {
            return false;
        }
    }

    @Override
    public Object getAttribute(String name) throws AttributeNotFoundException {
        Long value = Metrics.snapshot().get(name);
        if (value == null) {
            throw new AttributeNotFoundException("no counter " + name + " so far");
        }
        return value;
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        Map<String, Long> values = Metrics.snapshot();
        AttributeList found = new AttributeList();
        for (String name : names) {
            if (values.containsKey(name)) {
                found.add(new Attribute(name, values.get(name)));
            }
        }
        return found;
    }

    /** The counters that there are now. */
    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes = Metrics.snapshot().keySet().stream()
                .map(name -> new MBeanAttributeInfo(
                        name, "long", "see docs/user/metrics-and-fallbacks.md", true, false, false))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(
                MetricsBean.class.getName(), "What Warpcodec did in this JVM", attributes, null, null, null);
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException("counters cannot be set: " + attribute.getName());
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
