package io.warpcodec.stream.unit;

import io.warpcodec.format.Unit;
import java.io.IOException;

/** The unit whose decoded bytes are being handed out. Not thread-safe. */
interface UnitInTurn {
    /** What the scanner said. */
    Unit unit();

    /** Absolute offset of its first byte. */
    long offset();

    /** Whether a split's position moves to it. */
    boolean newPosition();

    /**
     * Hands out the next of its bytes.
     *
     * @return BYTES, NEEDS_INPUT, or UNIT_END when it has given everything back
     */
    UnitReader.Event advance(OutputMemory output) throws IOException;

    /** Gives everything back before its end. */
    void close();
}
