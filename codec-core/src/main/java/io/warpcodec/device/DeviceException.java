package io.warpcodec.device;

/** A driver call failed. The three kinds have three remedies: a smaller batch, the CPU from now on, the CPU for this batch. */
public final class DeviceException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What the failure means for whoever called. */
    public enum Failure {
        /** Device or pinned memory is exhausted; the device is fine. */
        OUT_OF_MEMORY,
        /** The device or its context is unusable until the process ends; its memory must not be touched, freed or lent again. */
        DEVICE_LOST,
        /** This call failed; nothing is known against the device. */
        OTHER
    }

    private final Failure failure;

    /**
     * Creates an exception.
     *
     * @param failure what it means
     * @param message the call and the driver's answer
     */
    public DeviceException(Failure failure, String message) {
        super(message);
        this.failure = failure;
    }

    /** What the failure means for whoever called. */
    public Failure failure() {
        return failure;
    }
}
