package io.warpcodec.engine.cpu.store;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.format.store.StoreHeader;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Decodes one stored unit: gathers its head, copies, gathers and compares its checksum. */
final class StoreSession implements DecodeSession {
    private final ByteBuffer gathered = ByteBuffer.allocate(StoreHeader.BYTES);
    private final CRC32 crc = new CRC32();
    private long offset;
    private boolean inHead;
    private int left;

    StoreSession() {
        reset(0);
    }

    @Override
    public void reset(long startOffset) {
        offset = startOffset;
        gathered.clear();
        crc.reset();
        inHead = true;
        left = 0;
    }

    @Override
    public State decode(ByteBuffer input, ByteBuffer output) throws CorruptDataException {
        if (inHead) {
            if (!gather(input)) {
                return State.NEEDS_INPUT;
            }
            String defect = StoreHeader.defect(gathered.getInt(0), gathered.getInt(4));
            if (defect != null) {
                throw new CorruptDataException(Format.STORE, offset, defect);
            }
            left = gathered.getInt(4);
            gathered.clear().limit(StoreHeader.CHECKSUM_BYTES);
            inHead = false;
        }
        int count = Math.min(left, Math.min(input.remaining(), output.remaining()));
        ByteBuffer piece = input.slice();
        piece.limit(count);
        crc.update(piece.duplicate());
        output.put(piece);
        input.position(input.position() + count);
        left -= count;
        if (left > 0) {
            return input.hasRemaining() ? State.NEEDS_OUTPUT : State.NEEDS_INPUT;
        }
        if (!gather(input)) {
            return State.NEEDS_INPUT;
        }
        if (gathered.getInt(0) != (int) crc.getValue()) {
            throw new CorruptDataException(Format.STORE, offset, "CRC-32 of a stored unit does not match");
        }
        return State.FINISHED;
    }

    private boolean gather(ByteBuffer input) {
        while (gathered.hasRemaining() && input.hasRemaining()) {
            gathered.put(input.get());
        }
        return !gathered.hasRemaining();
    }

    @Override
    public String missing() {
        return inHead ? "in the head of a stored unit" : "in a stored unit";
    }

    @Override
    public void close() {}
}
