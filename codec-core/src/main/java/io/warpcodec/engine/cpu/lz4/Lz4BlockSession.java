package io.warpcodec.engine.cpu.lz4;

import static io.warpcodec.format.lz4.Lz4BlockHeader.CHECKSUM_SEED;

import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.format.lz4.Lz4BlockHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/** Decodes one block of an LZ4Block stream, or its end mark. */
final class Lz4BlockSession extends Lz4Session {
    private final Lz4Blocks blocks = Lz4Blocks.FASTEST;
    private Lz4BlockHeader block;
    private boolean finished;

    Lz4BlockSession(HeapLeases leases) {
        super(leases);
        reset(0);
    }

    @Override
    void restart() {
        block = null;
        finished = false;
    }

    @Override
    boolean isFinished() {
        return finished;
    }

    @Override
    String unitWord() {
        return "block";
    }

    @Override
    boolean step(ByteBuffer input, ByteBuffer output) throws IOException, DataFormatException {
        if (block == null) {
            ByteBuffer header = header(input, Lz4BlockHeader.BYTES);
            if (header == null) {
                return false;
            }
            String defect = Lz4BlockHeader.defect(header);
            if (defect != null) {
                throw corrupt(defect);
            }
            block = Lz4BlockHeader.of(header);
            headerDone();
            finished = block.isEnd();
            return true;
        }
        ByteBuffer body = body(input, block.bodyBytes());
        if (body == null) {
            return false;
        }
        boolean direct = output.remaining() >= block.rawBytes();
        ByteBuffer target = direct ? output : scratch(block.rawBytes(), 0);
        int start = direct ? output.position() : 0;
        decode(body, target, start);
        if (direct) {
            output.position(start + block.rawBytes());
        } else {
            deliver(0, block.rawBytes(), output);
        }
        finished = true;
        return true;
    }

    private void decode(ByteBuffer body, ByteBuffer target, int start) throws IOException, DataFormatException {
        int rawBytes = block.rawBytes();
        if (block.method() == Lz4BlockHeader.RAW) {
            target.put(start, body, body.position(), rawBytes);
        } else if (blocks.decode(body, body.position(), block.bodyBytes(), target, start, rawBytes) != rawBytes) {
            throw corrupt("the block decodes to less than the " + rawBytes + " bytes declared");
        }
        if (Lz4BlockHeader.checksum(Lz4Hash.of(target, start, rawBytes, CHECKSUM_SEED)) != block.checksum()) {
            throw corrupt("the checksum is wrong");
        }
    }

    @Override
    public String missing() {
        return block == null ? "inside a block's header" : "inside a block";
    }
}
