package io.warpcodec.device.pool;

/** What one task wants done in a wave; made and read by the {@link WaveProgram} that it was submitted for. */
public interface WaveJob {
    /** Units of work in it, such as blocks: what the program's tables have an entry for. */
    int unitCount();
}
