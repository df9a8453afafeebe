package io.warpcodec;

/** Which engine a stream may use: the setting {@code mode}. */
public enum Mode {
    /** The device where it is healthy and expected to be faster, else the CPU. */
    AUTO,
    /** The device, or an IOException that says why not. */
    GPU,
    /** The CPU always: the kill switch. */
    CPU
}
