package io.warpcodec.engine.gpu.segment;

import io.warpcodec.device.lease.WaveJob;
import java.nio.ByteBuffer;

/** A segment of one unit in a wave. Filled by one thread, then handed over. Not thread-safe. */
public interface SegmentWork extends WaveJob {
    /** Bytes that go to the device. */
    int inputBytes();

    /** Bytes of its output, {@link #headBytes} included. */
    int outputBytes();

    /** Bytes of its output in front of what it decodes to. */
    int headBytes();

    /** Compressed bytes of the unit that it was cut from. */
    int segmentBytes();

    /**
     * Fills the input of its lease.
     *
     * @param memory little-endian; is read while the job is done
     * @param input of the unit, from position on
     */
    void fill(ByteBuffer memory, ByteBuffer input);

    /** Whether the device did what it was to do; if not, nothing else is known. */
    boolean sound();

    /** Bytes that it decodes to. */
    int rawBytes();

    /** Whole bytes of the unit that are decoded. */
    int endByte();
}
