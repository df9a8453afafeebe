package io.warpcodec.device.kernel;

/** A kernel module cannot be used on a device; the device itself is fine. */
public final class KernelUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient KernelStatus status;

    /** Creates an exception that says what the status says. */
    public KernelUnavailableException(KernelStatus status) {
        super(status.word() + ": " + status.reason());
        this.status = status;
    }

    /** What was found; null after deserialisation. */
    public KernelStatus status() {
        return status;
    }
}
