package io.warpcodec.cli.verb;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.input.DecodedSource;
import io.warpcodec.cli.input.IndexBeside;
import io.warpcodec.cli.terminal.ProgressMeter;
import io.warpcodec.stream.gzipindex.SideCar;
import io.warpcodec.stream.gzipindex.SpanInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Decompresses one input: by the index beside it, on several threads, where it has one; else as it comes. */
final class Decompression implements Transfer {

    private final Location input;
    private final CountedInput source;
    private final DecodedSource compressed;
    private final Mode mode;
    private final int threads;
    private boolean trustsIndex = true;
    /** What decodes by the index; null if nothing does. */
    private SpanInputStream spans;

    Decompression(Location input, CountedInput source, DecodedSource compressed, Mode mode, int threads) {
        this.input = input;
        this.source = source;
        this.compressed = compressed;
        this.mode = mode;
        this.threads = threads;
    }

    private InputStream content() {
        spans = mayUseIndex() ? openSpans() : null;
        return spans != null ? spans : compressed.decode(mode);
    }

    /** Devices cut a plain stream themselves. */
    private boolean mayUseIndex() {
        return trustsIndex
                && threads > 1
                && mode != Mode.GPU
                && compressed.format() == Format.GZIP
                && source.totalBytes() != CountedInput.UNKNOWN;
    }

    private SpanInputStream openSpans() {
        try {
            SideCar index = IndexBeside.of(input).open();
            return index == null
                    ? null
                    : SpanInputStream.open(input::open, index, CodecOptions.DEFAULTS.withMode(mode), threads);
        } catch (IOException unreadable) {
            // an index only makes it faster; if it is the file that cannot be read, the plain read says so
            return null;
        }
    }

    @Override
    public long doneBytes() {
        return spans != null ? spans.compressedOffset() : source.offset();
    }

    @Override
    public void mistrustIndex() {
        trustsIndex = false;
    }

    @Override
    public void run(PendingOutput sink, ProgressMeter progress) throws IOException {
        try (InputStream decoder = content()) {
            byte[] buffer = new byte[CountedInput.BUFFER_BYTES];
            for (int count; (count = decoder.read(buffer, 0, buffer.length)) >= 0; ) {
                sink.write(buffer, 0, count);
                progress.update();
            }
        }
    }
}
