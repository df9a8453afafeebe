package io.warpcodec.device.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.device.driver.DriverStatus.State;
import org.junit.jupiter.api.Test;

class GpuConditionTest {
    private final DriverStatus absent = DriverStatus.of(State.NO_DRIVER, "no NVIDIA driver");

    @Test
    void gpuTestsAreSkippedWithTheReasonWhereThereIsNoDevice() {
        assertThat(GpuCondition.evaluate(absent, false).isDisabled()).isTrue();
        assertThat(GpuCondition.evaluate(absent, false).getReason()).hasValue("no usable GPU: no NVIDIA driver");
    }

    @Test
    void gpuTestsFailWhereADeviceIsRequired() {
        assertThatThrownBy(() -> GpuCondition.evaluate(absent, true)).hasMessageContaining("no NVIDIA driver");
    }

    @Test
    void gpuTestsRunWhereTheDriverIsReady() {
        DriverStatus ready = new DriverStatus(State.READY, "CUDA 13.0, 1 device", 13000);
        assertThat(GpuCondition.evaluate(ready, true).isDisabled()).isFalse();
    }
}
