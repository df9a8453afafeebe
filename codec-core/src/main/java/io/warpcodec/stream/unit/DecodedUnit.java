package io.warpcodec.stream.unit;

import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.format.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;

/**
 * A chunk that an engine has decoded and verified, or bytes without content. Its input stays held as long as the
 * engine still has the bytes, since it may have to decode them again.
 *
 * <p>Not thread-safe.
 */
final class DecodedUnit implements UnitInTurn {
    private final CutUnit cut;
    private final Iterator<DecodedChunk.Output> outputs;
    private DecodedChunk.Source source;

    /** Takes over the chunk's outputs and source, and the unit's hold of its input. */
    DecodedUnit(CutUnit cut, DecodedChunk decoded) {
        this.cut = cut;
        this.outputs = decoded.outputs().iterator();
        this.source = decoded.source();
        if (source == null) {
            cut.lease().release();
        }
    }

    /** Bytes without content; takes over the unit's hold of them. */
    static DecodedUnit skipped(CutUnit cut) {
        return new DecodedUnit(cut, DecodedChunk.done(List.of()));
    }

    @Override
    public Unit unit() {
        return cut.unit();
    }

    @Override
    public long offset() {
        return cut.offset();
    }

    @Override
    public boolean newPosition() {
        return cut.newPosition();
    }

    @Override
    public UnitReader.Event advance(OutputMemory output) throws IOException {
        if (outputs.hasNext()) {
            output.handOut(outputs.next());
            return UnitReader.Event.BYTES;
        }
        if (source != null && source.remaining() > 0) {
            ByteBuffer piece = output.pieceOfSource();
            source.read(piece);
            output.handOutPiece(piece);
            return UnitReader.Event.BYTES;
        }
        close();
        return UnitReader.Event.UNIT_END;
    }

    @Override
    public void close() {
        outputs.forEachRemaining(output -> output.lease().release());
        if (source != null) {
            source.close();
            source = null;
            cut.lease().release();
        }
    }
}
