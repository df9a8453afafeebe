package io.warpcodec;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.metrics.FallbackReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The GPU engine is found by its name, which no compiler checks: on a machine without a GPU too, the engine itself
 * has to say so.
 */
class DiscoveryTest {
    private Engines.Installed before;

    @BeforeEach
    void forget() {
        before = Engines.installed();
        Engines.install(null);
    }

    @AfterEach
    void restore() {
        Engines.restore(before);
    }

    @Test
    void theEngineOfDevicesIsCalledAndAnswers() {
        FallbackReason reason = Engines.selector().unavailableReason();
        assertThat(reason).isNotIn(FallbackReason.NO_GPU_ENGINE, FallbackReason.GPU_ENGINE_FAILED);
    }
}
