package io.warpcodec.engine.cpu.base;

import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.SessionHelp;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Counts what a session does itself: not what it has others decode, who count their own. */
public final class MeteredSession implements DecodeSession {
    private final DecodeSession session;
    private final WorkMeter meter;
    private final SessionHelp shared;
    /** Bytes that others have decoded and that have not come out yet. */
    private long heldOfOthers;

    /** @param shared what others do for the session; null if nothing */
    public MeteredSession(DecodeSession session, WorkMeter meter, SessionHelp shared) {
        this.session = session;
        this.meter = meter;
        this.shared = shared;
    }

    @Override
    public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        long start = System.nanoTime();
        int in = input.position();
        int out = output.position();
        int finished = 0;
        long othersIn = shared == null ? 0 : shared.bytesIn();
        long othersOut = shared == null ? 0 : shared.bytesOut();
        long othersNanos = shared == null ? 0 : shared.nanos();
        try {
            State state = session.decode(input, output);
            finished = state == State.FINISHED ? 1 : 0;
            return state;
        } finally {
            int produced = output.position() - out;
            long fromOthers = 0;
            if (shared != null) {
                othersIn = shared.bytesIn() - othersIn;
                othersNanos = shared.nanos() - othersNanos;
                // what they decode comes out in this call and later ones, before anything else does, or never if the
                // reader leaves
                heldOfOthers += shared.bytesOut() - othersOut;
                fromOthers = Math.min(produced, heldOfOthers);
                heldOfOthers -= fromOthers;
            }
            meter.count(
                    finished,
                    input.position() - in - othersIn,
                    produced - fromOthers,
                    System.nanoTime() - start - othersNanos);
        }
    }

    @Override
    public ByteBuffer preferredOutput() {
        return session.preferredOutput();
    }

    @Override
    public int leastOutputBytes() {
        return session.leastOutputBytes();
    }

    @Override
    public int usefulInputBytes() {
        return session.usefulInputBytes();
    }

    @Override
    public int leastInputBytes() {
        return session.leastInputBytes();
    }

    @Override
    public void reset(long offset) {
        session.reset(offset);
        heldOfOthers = 0;
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
