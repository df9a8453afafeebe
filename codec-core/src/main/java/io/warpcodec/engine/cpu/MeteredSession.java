package io.warpcodec.engine.cpu;

import io.warpcodec.engine.BlockRunDecoder;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Counts what a session does itself: not what it has others decode, who count their own. */
final class MeteredSession implements DecodeSession {
    private final DecodeSession session;
    private final WorkMeter meter;
    private final BlockRunDecoder runs;

    MeteredSession(DecodeSession session, WorkMeter meter) {
        this(session, meter, null);
    }

    /** @param runs what the session gives runs of blocks to; null if nothing */
    MeteredSession(DecodeSession session, WorkMeter meter, BlockRunDecoder runs) {
        this.session = session;
        this.meter = meter;
        this.runs = runs;
    }

    @Override
    public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        long start = System.nanoTime();
        int in = input.position();
        int out = output.position();
        int finished = 0;
        long othersIn = runs == null ? 0 : runs.bytesIn();
        long othersOut = runs == null ? 0 : runs.bytesOut();
        long othersNanos = runs == null ? 0 : runs.nanos();
        try {
            State state = session.decode(input, output);
            finished = state == State.FINISHED ? 1 : 0;
            return state;
        } finally {
            if (runs != null) {
                // what they decoded now comes out in this call and later ones: only the sums are right
                othersIn = runs.bytesIn() - othersIn;
                othersOut = runs.bytesOut() - othersOut;
                othersNanos = runs.nanos() - othersNanos;
            }
            meter.count(
                    finished,
                    input.position() - in - othersIn,
                    output.position() - out - othersOut,
                    System.nanoTime() - start - othersNanos);
        }
    }

    @Override
    public ByteBuffer preferredOutput() {
        return session.preferredOutput();
    }

    @Override
    public int usefulInputBytes() {
        return session.usefulInputBytes();
    }

    @Override
    public void reset(long offset) {
        session.reset(offset);
    }

    @Override
    public String missing() {
        return session.missing();
    }

    @Override
    public boolean mayEndHere() {
        return session.mayEndHere();
    }

    @Override
    public void close() {
        session.close();
    }
}
