package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.stream.unit.ChunkReader;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.SourceWindows;
import io.warpcodec.stream.unit.UnitReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;

/**
 * Decodes a whole compressed stream, or one split of a file. Nothing is read, and no memory taken, before the first
 * read. Concatenated members and frames are read to the end of the source. -1 and errors are sticky.
 *
 * <p>A truncated stream is an {@link java.io.EOFException}, a bad one a {@link io.warpcodec.CorruptDataException};
 * bytes before the damage are delivered first.
 *
 * <p>One thread at a time reads, which may change between calls; a second one gets an IOException. Any thread may
 * close the stream at any moment, and does not wait for a read. If another thread is inside a read, that thread gives
 * the buffers back and closes the source when it leaves, and the read throws an IOException: what a source gives
 * while it is being closed may be another file's. A source from which that read still waits for bytes after a second
 * is closed under it, which ends the read.
 */
public final class ChunkedInputStream extends InputStream {
    private final GuardedSource source;
    private final Format format;
    private final CodecOptions options;
    private final SplitRange split;
    private final LeakCleaner abandoned = new LeakCleaner();
    private EngineSelector engines;
    private UnitReader reader;
    private ByteBuffer bytes;
    private boolean started;
    private IOException startFailure;
    private boolean ended;
    private final CallGuard calls = new CallGuard(this::releaseAndClose);
    private long position;
    private boolean bytesMovePosition;
    private long bytesUnitOffset;
    private byte[] one;

    /** Decodes a stream from where the source stands. */
    public ChunkedInputStream(InputStream source, Format format, CodecOptions options) {
        this(source, format, options, null);
    }

    /**
     * Decodes the units that belong to one split, and whatever follows as long as it is asked for.
     *
     * @param split the range of the file and the way to seek in it; null for the whole stream
     */
    public ChunkedInputStream(InputStream source, Format format, CodecOptions options, SplitRange split) {
        this.source = new GuardedSource(Objects.requireNonNull(source, "source"));
        this.format = format;
        this.options = options;
        this.split = split;
    }

    /**
     * The position of the last byte handed out, as Hadoop's line readers expect it: the offset of the sync point that
     * owns the byte, plus one; 0 in the first unit of a file. Before the first read, the offset where reading starts.
     *
     * @throws IOException if finding the start of the split fails
     */
    public long position() throws IOException {
        if (!started && split != null && split.start() > 0 && !calls.isClosed()) {
            calls.run(() -> {
                start();
                return 1;
            });
        }
        return position;
    }

    @Override
    public int read() throws IOException {
        if (one == null) {
            one = new byte[1];
        }
        int count = read(one, 0, 1);
        return count < 0 ? -1 : one[0] & 0xff;
    }

    /** Reads decoded bytes; in a split, bytes of one unit only. */
    @Override
    public int read(byte[] target, int start, int length) throws IOException {
        Objects.checkFromIndexSize(start, length, target.length);
        return calls.run(() -> length == 0 ? 0 : next(target, start, length));
    }

    /**
     * Reads decoded bytes into a buffer's remaining space, from its position on, which moves; in a split, bytes of
     * one unit only. What a device decoded is copied straight there, also if the buffer is direct.
     *
     * @return how many bytes; 0 if the buffer has no space left, -1 at the end
     * @throws java.nio.ReadOnlyBufferException if the buffer cannot be written; nothing is read then
     */
    public int read(ByteBuffer target) throws IOException {
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        return calls.run(() -> target.hasRemaining() ? next(target) : 0);
    }

    private int next(byte[] target, int start, int length) throws IOException {
        if (bytes == null || !bytes.hasRemaining()) {
            int count = advance(ByteBuffer.wrap(target, start, length).slice());
            if (count != 0) {
                return count;
            }
        }
        int count = beginTaking(length);
        bytes.get(target, start, count);
        return count;
    }

    private int next(ByteBuffer target) throws IOException {
        if (bytes == null || !bytes.hasRemaining()) {
            int count = advance(target.slice());
            if (count != 0) {
                target.position(target.position() + Math.max(0, count));
                return count;
            }
        }
        int count = beginTaking(target.remaining());
        target.put(bytes.slice(bytes.position(), count));
        bytes.position(bytes.position() + count);
        return count;
    }

    /**
     * Goes on to the next decoded bytes.
     *
     * @param into the caller's memory, which they may lie in
     * @return how many lie there from its start; 0 if there are some and {@link #bytes} holds them, -1 at the end
     */
    private int advance(ByteBuffer into) throws IOException {
        if (!started) {
            start();
        }
        while (!ended) {
            bytes = null;
            switch (reader.advance(into)) {
                case BYTES -> {
                    bytes = reader.bytes();
                    bytesMovePosition = reader.unitMovesPosition();
                    bytesUnitOffset = reader.unitOffset();
                    int count = bytes.remaining();
                    if (count > 0 && !reader.bytesInTarget()) {
                        return 0;
                    }
                    bytes = null;
                    if (count > 0) {
                        movePosition();
                        return count;
                    }
                }
                case UNIT_END -> {
                    // the next unit follows
                }
                case END, NEEDS_INPUT -> {
                    ended = true;
                    reader.close();
                }
            }
        }
        return -1;
    }

    /** How many of the bytes at hand a caller with so much space gets, now. */
    private int beginTaking(int space) {
        movePosition();
        return Math.min(space, bytes.remaining());
    }

    private void movePosition() {
        if (bytesMovePosition) {
            position = bytesUnitOffset == 0 ? 0 : bytesUnitOffset + 1;
        }
    }

    /** Decoded bytes that can be read without working; never throws for the data's sake. */
    @Override
    public int available() {
        ByteBuffer decoded = bytes;
        return decoded == null ? 0 : decoded.remaining();
    }

    private void start() throws IOException {
        if (startFailure != null) {
            throw startFailure;
        }
        try {
            open();
            started = true;
        } catch (IOException failed) {
            startFailure = failed;
            throw failed;
        }
    }

    private void open() throws IOException {
        engines = abandoned.watched(this, Engines.selector(), options);
        Scanner scanner = Containers.of(format).scanner(options);
        SyncPoints syncPoints = split == null ? null : Containers.of(format).syncPoints();
        long offset = 0;
        if (split != null && split.start() > 0) {
            if (syncPoints == null || !fileHasSyncPoints(syncPoints)) {
                if (!openIndexed()) {
                    nothing();
                }
                return;
            }
            split.seek(split.start());
            offset = split.start();
        } else if (split != null) {
            split.seek(0);
            // with no sync points the first split reads all, and its position stays 0
            if (syncPoints != null && split.end() < Long.MAX_VALUE) {
                boolean has = fileHasSyncPoints(syncPoints);
                if (!has && openIndexed()) {
                    return;
                }
                split.seek(0);
                syncPoints = has ? syncPoints : null;
            }
        }
        SourceWindow window = SourceWindows.decoding(source, offset, format, engines, options);
        if (split != null && split.end() < Long.MAX_VALUE) {
            window.expectTo(split.end());
        }
        if (offset > 0) {
            ScannerState state = seek(syncPoints, window);
            if (state == null) {
                nothing();
                return;
            }
            scanner.restore(state);
            position = window.offset();
        }
        reader = new ChunkReader(
                format, options, engines, window, scanner, syncPoints, split == null ? Long.MAX_VALUE : split.end());
        abandoned.releasedBy(reader::close);
    }

    /** Moves the window to the first sync point of the split; null if it has none, and the window is released. */
    private ScannerState seek(SyncPoints syncPoints, SourceWindow window) throws IOException {
        ScannerState state = null;
        try {
            state = syncPoints.seek(window, split.end());
        } finally {
            if (state == null) {
                window.release();
            }
        }
        return state;
    }

    /**
     * Begins at the first point of an index in this split, if the file has such an index and it can be used.
     *
     * @return whether the index is used, also where the split owns none of its points
     */
    private boolean openIndexed() throws IOException {
        if (split.index() == null || format == Format.GZIP && !options.index()) {
            return false;
        }
        SplitIndex.Points indexed = split.index().open(split, source);
        if (indexed == null) {
            return false;
        }
        if (indexed.isEmpty()) {
            nothing();
            return true;
        }
        reader = indexed.read(options, engines, windows(split, source, format, engines, options));
        position = indexed.offset();
        abandoned.releasedBy(reader::close);
        return true;
    }

    /** Windows anywhere in the file. They know nothing of this stream, which must be free to be abandoned. */
    private static SplitIndex.Windows windows(
            SplitRange split, InputStream source, Format format, EngineSelector engines, CodecOptions options) {
        return offset -> {
            split.seek(offset);
            return SourceWindows.decoding(source, offset, format, engines, options);
        };
    }

    private boolean fileHasSyncPoints(SyncPoints syncPoints) throws IOException {
        split.seek(0);
        byte[] head = source.readNBytes(syncPoints.headBytes());
        return StreamStatistics.fileHasSyncPoints(syncPoints, head, engines, options);
    }

    /** This split owns nothing: its position lies behind its end, so that readers stop at once. */
    private void nothing() {
        ended = true;
        position = split.end() == Long.MAX_VALUE ? split.end() : split.end() + 1;
    }

    /**
     * Forgets all that was read ahead and starts a new stream at the source's next byte: for readers that swap the
     * buffer behind the source. Only for streams that are not a split. Nothing happens to a closed stream.
     *
     * @throws IOException if another thread is inside a read
     */
    public void restart() throws IOException {
        boolean done = calls.tryRun(() -> {
            release();
            reader = null;
            started = false;
            startFailure = null;
            ended = false;
            position = 0;
        });
        if (!done && !calls.isClosed()) {
            throw new IOException("stream is in use by another thread");
        }
    }

    private void release() {
        bytes = null;
        if (reader != null) {
            reader.close();
        }
    }

    private void releaseAndClose() throws IOException {
        try (source) {
            release();
        }
    }

    /**
     * Gives everything back and closes the source, whatever fails, or lets the read that is going on do so.
     * Idempotent. Never waits by itself.
     */
    @Override
    public void close() throws IOException {
        switch (calls.close()) {
            case CALLER_RELEASES -> releaseAndClose();
            case CALL_RELEASES -> source.refuse();
            case CLOSED_BEFORE -> {
                // there is nothing to do
            }
        }
    }
}
