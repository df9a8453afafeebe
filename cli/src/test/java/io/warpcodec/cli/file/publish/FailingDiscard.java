package io.warpcodec.cli.file.publish;

import java.io.IOException;

/** An output whose file cannot be given up. */
public final class FailingDiscard extends PendingOutput {
    public FailingDiscard(String name) {
        super(name);
    }

    @Override
    void writeBytes(byte[] bytes, int start, int length) {
        throw new AssertionError("nothing is written");
    }

    @Override
    void makeDurable(Condition last) {
        throw new AssertionError("nothing is published");
    }

    @Override
    void discard() throws IOException {
        throw new IOException("Input/output error");
    }

    @Override
    public void requireThere() {
        throw new AssertionError("nothing is there");
    }
}
