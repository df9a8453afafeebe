package io.warpcodec.engine.cpu.base;

import io.warpcodec.engine.SegmentHelp;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads what a {@link SegmentHelp} decodes of a unit, a segment at a time. A segment's bytes lie where a device put
 * them, until others need that memory more. So the input of a segment is not passed before all of its bytes have been
 * taken. If they are gone by then, the session's library decodes the segment again, to the heap. Not thread-safe.
 */
public abstract class SegmentReader {
    private final SegmentHelp segments;

    // the segment whose bytes are taken
    private int inputBytes;
    private int rawBytes;
    /** Its bytes, if they had to be decoded again; else null. */
    private ByteBuffer again;

    protected SegmentReader(SegmentHelp segments) {
        this.segments = segments;
    }

    /** Keeps where the next segment begins. */
    protected abstract void keepStart();

    /**
     * Decodes a segment by the session's library.
     *
     * @param input from where the segment begins
     * @param inputBytes whole bytes of it that are the segment's
     * @param rawBytes that a device decoded it to
     * @throws IOException if it makes other bytes than a device did
     */
    protected abstract byte[] decodeAgain(ByteBuffer input, int inputBytes, int rawBytes) throws IOException;

    /** Forgets the segment. */
    public final void reset() {
        inputBytes = 0;
        rawBytes = 0;
        again = null;
    }

    /**
     * Has the next segment decoded; all bytes of the last one have been taken.
     *
     * @param input from the byte on in which the segment begins; moves only if no bytes come of it
     * @return false if there is none: what follows is not the decoder's
     */
    public final boolean advance(ByteBuffer input) throws IOException {
        reset();
        keepStart();
        ByteBuffer ahead = input.duplicate();
        if (!segments.advance(ahead)) {
            return false;
        }
        inputBytes = ahead.position() - input.position();
        rawBytes = segments.outputBytes();
        passIfTaken(input);
        return true;
    }

    private void passIfTaken(ByteBuffer input) {
        if (remaining() == 0) {
            input.position(input.position() + inputBytes);
            reset();
        }
    }

    /** Bytes of the segment that have not been taken yet. */
    public final int remaining() {
        return again == null ? segments.outputBytes() : again.remaining();
    }

    /**
     * Takes bytes of the segment, as many as there are and fit. With the last one, the input moves behind the
     * segment, to the byte in which the next one begins.
     *
     * @param input from the byte on in which the segment begins
     * @param output its position moves
     * @throws IOException if they were gone, and the session's library makes others
     */
    public final void take(ByteBuffer input, ByteBuffer output) throws IOException {
        int taken = rawBytes - remaining();
        if (again == null && !segments.take(output)) {
            again = ByteBuffer.wrap(decodeAgain(input.duplicate(), inputBytes, rawBytes))
                    .position(taken);
        }
        if (again != null) {
            int count = Math.min(again.remaining(), output.remaining());
            output.put(output.position(), again, again.position(), count);
            output.position(output.position() + count);
            again.position(again.position() + count);
        }
        passIfTaken(input);
    }
}
