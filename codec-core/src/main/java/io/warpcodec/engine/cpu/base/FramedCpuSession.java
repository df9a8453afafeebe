package io.warpcodec.engine.cpu.base;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.format.hadoopframing.HadoopFraming;
import io.warpcodec.format.hadoopframing.OuterBlock;
import io.warpcodec.format.hadoopframing.OuterBlock.Next;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/**
 * Decodes one outer block of Hadoop's framing, or one block of a xerial stream, body by body: a body is gathered,
 * decoded whole, and handed out. Memory: {@link SessionBuffers}, one body and its raw bytes, both within the budget.
 * Not thread-safe.
 *
 * <p>What the lengths lead to, strictly and leniently, {@link OuterBlock} says.
 */
public final class FramedCpuSession implements DecodeSession {
    private final Format format;
    private final RawBodyDecoder decoder;
    private final boolean outerLength;
    private final OuterBlock outer;
    private final int budgetBytes;
    private final SessionBuffers buffers;
    private final HeapView view = new HeapView();

    private long offset;

    /**
     * @param decoder of the bodies of this format
     * @param outerLength whether the unit starts with its raw size (Hadoop's framing)
     * @param lenient read damaged data as stock Hadoop does
     * @param budgetBytes most raw bytes of one body
     */
    public FramedCpuSession(
            Format format,
            RawBodyDecoder decoder,
            boolean outerLength,
            boolean lenient,
            int budgetBytes,
            HeapLeases leases) {
        this.format = format;
        this.decoder = decoder;
        this.outerLength = outerLength;
        outer = new OuterBlock(lenient);
        this.budgetBytes = budgetBytes;
        buffers = new SessionBuffers(leases, format.word());
        reset(0);
    }

    @Override
    public void reset(long startOffset) {
        offset = startOffset;
        if (outerLength) {
            outer.begin(startOffset == 0);
        } else {
            outer.beginChunkAlone();
        }
        buffers.release();
        buffers.headerDone();
    }

    private CorruptDataException corrupt(String reason) {
        return new CorruptDataException(format, offset, reason);
    }

    @Override
    public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        State state;
        try {
            state = steps(input, output);
        } catch (DataFormatException bad) {
            throw corrupt(bad.getMessage());
        }
        buffers.releaseIdleInput();
        return state;
    }

    private State steps(ByteBuffer input, ByteBuffer output) throws IOException, DataFormatException {
        while (buffers.drain(output)) {
            switch (outer.next()) {
                case RAW_BYTES, CHUNK_BYTES -> {
                    ByteBuffer length = buffers.header(input, HadoopFraming.LENGTH_BYTES);
                    if (length == null) {
                        return State.NEEDS_INPUT;
                    }
                    buffers.headerDone();
                    length(length.getInt(0));
                }
                case CHUNK -> {
                    ByteBuffer body = buffers.body(input, outer.chunkBytes());
                    if (body == null) {
                        return State.NEEDS_INPUT;
                    }
                    body(body, output);
                }
                case FINISHED -> {
                    buffers.release();
                    return State.FINISHED;
                }
                case DROPPED -> {
                    input.position(input.limit());
                    return State.NEEDS_INPUT;
                }
            }
        }
        return State.NEEDS_OUTPUT;
    }

    private void length(int bytes) throws IOException, DataFormatException {
        if (outer.next() == Next.RAW_BYTES) {
            outer.rawBytes(bytes);
        } else {
            outer.chunkBytes(bytes);
            if (bytes > budgetBytes) {
                throw corrupt("a chunk of " + bytes + " bytes, over the memory budget of " + budgetBytes);
            }
        }
        offset += HadoopFraming.LENGTH_BYTES;
    }

    private void body(ByteBuffer body, ByteBuffer output) throws IOException {
        int bodyBytes = outer.chunkBytes();
        view.of(body);
        int rawBytes;
        try {
            int capacity = decoder.capacityFor(view.array(), view.start(), bodyBytes, outer.mostRawBytes(budgetBytes));
            ByteBuffer raw = buffers.scratch(capacity, 0);
            rawBytes = decoder.decode(view.array(), view.start(), bodyBytes, raw.array(), raw.arrayOffset(), capacity);
        } catch (DataFormatException bad) {
            throw corrupt("in the chunk that starts here, " + bad.getMessage());
        }
        buffers.deliver(0, rawBytes, output);
        offset += bodyBytes;
        outer.decoded(rawBytes);
    }

    @Override
    public boolean mayEndHere() {
        return outer.mayEndHere();
    }

    @Override
    public String missing() {
        return outer.missing();
    }

    @Override
    public void close() {
        buffers.release();
    }
}
