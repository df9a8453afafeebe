package io.warpcodec.cli.file;

import io.warpcodec.cli.file.system.FileAttributes;
import io.warpcodec.cli.file.system.FileFacts;
import io.warpcodec.cli.file.system.FileOperations;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.stream.BulkInputStream;
import java.io.IOException;
import java.io.InputStream;

/** An input that knows its name, its size where there is one, and how far it has been read. */
public final class CountedInput extends BulkInputStream {

    /** {@link #totalBytes} of an input whose size is not known. */
    public static final long UNKNOWN = -1;

    /** What verbs read of an input at once, in bytes. */
    public static final int BUFFER_BYTES = 128 << 10;

    private final String name;
    private final InputStream source;
    private final long totalBytes;
    private final FileFacts facts;
    private final FileOperations.Opened file;
    private long offset;

    /** An input that is no regular file. */
    CountedInput(String name, InputStream source) {
        this(name, source, UNKNOWN, null, null);
    }

    /** A file, of which these are the facts when it was opened. */
    CountedInput(String name, FileOperations.Opened file, FileFacts facts) {
        this(name, file.bytes(), facts.bytes(), facts, file);
    }

    private CountedInput(
            String name, InputStream source, long totalBytes, FileFacts facts, FileOperations.Opened file) {
        this.name = name;
        this.source = source;
        this.totalBytes = totalBytes;
        this.facts = facts;
        this.file = file;
    }

    /** What the file was when it was opened; null of what is no regular file. */
    FileFacts facts() {
        return facts;
    }

    /** The attributes of the file that is open. */
    FileAttributes attributes() throws IOException {
        return file.attributes();
    }

    /** Bytes read so far. */
    public long offset() {
        return offset;
    }

    /** Size of the input, or {@link #UNKNOWN}. */
    public long totalBytes() {
        return totalBytes;
    }

    @Override
    public int read(byte[] target, int start, int length) throws IOException {
        try {
            int count = source.read(target, start, length);
            offset += Math.max(0, count);
            return count;
        } catch (IOException failure) {
            throw new FileProblem(name, offset, failure);
        }
    }

    @Override
    public long skip(long bytes) throws IOException {
        long skipped = source.skip(bytes);
        offset += skipped;
        return skipped;
    }

    /** Of an input of known size at least one byte up to its end: some file systems' streams do not say. */
    @Override
    public int available() throws IOException {
        return Math.max(source.available(), offset < totalBytes ? 1 : 0);
    }

    @Override
    public void close() throws IOException {
        try {
            source.close();
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }
}
