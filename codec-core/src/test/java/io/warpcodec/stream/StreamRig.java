package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;

/** One format under one set of options, driven as its users drive it: by streams, and pushed piece by piece. */
public record StreamRig(Format format, CodecOptions options) {

    /** Text that compresses about as well as logs do. */
    public static byte[] text(int bytes, long seed) {
        Random random = new Random(seed);
        byte[] text = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            text[i] = (byte) ("warp and weft \n".charAt(random.nextInt(random.nextInt(15) + 1)));
        }
        return text;
    }

    public static byte[] noise(int bytes, long seed) {
        byte[] noise = new byte[bytes];
        new Random(seed).nextBytes(noise);
        return noise;
    }

    public static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    public byte[] write(byte[] raw) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (ChunkedOutputStream out = new ChunkedOutputStream(sink, format, options)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    public byte[] read(byte[] file) throws IOException {
        try (ChunkedInputStream in = new ChunkedInputStream(new ByteArrayInputStream(file), format, options)) {
            return in.readAllBytes();
        }
    }

    /** Reads with reads of so many bytes from a source that gives so many at a time, whatever is asked. */
    public byte[] read(byte[] file, int pieceBytes, int readBytes) throws IOException {
        ByteArrayInputStream pieces = new ByteArrayInputStream(file) {
            @Override
            public synchronized int read(byte[] target, int start, int length) {
                return super.read(target, start, Math.min(length, pieceBytes));
            }
        };
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        byte[] buffer = new byte[readBytes];
        try (ChunkedInputStream in = new ChunkedInputStream(pieces, format, options)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                got.write(buffer, 0, count);
            }
        }
        return got.toByteArray();
    }

    /**
     * Pushes a file through the protocol of a bare Decompressor; what is delivered before an error goes to the sink.
     */
    public void push(byte[] file, int feedBytes, int outputBytes, OutputStream sink) throws IOException {
        PushDecoder decoder = new PushDecoder(format, options);
        byte[] buffer = new byte[outputBytes];
        int fed = 0;
        boolean fresh = true;
        while (true) {
            int count = decoder.decode(buffer, 0, buffer.length);
            sink.write(buffer, 0, count);
            if (count > 0) {
                continue;
            }
            if (decoder.finished() == decoder.needsInput()) {
                throw new AssertionError("neither or both of finished and needsInput at " + fed);
            }
            if (decoder.finished()) {
                int back = decoder.remaining();
                decoder.reset();
                fresh = true;
                if (back > 0) {
                    decoder.setInput(file, fed - back, back);
                    fresh = false;
                }
                continue;
            }
            if (fed == file.length) {
                if (!fresh) {
                    throw new TruncatedDataException(format, fed, "the input ends inside a unit");
                }
                return;
            }
            int next = Math.min(feedBytes, file.length - fed);
            decoder.setInput(file, fed, next);
            fresh = false;
            fed += next;
        }
    }

    public byte[] push(byte[] file, int feedBytes, int outputBytes) throws IOException {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        push(file, feedBytes, outputBytes, got);
        return got.toByteArray();
    }

    /** A source that a split can seek in. */
    private static final class Seekable extends ByteArrayInputStream {
        Seekable(byte[] bytes) {
            super(bytes);
        }

        void seek(long offset) {
            pos = (int) offset;
        }
    }

    /** What one split owns: everything up to the position that lies behind its end. */
    public byte[] split(byte[] file, long start, long end) throws IOException {
        return split(file, start, end, null);
    }

    /** What one split owns where an index tells where splits begin. */
    public byte[] split(byte[] file, long start, long end, SplitIndex index) throws IOException {
        Seekable source = new Seekable(file);
        ByteArrayOutputStream owned = new ByteArrayOutputStream();
        byte[] buffer = new byte[777];
        try (ChunkedInputStream in =
                new ChunkedInputStream(source, format, options, new SplitRange(start, end, source::seek, index))) {
            while (in.position() <= end) {
                int count = in.read(buffer);
                if (count < 0) {
                    break;
                }
                if (in.position() <= end) {
                    owned.write(buffer, 0, count);
                }
            }
        }
        return owned.toByteArray();
    }

    /** What all splits of so many bytes own, one behind the other. */
    public byte[] splits(byte[] file, int splitBytes) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int start = 0; start < file.length; start += splitBytes) {
            all.writeBytes(split(file, start, Math.min(file.length, start + splitBytes)));
        }
        return all.toByteArray();
    }

    public static byte[] flipped(byte[] file, int bit) {
        byte[] bad = file.clone();
        bad[bit / 8] ^= (byte) (1 << bit % 8);
        return bad;
    }

    public static byte[] cut(byte[] file, int bytes) {
        return Arrays.copyOf(file, bytes);
    }
}
