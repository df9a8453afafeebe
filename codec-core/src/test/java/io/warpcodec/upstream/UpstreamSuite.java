package io.warpcodec.upstream;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** One test class of another project, of JUnit 4 or 5, without the tests that cannot hold for our codecs. */
public final class UpstreamSuite {
    private final String className;
    private final Map<String, String> reasons = new LinkedHashMap<>();
    private boolean opensNoStream;

    private UpstreamSuite(String className) {
        this.className = className;
    }

    public static UpstreamSuite of(String className) {
        return new UpstreamSuite(className);
    }

    /** Leaves out these test methods, because of this. */
    public UpstreamSuite without(String reason, String... methods) {
        for (String method : methods) {
            reasons.put(method, reason);
        }
        return this;
    }

    /** Leaves them out where this is not the long run. */
    public UpstreamSuite withoutUnless(boolean longRun, String reason, String... methods) {
        return longRun ? this : without(reason, methods);
    }

    /** The suite is about codecs and their handles, and opens no stream itself. */
    public UpstreamSuite openingNoStream() {
        opensNoStream = true;
        return this;
    }

    public String className() {
        return className;
    }

    /**
     * Runs the suite in this world, on this thread.
     *
     * @param properties system properties for as long as the suite runs
     */
    public UpstreamResult run(UpstreamLoader world, Map<String, String> properties) throws ClassNotFoundException {
        Class<?> suite = world.loadClass(className);
        for (String method : reasons.keySet()) {
            if (Arrays.stream(suite.getDeclaredMethods())
                    .noneMatch(m -> m.getName().equals(method))) {
                throw new AssertionError(className + " has no test " + method + " to leave out");
            }
        }
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        Streams before = world.streams();
        Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .build());
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(suite))
                .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(test.getSource()
                        .map(source -> !(source instanceof MethodSource method)
                                || !reasons.containsKey(method.getMethodName()))
                        .orElse(true)))
                .enableImplicitConfigurationParameters(false)
                .build();
        world.within(properties, () -> launcher.execute(request, listener));
        return result(listener.getSummary(), world.streams().minus(before));
    }

    private UpstreamResult result(TestExecutionSummary summary, Streams streams) {
        List<String> failures = summary.getFailures().stream()
                .map(failure -> failure.getTestIdentifier().getDisplayName() + ": " + trace(failure.getException()))
                .toList();
        return new UpstreamResult(
                className,
                summary.getTestsSucceededCount(),
                summary.getTestsAbortedCount() + summary.getTestsSkippedCount(),
                reasons,
                failures,
                streams,
                !opensNoStream);
    }

    private static String trace(Throwable thrown) {
        StringBuilder text = new StringBuilder(thrown.toString());
        Arrays.stream(thrown.getStackTrace())
                .limit(25)
                .forEach(line -> text.append("\n    at ").append(line));
        if (thrown.getCause() != null) {
            text.append("\n  caused by ").append(trace(thrown.getCause()));
        }
        return text.toString();
    }
}
