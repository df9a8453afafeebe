package io.warpcodec.engine.cpu.lz4;

import static io.warpcodec.format.lz4.Lz4Format.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.cpu.base.HeapLeases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/**
 * Decodes one outer block of Hadoop's framing: its raw size, then chunks until that is reached. Nothing says how large a chunk
 * is when decoded, so one that does not fit is decoded again with more output capacity, up to what its outer block has left, the memory
 * budget, and what its bytes can hold at all.
 *
 * <p>Lenient, it does what stock Hadoop does with damage: the stream may end anywhere, and an outer block whose chunks hold more
 * than it said is the last; what follows is dropped.
 */
final class Lz4HadoopSession extends Lz4Session {
    private static final int FIRST_CAPACITY_BYTES = 256 << 10;

    /** Where in the outer block the session stands. */
    private enum Phase {
        RAW_SIZE,
        CHUNK_SIZE,
        CHUNK,
        REST,
        FINISHED
    }

    private final Lz4Blocks blocks = Lz4Blocks.FASTEST;
    private final boolean lenient;
    private final int budgetBytes;
    private Phase phase;
    private int chunkBytes;
    private int rawLeftBytes;

    Lz4HadoopSession(CodecOptions options, HeapLeases leases) {
        super(leases);
        lenient = options.lenient();
        budgetBytes = options.outputBudgetBytes();
        reset(0);
    }

    @Override
    void restart() {
        phase = Phase.RAW_SIZE;
    }

    @Override
    boolean isFinished() {
        return phase == Phase.FINISHED;
    }

    @Override
    String unitWord() {
        return "outer block";
    }

    @Override
    boolean step(ByteBuffer input, ByteBuffer output) throws IOException, DataFormatException {
        if (phase == Phase.REST) {
            input.position(input.limit());
            return false;
        }
        if (phase == Phase.CHUNK) {
            ByteBuffer chunk = body(input, chunkBytes);
            if (chunk == null) {
                return false;
            }
            rawLeftBytes -= chunk(chunk, output);
            phase = rawLeftBytes == 0 ? Phase.FINISHED : rawLeftBytes < 0 ? Phase.REST : Phase.CHUNK_SIZE;
            return true;
        }
        ByteBuffer header = header(input, 4);
        if (header == null) {
            return false;
        }
        int word = header.getInt(0);
        headerDone();
        if (phase == Phase.RAW_SIZE) {
            if (word < 0 && !lenient) {
                throw corrupt("the raw size is negative");
            }
            rawLeftBytes = word;
            phase = word == 0 ? Phase.FINISHED : Phase.CHUNK_SIZE;
        } else {
            chunkSize(word);
        }
        return true;
    }

    private void chunkSize(int word) throws IOException {
        if (word == 0 && lenient) {
            return;
        }
        if (word <= 0 || !lenient && word > maxBlockBytes(rawLeftBytes)) {
            throw corrupt("a chunk claims " + word + " bytes for " + rawLeftBytes + " raw bytes");
        }
        if (word > maxBlockBytes(budgetBytes)) {
            throw corrupt("a chunk claims " + word + " bytes, over the memory budget of " + budgetBytes);
        }
        chunkBytes = word;
        phase = Phase.CHUNK;
    }

    private int chunk(ByteBuffer chunk, ByteBuffer output) throws DataFormatException {
        int at = chunk.position();
        int most = (int) Math.min(maxRawBytes(chunkBytes), lenient ? budgetBytes : Math.min(rawLeftBytes, budgetBytes));
        if (output.remaining() >= most) {
            int start = output.position();
            int rawBytes = blocks.decode(chunk, at, chunkBytes, output, start, most);
            output.position(start + rawBytes);
            return rawBytes;
        }
        for (int capacity = Math.min(most, FIRST_CAPACITY_BYTES); ; capacity = Math.min(most, 4 * capacity)) {
            try {
                int rawBytes = blocks.decode(chunk, at, chunkBytes, scratch(capacity, 0), 0, capacity);
                deliver(0, rawBytes, output);
                return rawBytes;
            } catch (DataFormatException bad) {
                if (capacity == most) {
                    throw bad;
                }
            }
        }
    }

    @Override
    public boolean mayEndHere() {
        return lenient;
    }

    @Override
    public String missing() {
        return switch (phase) {
            case RAW_SIZE -> "inside an outer block's size";
            case CHUNK_SIZE -> "inside an outer block, " + rawLeftBytes + " raw bytes before its end";
            default -> "inside a chunk";
        };
    }
}
