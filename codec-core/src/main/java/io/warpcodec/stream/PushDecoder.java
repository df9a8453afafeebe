package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.Scanner;
import io.warpcodec.stream.unit.ChunkReader;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.SourceWindows;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decodes pushed bytes, one unit at a time, on the caller's thread: the body of a bare Decompressor. It works like
 * {@link java.util.zip.Inflater}: {@link #setInput}, then {@link #decode} until it gives nothing; then exactly one of
 * {@link #finished} and {@link #needsInput} is true. After a complete stream (a member, a frame, an outer block) it
 * stops; {@link #remaining} tells how many bytes of the last input were not used, and {@link #reset} makes it ready
 * for them.
 *
 * <p>Nothing goes over a reset: what follows is judged as another file. So what belongs to no stream but may stand
 * behind one (zero padding behind a gzip member) is taken with the stream, if it lies in the same input.
 *
 * <p>One thread at a time uses it; any thread may {@link #close} it, without waiting: a call that is going on gives
 * the memory back when it leaves.
 */
public final class PushDecoder {
    /** Bytes behind a stream that tell whether it goes on. */
    private static final int TELLING_BYTES = 4;

    private final Format format;
    private final CodecOptions options;
    private final LeakCleaner abandoned = new LeakCleaner();
    private final CallGuard calls = new CallGuard(this::release);
    private final PushedInput input = new PushedInput();
    private SourceWindow window;
    private ChunkReader reader;
    private Scanner scanner;
    private ByteBuffer bytes;
    private boolean finished;
    private boolean starved = true;

    /** Takes no memory before the first input. */
    public PushDecoder(Format format, CodecOptions options) {
        this.format = format;
        this.options = options;
    }

    /**
     * Hands over input.
     *
     * @param array must not change until {@link #needsInput}
     * @param start index of its first byte
     * @param length in bytes
     */
    public void setInput(byte[] array, int start, int length) {
        input.set(array, start, length);
        starved &= length == 0;
    }

    /** Whether nothing more comes without more input. */
    public boolean needsInput() {
        return !finished && starved;
    }

    /** Whether a complete stream has been decoded and handed out. */
    public boolean finished() {
        return finished;
    }

    /** Bytes of the last input not used. */
    public int remaining() {
        SourceWindow read = window;
        int buffered = read == null ? 0 : read.buffered();
        return Math.min(input.length(), input.left() + buffered);
    }

    /**
     * Decodes into the target: as much as fits, or as the input gives. With the stream's last byte the call also
     * reads what stands behind it, so that {@link #finished} is true as soon as the end lies in the input and its
     * checksums are right.
     *
     * @param start index of the first byte to write
     * @param length most bytes to write
     * @return bytes written; 0 when finished, or when more input is needed
     * @throws IOException if the data is bad, or the decoder is closed; bytes in front of a defect are delivered by a
     *     call of their own before
     */
    public int decode(byte[] target, int start, int length) throws IOException {
        return length == 0 ? 0 : calls.run(() -> next(ByteBuffer.wrap(target, start, length)));
    }

    private int next(ByteBuffer target) throws IOException {
        if (finished || reader == null && !begin()) {
            return 0;
        }
        int count = 0;
        try {
            while (advance() && target.hasRemaining()) {
                int now = Math.min(target.remaining(), bytes.remaining());
                target.put(bytes.slice(bytes.position(), now));
                bytes.position(bytes.position() + now);
                count += now;
            }
        } catch (IOException bad) {
            // the reader's error is sticky: the next call throws it
            if (count == 0) {
                throw bad;
            }
        }
        return count;
    }

    /** Makes the reader, unless there is no input. */
    private boolean begin() {
        if (input.left() == 0) {
            starved = true;
            return false;
        }
        EngineSelector engines = abandoned.watched(this, Engines.selector(), options);
        window = SourceWindows.pushed(engines);
        scanner = Containers.of(format).pushedScanner(options);
        reader = new ChunkReader(format, options, engines, window, scanner, null, Long.MAX_VALUE);
        abandoned.releasedBy(reader::close);
        return true;
    }

    /**
     * Goes on until {@link #bytes} holds some that are not handed out.
     *
     * @return false where the stream has ended ({@link #finished}) or more input is needed
     */
    private boolean advance() throws IOException {
        while (bytes == null || !bytes.hasRemaining()) {
            bytes = null;
            switch (reader.advance()) {
                case BYTES -> bytes = reader.bytes();
                case UNIT_END -> finished = reader.endedBoundary() && !goesOn();
                case END -> finished = true;
                case NEEDS_INPUT -> {
                    starved = input.left() == 0;
                    input.moveTo(window);
                }
            }
            if (finished || starved) {
                return false;
            }
        }
        return true;
    }

    private boolean goesOn() {
        if (window.buffered() < TELLING_BYTES) {
            input.moveTo(window);
        }
        return window.buffered() > 0 && scanner.goesOn(window);
    }

    /**
     * Ready for the next stream, after anything. Gives all memory back.
     *
     * @return false if that cannot be: it is closed, or another thread is inside a call
     */
    public boolean reset() {
        return calls.tryRun(this::release);
    }

    /** Gives all memory back for good. Idempotent. */
    public void close() {
        if (calls.close() == CallGuard.Close.CALLER_RELEASES) {
            release();
        }
    }

    private void release() {
        if (reader != null) {
            reader.close();
            reader = null;
            window = null;
        }
        scanner = null;
        bytes = null;
        input.clear();
        finished = false;
        starved = true;
    }
}
