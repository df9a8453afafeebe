package io.warpcodec.cli.input;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that tells when bytes have been read. */
public final class WatchedInput extends FilterInputStream {
    private final Runnable watcher;

    /** @param watcher is run after each read, on the thread that reads */
    public WatchedInput(InputStream source, Runnable watcher) {
        super(source);
        this.watcher = watcher;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        watcher.run();
        return value;
    }

    @Override
    public int read(byte[] target, int start, int length) throws IOException {
        int count = super.read(target, start, length);
        watcher.run();
        return count;
    }
}
