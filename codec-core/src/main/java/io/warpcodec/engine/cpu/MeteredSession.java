package io.warpcodec.engine.cpu;

import io.warpcodec.engine.DecodeSession;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Counts what a session does. */
final class MeteredSession implements DecodeSession {
    private final DecodeSession session;
    private final WorkMeter meter;

    MeteredSession(DecodeSession session, WorkMeter meter) {
        this.session = session;
        this.meter = meter;
    }

    @Override
    public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        long start = System.nanoTime();
        int in = input.position();
        int out = output.position();
        int finished = 0;
        try {
            State state = session.decode(input, output);
            finished = state == State.FINISHED ? 1 : 0;
            return state;
        } finally {
            meter.count(finished, input.position() - in, output.position() - out, System.nanoTime() - start);
        }
    }

    @Override
    public ByteBuffer preferredOutput() {
        return session.preferredOutput();
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
