package io.warpcodec.device;

import java.util.ArrayList;
import java.util.List;
import jcuda.NativePointerObject;
import jcuda.Pointer;

/** The arguments of one launch, in the order of the kernel's parameters. Not thread-safe. */
public final class KernelArguments {
    private final List<Pointer> values = new ArrayList<>();

    /** Appends a pointer to device memory. */
    public KernelArguments buffer(DeviceBuffer buffer) {
        return int64(buffer.address());
    }

    /** Appends a 64-bit value. */
    public KernelArguments int64(long value) {
        values.add(Pointer.to(new long[] {value}));
        return this;
    }

    /** Appends a 32-bit value. */
    public KernelArguments int32(int value) {
        values.add(Pointer.to(new int[] {value}));
        return this;
    }

    Pointer pointers() {
        return Pointer.to(values.toArray(new NativePointerObject[0]));
    }
}
