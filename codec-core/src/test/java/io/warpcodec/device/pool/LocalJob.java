package io.warpcodec.device.pool;

import io.warpcodec.device.lease.WaveJob;
import java.nio.ByteBuffer;

/** A job of so many entries and nothing else, which stays in its process. */
record LocalJob(int entryCount) implements WaveJob {
    @Override
    public int orderBytes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void putOrder(ByteBuffer message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int answerBytes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void putAnswer(ByteBuffer message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void takeAnswer(ByteBuffer message) {
        throw new UnsupportedOperationException();
    }
}
