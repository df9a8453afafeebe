package io.warpcodec.hadoop.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputChecker;
import org.apache.hadoop.fs.Seekable;

/**
 * A file of a file system whose streams do not say what is at hand: {@link InputStream#available} stays 0, as if it
 * were a pipe, and a reader would not read ahead of its consumer, nor gather enough for a device. But a file's next
 * bytes are always there, or it ends. Not thread-safe.
 */
public final class FileInput extends FilterInputStream implements Seekable {
    private final FSDataInputStream file;
    private boolean ended;

    private FileInput(FSDataInputStream file) {
        super(file);
        this.file = file;
    }

    /**
     * The stream, which says that bytes are at hand if it is one of a file; itself where it is none, or says so by
     * itself: local ones, which may be pipes.
     */
    public static InputStream of(InputStream stream) throws IOException {
        if (!(stream instanceof FSDataInputStream file) || file.getFileDescriptor() != null) {
            return stream;
        }
        return StreamPath.innermost(file) instanceof FSInputChecker ? stream : new FileInput(file);
    }

    @Override
    public int read() throws IOException {
        int value = file.read();
        ended |= value < 0;
        return value;
    }

    @Override
    public int read(byte[] target, int start, int length) throws IOException {
        int count = file.read(target, start, length);
        ended |= count < 0;
        return count;
    }

    @Override
    public int available() throws IOException {
        int count = file.available();
        return count > 0 || ended ? count : 1;
    }

    @Override
    public void seek(long offset) throws IOException {
        file.seek(offset);
        ended = false;
    }

    @Override
    public long getPos() throws IOException {
        return file.getPos();
    }

    @Override
    public boolean seekToNewSource(long offset) throws IOException {
        return file.seekToNewSource(offset);
    }
}
