package io.warpcodec;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.choice.EngineSelector;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A test that replaces everything and puts nothing back, between two that find the same. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ProcessStateTest {
    private static final String PROPERTY = "warpcodec.test.state";
    private static EngineSelector selectorBefore;
    private static PoolSettings settingsBefore;
    private static String folderBefore;

    @Test
    @Order(1)
    void isLookedAt() {
        selectorBefore = Engines.selector();
        settingsBefore = PoolSettings.areInstalled() ? PoolSettings.current() : null;
        folderBefore = System.getProperty("java.io.tmpdir");
    }

    @Test
    @Order(2)
    void isReplaced() {
        Engines.installAccelerator(new ForwardingEngine() {});
        Engines.useCpuThreads(7);
        PoolSettings.install(new PoolSettings(List.of("9"), 1, 1, PoolSettings.LEAST_WAVE_BYTES, 1, NodeSettings.NONE));
        System.setProperty(PROPERTY, "set");
        System.setProperty("java.io.tmpdir", "elsewhere");
        assertThat(Engines.selector()).isNotSameAs(selectorBefore);
    }

    @Test
    @Order(3)
    void isAsItWas() {
        assertThat(Engines.selector()).isSameAs(selectorBefore);
        assertThat(PoolSettings.areInstalled()).isEqualTo(settingsBefore != null);
        assertThat(PoolSettings.areInstalled() ? PoolSettings.current() : null).isEqualTo(settingsBefore);
        assertThat(System.getProperty(PROPERTY)).isNull();
        assertThat(System.getProperty("java.io.tmpdir")).isEqualTo(folderBefore);
        Engines.useCpuThreads(1);
        assertThat(Engines.selector()).as("one thread, as before").isSameAs(selectorBefore);
    }
}
