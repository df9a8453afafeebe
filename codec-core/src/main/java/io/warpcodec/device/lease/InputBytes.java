package io.warpcodec.device.lease;

import java.nio.ByteBuffer;

/**
 * The input of a job as its program reads it on the host. Its bytes may change at any time where they are another
 * process's.
 */
public interface InputBytes {
    /** Number of bytes. */
    int length();

    /**
     * A byte, 0 to 255; 0 where it cannot be read any more.
     *
     * @throws IndexOutOfBoundsException if there is none
     */
    int at(int index);

    /** Those of a buffer, from index 0 to its limit. */
    static InputBytes of(ByteBuffer bytes) {
        return new InputBytes() {
            @Override
            public int length() {
                return bytes.limit();
            }

            @Override
            public int at(int index) {
                return bytes.get(index) & 0xff;
            }
        };
    }
}
