package io.warpcodec.stream.unit;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.Unit;

/**
 * A unit that was cut from the window and waits for its turn.
 *
 * @param unit what the scanner said
 * @param stateBefore the scanner's state before it, to go back to
 * @param lease memory that holds its bytes; one holder is this object's
 * @param start index of its first byte in the lease
 * @param offset absolute offset of its first byte
 * @param newPosition whether a split's position moves here: a sync point, or any unit before the split's end
 */
record CutUnit(Unit unit, ScannerState stateBefore, Lease lease, int start, long offset, boolean newPosition) {

    Chunk chunk() {
        return Chunk.encoded(lease, start, unit.bytes(), offset, unit.rawBytes(), unit.detail());
    }
}
