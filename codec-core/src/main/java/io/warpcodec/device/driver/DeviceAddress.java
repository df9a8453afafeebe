package io.warpcodec.device.driver;

import jcuda.driver.CUdeviceptr;

/** A device pointer whose number can be read: the driver fills it in, kernels get it as a 64-bit argument. */
final class DeviceAddress extends CUdeviceptr {
    /** The address as a number. */
    long value() {
        return getNativePointer() + getByteOffset();
    }
}
