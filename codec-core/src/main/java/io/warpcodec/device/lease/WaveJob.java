package io.warpcodec.device.lease;

import java.nio.ByteBuffer;

/**
 * What one task wants done in a wave; made for one program, and read by it. It can be sent to another process: its
 * <i>order</i> says what is to be done, which a {@link JobReader} reads there; its <i>answer</i> says what came of
 * it, and comes back. Not thread-safe.
 */
public interface WaveJob {
    /** Entries in the tables of its program, such as one for each block. */
    int entryCount();

    /** Bytes of its order. */
    int orderBytes();

    /** Writes its order from the buffer's position on, which moves by {@link #orderBytes}. Little-endian. */
    void putOrder(ByteBuffer message);

    /** Bytes of its answer, once it is done. */
    int answerBytes();

    /** Writes its answer from the buffer's position on, which moves by {@link #answerBytes}. Little-endian. */
    void putAnswer(ByteBuffer message);

    /**
     * Takes an answer from the buffer's position on, as if this job had been done here.
     *
     * @throws IllegalArgumentException if it is no answer to this job
     * @throws java.nio.BufferUnderflowException if it ends too early
     */
    void takeAnswer(ByteBuffer message);
}
