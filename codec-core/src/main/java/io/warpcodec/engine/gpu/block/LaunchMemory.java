package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.pool.Wave;

/**
 * The memory that a launch works with, beside its blocks, and its stream. Lent by the caller until the stream has done
 * everything; one launch at a time has it. How much of each part it needs is told by whoever launches.
 *
 * @param workspace device memory for tables
 * @param staging page-locked memory that tables are written to and results come back to
 * @param scratch device memory of undefined contents; null where a launch needs none
 * @param stream where the work queues
 */
public record LaunchMemory(DeviceBuffer workspace, PinnedBuffer staging, DeviceBuffer scratch, DeviceStream stream) {
    /** The memory of a wave. */
    public static LaunchMemory of(Wave wave) {
        return new LaunchMemory(wave.workspace(), wave.staging(), wave.scratch(), wave.stream());
    }
}
