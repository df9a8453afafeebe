package io.warpcodec.cli.file.publish;

import java.io.IOException;
import java.io.OutputStream;

/** An output that takes bytes at once and cannot take them back: standard output, a device, a pipe. */
public final class DirectOutput extends PendingOutput {

    private final OutputStream sink;
    private final boolean closesSink;

    /**
     * @param name what messages call it
     * @param closesSink whether the sink is closed with it; standard output is not
     */
    public DirectOutput(String name, OutputStream sink, boolean closesSink) {
        super(name);
        this.sink = sink;
        this.closesSink = closesSink;
    }

    @Override
    void writeBytes(byte[] bytes, int start, int length) throws IOException {
        sink.write(bytes, start, length);
    }

    @Override
    public void flush() throws IOException {
        sink.flush();
    }

    @Override
    void makeDurable(Condition last) throws IOException {
        last.require();
        sink.flush();
        discard();
    }

    @Override
    void discard() throws IOException {
        if (closesSink) {
            sink.close();
        }
    }
}
