package io.warpcodec.format.hadoopframing;

import io.warpcodec.format.Window;

/** What a body says about its own decoded size. */
public interface BodySizes {
    /** How many bytes from a body's start {@link #rawBytes} may look at. */
    int prefixBytes();

    /**
     * The decoded size that the body at this index declares.
     *
     * @param prefixBytes bytes of the body that can be seen: {@link #prefixBytes()} or the whole body
     * @return -1 if the format does not say, or says it wrongly
     */
    int rawBytes(Window window, int index, int prefixBytes);
}
