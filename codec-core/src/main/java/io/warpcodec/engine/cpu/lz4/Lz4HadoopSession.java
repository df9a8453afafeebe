package io.warpcodec.engine.cpu.lz4;

import static io.warpcodec.format.lz4.Lz4Format.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.format.hadoopframing.HadoopFraming;
import io.warpcodec.format.hadoopframing.OuterBlock;
import io.warpcodec.format.hadoopframing.OuterBlock.Next;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/**
 * Decodes one outer block of Hadoop's framing: its raw size, then chunks until that is reached. Nothing says how
 * large a chunk is when decoded. So a chunk that does not fit is decoded again with more output capacity. The
 * capacity grows up to the memory budget and to what the chunk's bytes can hold at all. Unless the session is
 * lenient, what the outer block has left bounds it, too.
 *
 * <p>{@link OuterBlock} says what the lengths lead to, strictly and leniently.
 */
final class Lz4HadoopSession extends Lz4Session {
    private static final int FIRST_CAPACITY_BYTES = 256 << 10;

    private final Lz4Blocks blocks = Lz4Blocks.FASTEST;
    private final OuterBlock outer;
    private final boolean lenient;
    private final int budgetBytes;

    Lz4HadoopSession(CodecOptions options, HeapLeases leases) {
        super(leases);
        lenient = options.lenient();
        outer = new OuterBlock(lenient);
        budgetBytes = options.outputBudgetBytes();
        reset(0);
    }

    @Override
    void restart() {
        outer.begin(startOffset == 0);
    }

    @Override
    boolean isFinished() {
        return outer.next() == Next.FINISHED;
    }

    @Override
    String unitWord() {
        return "outer block";
    }

    @Override
    boolean step(ByteBuffer input, ByteBuffer output) throws IOException, DataFormatException {
        if (outer.next() == Next.DROPPED) {
            input.position(input.limit());
            return false;
        }
        if (outer.next() == Next.CHUNK) {
            ByteBuffer chunk = body(input, outer.chunkBytes());
            if (chunk == null) {
                return false;
            }
            outer.decoded(chunk(chunk, output));
            return true;
        }
        ByteBuffer header = header(input, HadoopFraming.LENGTH_BYTES);
        if (header == null) {
            return false;
        }
        int word = header.getInt(0);
        headerDone();
        if (outer.next() == Next.RAW_BYTES) {
            outer.rawBytes(word);
        } else {
            outer.chunkBytes(word);
            checkChunkBytes(word);
        }
        return true;
    }

    private void checkChunkBytes(int bytes) throws IOException {
        if (!lenient && bytes > maxBlockBytes(outer.rawLeftBytes())) {
            throw corrupt("a chunk claims " + bytes + " bytes for " + outer.rawLeftBytes() + " raw bytes");
        }
        if (bytes > maxBlockBytes(budgetBytes)) {
            throw corrupt("a chunk claims " + bytes + " bytes, over the memory budget of " + budgetBytes);
        }
    }

    private int chunk(ByteBuffer chunk, ByteBuffer output) throws DataFormatException {
        int at = chunk.position();
        int chunkBytes = outer.chunkBytes();
        int most = (int) Math.min(maxRawBytes(chunkBytes), outer.mostRawBytes(budgetBytes));
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
        return outer.mayEndHere();
    }

    @Override
    public String missing() {
        return outer.missing();
    }
}
