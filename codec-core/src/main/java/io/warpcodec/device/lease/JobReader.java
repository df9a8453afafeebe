package io.warpcodec.device.lease;

import java.nio.ByteBuffer;

/**
 * Reads the orders of one program's jobs, which come from another process and may say anything. What it returns keeps
 * to the sizes of its lease and to the bounds of its program: no launcher will throw at it, and no kernel leaves its
 * share of a wave for it. Stateless and thread-safe.
 */
@FunctionalInterface
public interface JobReader {
    /**
     * Reads an order from the buffer's position to its limit.
     *
     * @param order little-endian
     * @param inputBytes of the lease
     * @param outputBytes of the lease
     * @param input what the device is to read; may change at any time
     * @throws IllegalArgumentException if it is no order of this program within these sizes
     * @throws java.nio.BufferUnderflowException if it ends too early
     */
    WaveJob read(ByteBuffer order, int inputBytes, int outputBytes, InputBytes input);
}
