package io.warpcodec.device.pool;

/** What one task wants done in a wave; made and read by the {@link WaveProgram} that it was submitted for. */
public interface WaveJob {
    /** Entries in the tables of its program, such as one for each block. */
    int entryCount();
}
