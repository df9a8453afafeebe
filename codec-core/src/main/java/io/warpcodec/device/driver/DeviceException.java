package io.warpcodec.device.driver;

/**
 * A driver call failed. Memory that is short calls for a smaller wave, a lost device for the CPU from now on, all
 * else for the CPU this once.
 */
public final class DeviceException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What the failure means for the caller. */
    public enum Failure {
        /** Device or pinned memory is exhausted; the device is fine. */
        OUT_OF_MEMORY,
        /**
         * The device or its context is unusable until the process ends; its memory must not be touched, freed or lent
         * again.
         */
        DEVICE_LOST,
        /** The image has no code for this device. */
        NO_CODE_FOR_DEVICE,
        /** The image is damaged. */
        INVALID_IMAGE,
        /** This call failed; nothing is known against the device. */
        OTHER
    }

    private final Failure failure;
    private final int code;

    /**
     * Creates an exception for something that the driver was not asked.
     *
     * @param message what failed
     */
    public DeviceException(String message) {
        super(message);
        this.failure = Failure.OTHER;
        this.code = 0;
    }

    /**
     * Creates an exception.
     *
     * @param code the driver's result code
     * @param message the call and the driver's answer
     */
    public DeviceException(int code, String message) {
        super(message);
        this.failure = DeviceHealth.failureOf(code);
        this.code = code;
    }

    /** What the failure means for the caller. */
    public Failure failure() {
        return failure;
    }

    /** The driver's result code; 0 where it was not asked. */
    public int code() {
        return code;
    }
}
