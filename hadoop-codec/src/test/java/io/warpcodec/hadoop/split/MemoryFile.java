package io.warpcodec.hadoop.split;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;

/** A file in memory that seeks like one of Hadoop's. */
final class MemoryFile extends ByteArrayInputStream implements Seekable, PositionedReadable {
    MemoryFile(byte[] file) {
        super(file);
    }

    @Override
    public void seek(long target) throws IOException {
        if (target < 0 || target > count) {
            throw new EOFException("seek to " + target + " of " + count);
        }
        pos = (int) target;
    }

    @Override
    public long getPos() {
        return pos;
    }

    @Override
    public boolean seekToNewSource(long target) {
        return false;
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) {
        int bytes = Math.min(length, count - (int) position);
        if (bytes <= 0) {
            return -1;
        }
        System.arraycopy(buf, (int) position, buffer, offset, bytes);
        return bytes;
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length) throws IOException {
        if (read(position, buffer, offset, length) < length) {
            throw new EOFException();
        }
    }

    @Override
    public void readFully(long position, byte[] buffer) throws IOException {
        readFully(position, buffer, 0, buffer.length);
    }
}
