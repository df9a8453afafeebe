package io.warpcodec.cli.verb;

import java.io.IOException;
import java.io.OutputStream;

/** Keeps the encoder from closing the output, which is not complete before it is published. */
final class Unclosed extends OutputStream {
    private final OutputStream sink;

    Unclosed(OutputStream sink) {
        this.sink = sink;
    }

    @Override
    public void write(int value) throws IOException {
        sink.write(value);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
        sink.write(bytes, start, length);
    }
}
