package io.warpcodec;

import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Puts back, behind every test and every test class, what they may have replaced in the process: the engines, the
 * settings of the device pool, and the system properties that this project reads. So a suite may install what it
 * needs in its own way, the order of suites has no meaning, and {@code -Dwarpcodec.test.engine} holds to the end of
 * the run.
 *
 * <p>JUnit registers it for every suite of every module: the service file of this jar names it, and the build
 * switches automatic registration on. It surrounds a suite's own {@code @BeforeEach} and {@code @AfterEach}.
 *
 * <p>{@code warpcodec.pool.owner} is not among the properties: it belongs to the pool that is open, and an engine
 * that a test has found stays with its pool for the rest of the run.
 */
public final class ProcessState implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(ProcessState.class);
    private static final String POOL_OWNER = "warpcodec.pool.owner";
    private static final Predicate<String> IS_RESTORED =
            name -> name.startsWith("warpcodec.") && !name.equals(POOL_OWNER)
                    || name.equals("java.io.tmpdir")
                    || name.equals("test.build.data");

    /**
     * Everything that is put back.
     *
     * @param pool null where no settings are installed
     */
    private record State(Engines.Installed engines, PoolSettings pool, Map<String, String> properties) {
        static State now() {
            return new State(
                    Engines.installed(),
                    PoolSettings.areInstalled() ? PoolSettings.current() : null,
                    restoredProperties());
        }

        private static Map<String, String> restoredProperties() {
            Properties all = System.getProperties();
            Map<String, String> properties = new TreeMap<>();
            for (String name : all.stringPropertyNames()) {
                if (IS_RESTORED.test(name)) {
                    properties.put(name, all.getProperty(name));
                }
            }
            return properties;
        }

        void restore() {
            Engines.restore(engines);
            PoolSettings.install(pool);
            for (String name : restoredProperties().keySet()) {
                if (!properties.containsKey(name)) {
                    System.clearProperty(name);
                }
            }
            properties.forEach(System::setProperty);
        }
    }

    @Override
    public void beforeAll(ExtensionContext suite) {
        keep(suite);
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        keep(test);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        restore(test);
    }

    @Override
    public void afterAll(ExtensionContext suite) {
        restore(suite);
    }

    private static void keep(ExtensionContext context) {
        context.getStore(NAMESPACE).put(State.class, State.now());
    }

    private static void restore(ExtensionContext context) {
        context.getStore(NAMESPACE).get(State.class, State.class).restore();
    }
}
