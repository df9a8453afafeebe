package io.warpcodec.device.driver;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets tests run where the driver is ready; see {@link GpuTest}. */
public final class GpuCondition implements ExecutionCondition {
    static final String REQUIRED_PROPERTY = "warpcodec.gpu.required";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return evaluate(DeviceDriver.status(), Boolean.getBoolean(REQUIRED_PROPERTY));
    }

    static ConditionEvaluationResult evaluate(DriverStatus status, boolean required) {
        if (status.ready()) {
            return ConditionEvaluationResult.enabled(status.reason());
        }
        if (required) {
            throw new AssertionError(REQUIRED_PROPERTY + " is set, but " + status.reason());
        }
        return ConditionEvaluationResult.disabled("no usable GPU: " + status.reason());
    }
}
