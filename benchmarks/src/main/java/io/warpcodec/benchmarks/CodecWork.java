package io.warpcodec.benchmarks;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.ByteBufferReadable;

/**
 * What one thread does: goes over the same file again and again, 64 KiB of raw bytes at each {@link #step}. A file that
 * ends is closed and opened anew inside the step, as a task that takes its next split would. Not thread-safe.
 */
public abstract class CodecWork {
    /** Raw bytes of one step. */
    public static final int OPERATION_BYTES = 64 << 10;

    /** Goes on by {@link #OPERATION_BYTES} raw bytes. */
    public abstract void step() throws IOException;

    /** Drops the stream in work. */
    public abstract void stop() throws IOException;

    /** Reads a compressed file with reads of a given size. */
    public static final class Reading extends CodecWork {
        private final StreamCodec codec;
        private final byte[] file;
        private final ByteBuffer buffer;
        private InputStream stream;

        /** @param bufferBytes size of one read */
        public Reading(StreamCodec codec, byte[] file, int bufferBytes) {
            this(codec, file, ByteBuffer.allocate(bufferBytes));
        }

        /** @param buffer takes one read; a direct one is for streams of codecs that are {@link ByteBufferReadable} */
        public Reading(StreamCodec codec, byte[] file, ByteBuffer buffer) {
            this.codec = codec;
            this.file = file;
            this.buffer = buffer;
        }

        @Override
        public void step() throws IOException {
            int left = OPERATION_BYTES;
            while (left > 0) {
                if (stream == null) {
                    stream = codec.decompress(new ByteArrayInputStream(file));
                }
                int count = read(Math.min(buffer.capacity(), left));
                if (count < 0) {
                    stop();
                } else {
                    left -= count;
                }
            }
        }

        private int read(int bytes) throws IOException {
            return buffer.hasArray()
                    ? stream.read(buffer.array(), 0, bytes)
                    : ((ByteBufferReadable) stream).read(buffer.clear().limit(bytes));
        }

        @Override
        public void stop() throws IOException {
            if (stream != null) {
                stream.close();
                stream = null;
            }
        }
    }

    /** Writes the raw bytes with writes of a given size; the compressed ones are thrown away. */
    public static final class Writing extends CodecWork {
        private final StreamCodec codec;
        private final byte[] raw;
        private final int bufferBytes;
        private OutputStream stream;
        private int position;

        /** @param bufferBytes size of one write */
        public Writing(StreamCodec codec, byte[] raw, int bufferBytes) {
            this.codec = codec;
            this.raw = raw;
            this.bufferBytes = bufferBytes;
        }

        @Override
        public void step() throws IOException {
            if (stream == null) {
                stream = codec.compress(OutputStream.nullOutputStream());
                position = 0;
            }
            int limit = position + OPERATION_BYTES;
            while (position < limit) {
                int count = Math.min(bufferBytes, limit - position);
                stream.write(raw, position, count);
                position += count;
            }
            if (position == raw.length) {
                stop();
            }
        }

        @Override
        public void stop() throws IOException {
            if (stream != null) {
                stream.close();
                stream = null;
            }
        }
    }

    /** Copies from one array to another, both its own and larger than its share of a processor's cache. */
    public static final class Copying extends CodecWork {
        /** Of each array. */
        public static final int ARRAY_BYTES = 16 << 20;

        private final byte[] source = new byte[ARRAY_BYTES];
        private final byte[] target = new byte[ARRAY_BYTES];
        private int position;

        @Override
        public void step() {
            System.arraycopy(source, position, target, position, OPERATION_BYTES);
            position = (position + OPERATION_BYTES) % ARRAY_BYTES;
        }

        @Override
        public void stop() {}
    }

    /**
     * Raw bytes to work on, a multiple of {@link #OPERATION_BYTES}.
     *
     * @param file again and again; TPC-H's lineitem if empty; a {@link DataKind} if it is the word of one
     * @param bytes at most, of lineitem at least
     */
    public static byte[] raw(String file, int bytes) throws IOException {
        if (file.isEmpty()) {
            return TpchText.lineitem(bytes);
        }
        DataKind kind = DataKind.of(file);
        byte[] source = kind == null ? Files.readAllBytes(Path.of(file)) : kind.bytes(bytes);
        byte[] filled = new byte[bytes / OPERATION_BYTES * OPERATION_BYTES];
        for (int at = 0; at < filled.length; at += source.length) {
            System.arraycopy(source, 0, filled, at, Math.min(source.length, filled.length - at));
        }
        return filled;
    }

    /** The whole of the raw bytes as this codec writes them. */
    public static byte[] compress(StreamCodec codec, byte[] raw) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream(raw.length / 2);
        try (OutputStream stream = codec.compress(file)) {
            for (int at = 0; at < raw.length; at += OPERATION_BYTES) {
                stream.write(raw, at, OPERATION_BYTES);
            }
        }
        return file.toByteArray();
    }

    /**
     * Decodes a whole file and compares it with the raw bytes by length and CRC-32.
     *
     * @throws IOException if they differ
     */
    public static void verify(StreamCodec codec, byte[] file, byte[] raw) throws IOException {
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[OPERATION_BYTES];
        long bytes = 0;
        try (InputStream stream = codec.decompress(new ByteArrayInputStream(file))) {
            for (int count; (count = stream.read(buffer)) >= 0; bytes += count) {
                crc.update(buffer, 0, count);
            }
        }
        CRC32 expected = new CRC32();
        expected.update(raw);
        if (bytes != raw.length || crc.getValue() != expected.getValue()) {
            throw new IOException("decoded to " + bytes + " bytes with CRC-32 " + Long.toHexString(crc.getValue())
                    + ", not " + raw.length + " with " + Long.toHexString(expected.getValue()));
        }
    }
}
