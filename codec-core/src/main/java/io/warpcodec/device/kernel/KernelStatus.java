package io.warpcodec.device.kernel;

/**
 * Whether a kernel module can be used on a device.
 *
 * @param word the module's name
 * @param ordinal the device, or -1 where none was asked
 * @param state the answer
 * @param reason one sentence for a log line or {@code doctor}; never empty
 */
public record KernelStatus(String word, int ordinal, State state, String reason) {

    /** What was found. */
    public enum State {
        /** Loaded, and its constants agree. */
        LOADED,
        /** The jar has it, but there is no device to load it on. */
        PRESENT,
        /** No such fatbin on the class path. */
        MISSING,
        /** It holds no code that this device runs. */
        NO_CODE_FOR_DEVICE,
        /** It belongs to another version of the Java code. */
        MISMATCH,
        /** The driver refused it. */
        FAILED
    }
}
