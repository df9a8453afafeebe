package io.warpcodec.stream.gzipindex;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.SplitRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;

/**
 * A gzip file in memory, with an index beside it or none, to be read in splits.
 *
 * @param index null for none
 */
public record IndexedFile(byte[] file, byte[] index) {
    /** After a seek it does not know what is at hand until it has read, as Hadoop's checksummed streams. */
    private static final class Source extends ByteArrayInputStream {
        private boolean sought;

        Source(byte[] file) {
            super(file);
        }

        void seek(long offset) {
            pos = (int) Math.min(offset, count);
            sought = true;
        }

        @Override
        public synchronized int read() {
            sought = false;
            return super.read();
        }

        @Override
        public synchronized int read(byte[] target, int start, int length) {
            sought = false;
            return super.read(target, start, length);
        }

        @Override
        public synchronized int available() {
            return sought ? 0 : super.available();
        }
    }

    record MemorySideCar(byte[] index, long fileBytes) implements SideCar {
        @Override
        public String name() {
            return "the index";
        }

        @Override
        public long indexBytes() {
            return index.length;
        }

        @Override
        public void read(long offset, byte[] target) throws IOException {
            if (offset + target.length > index.length) {
                throw new EOFException();
            }
            System.arraycopy(index, (int) offset, target, 0, target.length);
        }

        @Override
        public void close() {}
    }

    /** A split from one offset to another. */
    public ChunkedInputStream open(long start, long end, CodecOptions options) {
        return open(start, end, options, index == null ? () -> null : () -> new MemorySideCar(index, file.length));
    }

    /** A split whose index this finder looks for. */
    ChunkedInputStream open(long start, long end, CodecOptions options, SideCar.Finder finder) {
        Source source = new Source(file);
        return new ChunkedInputStream(
                source, Format.GZIP, options, new SplitRange(start, end, source::seek, finder.splitIndex()));
    }

    /** What a reader that goes by positions takes of a split. */
    public byte[] split(long start, long end, CodecOptions options) throws IOException {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        try (ChunkedInputStream in = open(start, end, options)) {
            byte[] buffer = new byte[5000];
            while (in.position() <= end) {
                int count = in.read(buffer);
                if (count < 0 || in.position() > end) {
                    break;
                }
                got.write(buffer, 0, count);
            }
        }
        return got.toByteArray();
    }
}
