package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Drained;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.Lease;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.Metrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a writer holds of an engine that works by itself, and what it counts. */
class ChunkWriterTest {
    private static final CodecOptions SMALL_CHUNKS = CodecOptions.DEFAULTS.withChunkBytes(16 << 10);

    private final AtomicInteger lent = new AtomicInteger();

    /** Lends memory for what is to be encoded and for what it encoded, and knows how much of it is out. */
    private final class Lending extends ForwardingEngine {
        private final boolean isWrong;

        Lending(boolean isWrong) {
            this.isWrong = isWrong;
        }

        @Override
        public boolean isAsynchronous() {
            return true;
        }

        @Override
        public Lease tryLease(int bytes, String owner) {
            lent.incrementAndGet();
            return new Lease(ByteBuffer.allocate(bytes), owner, lent::decrementAndGet);
        }

        @Override
        public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
            Batch<EncodedChunk> batch = super.encode(format, options, chunks);
            return new Batch<>() {
                @Override
                public int size() {
                    return batch.size();
                }

                @Override
                public EncodedChunk take(int index) throws IOException {
                    EncodedChunk right = batch.take(index);
                    lent.incrementAndGet();
                    ByteBuffer body = ByteBuffer.allocate(right.body().remaining());
                    body.put(right.body().duplicate()).flip();
                    if (isWrong) {
                        body.put(body.limit() / 2, (byte) ~body.get(body.limit() / 2));
                    }
                    return new EncodedChunk(
                            body,
                            right.bodyBits(),
                            right.rawBytes(),
                            right.checksum(),
                            right.checksums(),
                            lent::decrementAndGet);
                }

                @Override
                public void close() {
                    batch.close();
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BZIP2")
    void memoryOfWhatWasEncodedWrongGoesBack(Format format) throws IOException {
        Engines.installAccelerator(new Lending(true));
        byte[] raw = StreamRig.text(300_000, 1);
        CodecOptions verifying = SMALL_CHUNKS.withVerifyWrites(1);
        long mismatches = counted("fallback.encode." + format.word() + ".verify-mismatch");
        byte[] file = new StreamRig(format, verifying).write(raw);
        assertThat(counted("fallback.encode." + format.word() + ".verify-mismatch"))
                .isGreaterThan(mismatches);
        assertThat(lent.get()).as("leases out").isZero();
        assertThat(new StreamRig(format, SMALL_CHUNKS).read(file)).isEqualTo(raw);
    }

    /** As a pooled compressor is, when the task that had it failed. */
    @ParameterizedTest
    @EnumSource
    void anEncoderThatIsResetInTheMiddleGivesEverythingBack(Format format) throws IOException {
        Engines.installAccelerator(new Lending(false));
        byte[] raw = StreamRig.noise(3_000_000, 2);
        PushEncoder encoder = new PushEncoder(format, SMALL_CHUNKS);
        encoder.setInput(raw, 0, raw.length);
        byte[] buffer = new byte[64 << 10];
        encoder.encode(buffer, 0, buffer.length);
        assertThat(lent.get()).as("leases in the middle").isPositive();
        encoder.reset();
        Drained.await("leases of a reset encoder", lent::get);
    }

    /** The next byte behind a finished stream begins another one. */
    @ParameterizedTest
    @EnumSource
    void eachStreamOfOneWriterCountsOnce(Format format) throws IOException {
        String streams = "encode." + format.word() + ".streams";
        long before = counted(streams);
        ChunkWriter writer = new ChunkWriter(format, SMALL_CHUNKS, Engines.selector());
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        byte[] raw = StreamRig.text(100_000, 4);
        for (int stream = 1; stream <= 3; stream++) {
            writer.write(raw, 0, 50_000, sink);
            writer.write(raw, 50_000, 50_000, sink);
            writer.finish(sink);
            assertThat(counted(streams) - before).isEqualTo(stream);
        }
        writer.reset();
        assertThat(new StreamRig(format, SMALL_CHUNKS).read(sink.toByteArray()))
                .isEqualTo(StreamRig.concat(raw, raw, raw));
    }

    private static long counted(String name) {
        return Metrics.counter(name).sum();
    }
}
