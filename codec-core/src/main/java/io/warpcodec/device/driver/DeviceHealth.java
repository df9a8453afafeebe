package io.warpcodec.device.driver;

import io.warpcodec.device.driver.DeviceException.Failure;
import jcuda.driver.CUresult;

/**
 * What a driver's result code means for the device, and whether a device has been given up. A device that is given up
 * stays so until the process ends: its context answers every call with the same error, and what its last work may
 * still write to is not known.
 *
 * <p>Thread-safe.
 */
public final class DeviceHealth {
    // The codes are compile-time constants: this class runs without jcuda. Sticky are those after which the driver
    // documents that the context is unusable and the process must end, those that say that the device or its driver
    // is gone, and 999, which nothing else is known about. A code that this table does not know is OTHER; the caller
    // that meets it asks the driver once more before trusting the device (DeviceWorker).

    private volatile String death;

    /** What a failed call with this code means. */
    static Failure failureOf(int code) {
        return switch (code) {
            case CUresult.CUDA_ERROR_OUT_OF_MEMORY -> Failure.OUT_OF_MEMORY;
            case CUresult.CUDA_ERROR_DEINITIALIZED,
                    CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE,
                    CUresult.CUDA_ERROR_NO_DEVICE,
                    CUresult.CUDA_ERROR_INVALID_DEVICE,
                    CUresult.CUDA_ERROR_INVALID_CONTEXT,
                    CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
                    CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
                    CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
                    CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
                    CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED,
                    CUresult.CUDA_ERROR_ASSERT,
                    CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
                    CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
                    CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE,
                    CUresult.CUDA_ERROR_INVALID_PC,
                    CUresult.CUDA_ERROR_LAUNCH_FAILED,
                    CUresult.CUDA_ERROR_SYSTEM_NOT_READY,
                    CUresult.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
                    CUresult.CUDA_ERROR_MPS_RPC_FAILURE,
                    CUresult.CUDA_ERROR_MPS_CLIENT_TERMINATED,
                    CUresult.CUDA_ERROR_TIMEOUT,
                    CUresult.CUDA_ERROR_EXTERNAL_DEVICE,
                    CUresult.CUDA_ERROR_UNKNOWN -> Failure.DEVICE_LOST;
            case CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU, CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION ->
                Failure.NO_CODE_FOR_DEVICE;
            case CUresult.CUDA_ERROR_INVALID_IMAGE -> Failure.INVALID_IMAGE;
            default -> Failure.OTHER;
        };
    }

    /**
     * Gives the device up.
     *
     * @return whether this call was the first
     */
    public synchronized boolean giveUp(String reason) {
        if (death != null) {
            return false;
        }
        death = reason;
        return true;
    }

    /** Why the device was given up; null while it is trusted. */
    public String death() {
        return death;
    }
}
