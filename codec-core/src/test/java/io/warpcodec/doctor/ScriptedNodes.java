package io.warpcodec.doctor;

import io.warpcodec.device.DeviceReport;
import java.util.Map;

/** Reports of nodes that are not there. */
public final class ScriptedNodes {
    private ScriptedNodes() {}

    /** This node, with these devices. */
    public static NodeReport with(DeviceReport devices) {
        return NodeExamination.examine(devices, Map.of("CUDA_DEVICE_MAX_CONNECTIONS", "32"));
    }
}
