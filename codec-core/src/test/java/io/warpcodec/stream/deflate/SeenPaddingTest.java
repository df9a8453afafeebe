package io.warpcodec.stream.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reader of gzip that has seen the zeros behind the last member when a chunk near the front goes back. */
class SeenPaddingTest {
    private static final CodecOptions SMALL_CHUNKS = CodecOptions.DEFAULTS.withChunkBytes(16 << 10);

    /** Works ahead, and has no room for the first chunk of the file. */
    private static final class FirstChunkNeedsOutput extends ForwardingEngine {
        @Override
        public boolean isAsynchronous() {
            return true;
        }

        @Override
        public int batchesInFlight(Format format) {
            return 4;
        }

        @Override
        public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
            Batch<DecodedChunk> batch = super.decode(format, options, chunks);
            boolean first = !chunks.isEmpty() && chunks.get(0).offset() == 0;
            return new Batch<>() {
                @Override
                public int size() {
                    return batch.size();
                }

                @Override
                public DecodedChunk take(int index) throws IOException {
                    return first && index == 0
                            ? DecodedChunk.failed(DecodedChunk.Status.NEEDS_OUTPUT, "made up")
                            : batch.take(index);
                }

                @Override
                public void close() {
                    batch.close();
                }
            };
        }
    }

    /** A source that has bytes at hand even at its end, as those of Hadoop's remote file systems say. */
    private static ChunkedInputStream open(Format format, byte[] file) {
        return new ChunkedInputStream(
                new ByteArrayInputStream(file) {
                    @Override
                    public synchronized int available() {
                        return Math.max(1, super.available());
                    }
                },
                format,
                SMALL_CHUNKS);
    }

    /**
     * Zeros behind the last member say that no other follows; a reader that has seen them and goes back must forget it.
     */
    @Test
    void paddingThatWasSeenIsForgotten() throws IOException {
        byte[] raw = StreamRig.text(200_000, 3);
        Engines.installAccelerator(new FirstChunkNeedsOutput());
        byte[] file = new StreamRig(Format.GZIP, SMALL_CHUNKS).write(raw);
        try (ChunkedInputStream in = open(Format.GZIP, StreamRig.concat(file, new byte[500]))) {
            assertThat(in.readAllBytes()).isEqualTo(raw);
        }
    }
}
