package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Encodes pushed bytes on the caller's thread: the body of a bare Compressor, in the manner of
 * {@link java.util.zip.Deflater}. Input is taken over at {@link #setInput}; {@link #encode} hands out what is
 * compressed.
 *
 * <p>An exception is final until {@link #reset}. One thread at a time uses it; any thread may {@link #close} it,
 * without waiting: a call that is going on gives the memory back when it leaves.
 */
public final class PushEncoder {
    private final Format format;
    private CodecOptions options;
    private final LeakCleaner abandoned = new LeakCleaner();
    private final CallGuard calls = new CallGuard(this::release);
    private ChunkWriter writer;
    private final Pending pending = new Pending();
    private byte[] input;
    private int inputStart;
    private int inputLeft;
    private boolean finishAsked;
    private boolean finishWritten;
    private long bytesRead;
    private long bytesWritten;

    /** Compressed bytes not yet handed out. */
    private static final class Pending extends OutputStream {
        private static final byte[] NONE = new byte[0];
        private static final int KEPT_BYTES = 64 << 10;
        private byte[] bytes = NONE;
        private int start;
        private int limit;

        @Override
        public void write(int value) {
            reserve(1);
            bytes[limit++] = (byte) value;
        }

        @Override
        public void write(byte[] source, int from, int length) {
            reserve(length);
            System.arraycopy(source, from, bytes, limit, length);
            limit += length;
        }

        private void reserve(int more) {
            if (limit + more <= bytes.length) {
                return;
            }
            int held = limit - start;
            byte[] target = held + more <= bytes.length
                    ? bytes
                    : new byte[Math.max(1024, Math.max(held + more, bytes.length * 2))];
            System.arraycopy(bytes, start, target, 0, held);
            bytes = target;
            start = 0;
            limit = held;
        }

        int take(byte[] target, int at, int length) {
            int count = Math.min(length, limit - start);
            System.arraycopy(bytes, start, target, at, count);
            start += count;
            if (start == limit) {
                start = 0;
                limit = 0;
            }
            return count;
        }

        boolean isEmpty() {
            return start == limit;
        }

        void clear() {
            start = 0;
            limit = 0;
            if (bytes.length > KEPT_BYTES) {
                bytes = NONE;
            }
        }
    }

    /** Takes no memory before the first input. */
    public PushEncoder(Format format, CodecOptions options) {
        this.format = format;
        this.options = options;
    }

    /** Forgets everything and goes on with these settings; returns false as {@link #reset()} does. */
    public boolean reset(CodecOptions value) {
        return calls.tryRun(() -> {
            release();
            if (!value.equals(options)) {
                options = value;
                writer = null;
            }
        });
    }

    /** Hands over input; the array must not change until {@link #needsInput}. Counted at once. */
    public void setInput(byte[] array, int start, int length) {
        input = array;
        inputStart = start;
        inputLeft = length;
        bytesRead += length;
    }

    /** Whether the caller may overwrite its array and give more. */
    public boolean needsInput() {
        return inputLeft == 0 && pending.isEmpty() && !finishAsked;
    }

    /** No more input follows. */
    public void finish() {
        finishAsked = true;
    }

    /** Whether everything, trailer included, was handed out. */
    public boolean finished() {
        return finishWritten && pending.isEmpty();
    }

    /** Raw bytes given since the last reset. */
    public long bytesRead() {
        return bytesRead;
    }

    /** Compressed bytes handed out since the last reset. */
    public long bytesWritten() {
        return bytesWritten;
    }

    /**
     * Hands out compressed bytes.
     *
     * @return bytes written; 0 means more input is needed, the output has no space, or all is finished
     * @throws IOException if this or an earlier call has failed, or the encoder is closed
     */
    public int encode(byte[] target, int start, int length) throws IOException {
        return length == 0 ? 0 : calls.run(() -> next(target, start, length));
    }

    private int next(byte[] target, int start, int length) throws IOException {
        if (writer != null) {
            writer.requireGood();
        }
        if (pending.isEmpty() && inputLeft > 0) {
            writer().write(input, inputStart, inputLeft, pending);
            inputLeft = 0;
        }
        if (pending.isEmpty() && finishAsked && !finishWritten) {
            writer().finish(pending);
            finishWritten = true;
        }
        int count = pending.take(target, start, length);
        bytesWritten += count;
        return count;
    }

    private ChunkWriter writer() {
        if (writer == null) {
            writer = new ChunkWriter(
                    format,
                    options,
                    abandoned.watched(this, Engines.selector(), options),
                    Containers.of(format).bareAssembler(options));
            abandoned.releasedBy(writer::reset);
        }
        return writer;
    }

    /**
     * Ready for a new stream, after anything; gives all memory back but a small buffer.
     *
     * @return false if that cannot be: it is closed, or another thread is inside a call
     */
    public boolean reset() {
        return calls.tryRun(this::release);
    }

    private void release() {
        if (writer != null) {
            writer.reset();
        }
        pending.clear();
        input = null;
        inputLeft = 0;
        finishAsked = false;
        finishWritten = false;
        bytesRead = 0;
        bytesWritten = 0;
    }

    /** Gives all memory back for good. Idempotent. */
    public void close() {
        if (calls.close() == CallGuard.Close.CALLER_RELEASES) {
            release();
        }
    }
}
