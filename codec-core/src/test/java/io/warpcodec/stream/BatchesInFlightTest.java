package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.ForwardingBatch;
import io.warpcodec.engine.ForwardingEngine;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream keeps as many batches in flight as its engine asks for. */
class BatchesInFlightTest {
    private static final CodecOptions SMALL_CHUNKS = CodecOptions.DEFAULTS.withChunkBytes(64 << 10);

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void asManyAsTheEngineAsksForAreOpenAtOnce(int wanted) throws IOException {
        // a batch is 4 MiB: enough for six of them
        byte[] raw = StreamRig.text(24 << 20, wanted);
        byte[] file = new StreamRig(Format.LZ4, SMALL_CHUNKS).write(raw);
        Counting engine = new Counting(wanted);
        Engines.installAccelerator(engine);
        assertThat(new StreamRig(Format.LZ4, SMALL_CHUNKS).read(file)).isEqualTo(raw);
        assertThat(engine.mostOpen).isEqualTo(wanted);
        assertThat(engine.open).isZero();
    }

    /** Counts open batches, and leaves the work to the CPU engine. */
    private static final class Counting extends ForwardingEngine {
        private final int wanted;
        private int open;
        private int mostOpen;

        Counting(int wanted) {
            this.wanted = wanted;
        }

        @Override
        public boolean isAsynchronous() {
            return true;
        }

        @Override
        public int batchesInFlight(Format format) {
            return wanted;
        }

        @Override
        public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
            Batch<DecodedChunk> batch = super.decode(format, options, chunks);
            open++;
            mostOpen = Math.max(mostOpen, open);
            return new ForwardingBatch<>(batch) {
                private boolean closed;

                @Override
                public void close() {
                    super.close();
                    open -= closed ? 0 : 1;
                    closed = true;
                }
            };
        }
    }
}
