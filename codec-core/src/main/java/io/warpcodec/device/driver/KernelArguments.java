package io.warpcodec.device.driver;

import java.util.ArrayList;
import java.util.List;

/** The arguments of one launch, in the order of the kernel's parameters. Not thread-safe. */
public final class KernelArguments {
    private final List<Number> values = new ArrayList<>();

    /** Appends a pointer to device memory. */
    public KernelArguments buffer(DeviceBuffer buffer) {
        return int64(buffer.address());
    }

    /** Appends a 64-bit value. */
    public KernelArguments int64(long value) {
        values.add(value);
        return this;
    }

    /** Appends a 32-bit value. */
    public KernelArguments int32(int value) {
        values.add(value);
        return this;
    }

    /** A Long for each value of 64 bits, an Integer for each of 32. */
    public List<Number> values() {
        return values;
    }
}
