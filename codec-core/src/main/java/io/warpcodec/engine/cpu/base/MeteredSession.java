package io.warpcodec.engine.cpu.base;

import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.SessionHelp;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Counts what a session decodes itself; what its {@link SessionHelp} decodes is counted there. Not thread-safe. */
public final class MeteredSession implements DecodeSession {
    private final DecodeSession session;
    private final WorkMeter meter;
    private final SessionHelp help;
    /** Bytes that the help has decoded and that have not come out yet. */
    private long heldHelpBytes;
    /** Bytes of input that the help has decoded and that the session has not passed yet. */
    private long heldHelpInput;

    /** @param help what decodes parts of the unit for the session; null if nothing does */
    public MeteredSession(DecodeSession session, WorkMeter meter, SessionHelp help) {
        this.session = session;
        this.meter = meter;
        this.help = help;
    }

    @Override
    public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
        long start = System.nanoTime();
        int in = input.position();
        int out = output.position();
        int finished = 0;
        long helpIn = help == null ? 0 : help.bytesIn();
        long helpOut = help == null ? 0 : help.bytesOut();
        long helpNanos = help == null ? 0 : help.nanos();
        try {
            State state = session.decode(input, output);
            finished = state == State.FINISHED ? 1 : 0;
            return state;
        } finally {
            int consumed = input.position() - in;
            int produced = output.position() - out;
            long fromHelp = 0;
            long helpPassed = 0;
            if (help != null) {
                heldHelpInput += help.bytesIn() - helpIn;
                helpPassed = Math.min(consumed, heldHelpInput);
                heldHelpInput -= helpPassed;
                helpNanos = help.nanos() - helpNanos;
                // what it decodes comes out in this call and later ones, before anything else does, or never if the
                // reader leaves
                heldHelpBytes += help.bytesOut() - helpOut;
                fromHelp = Math.min(produced, heldHelpBytes);
                heldHelpBytes -= fromHelp;
            }
            meter.count(finished, consumed - helpPassed, produced - fromHelp, System.nanoTime() - start - helpNanos);
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
        heldHelpBytes = 0;
        heldHelpInput = 0;
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
