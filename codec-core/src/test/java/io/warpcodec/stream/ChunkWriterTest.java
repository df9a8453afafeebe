package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.ForwardingBatch;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.Metrics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a writer holds while an engine works for it, and what it counts. */
class ChunkWriterTest {
    private static final CodecOptions SMALL_CHUNKS = CodecOptions.DEFAULTS.withChunkBytes(16 << 10);

    private final Lending engine = new Lending();

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
    }

    private void install() {
        Engines.installAccelerator(engine);
        Engines.install(Engines.selector().withCpu(engine.cpu));
    }

    /**
     * An engine that works by itself and counts what is lent beside it: write buffers, and the bodies of encoded
     * chunks.
     */
    private static final class Lending extends ForwardingEngine {
        private final List<Integer> lent = new ArrayList<>();
        private int buffers;
        private int bodies;
        private int encoded;
        private int batches;
        private boolean lying;

        @Override
        public boolean isAsynchronous() {
            return true;
        }

        private final LendingEngine cpu = new ForwardingEngine() {
            @Override
            public Lease lease(int bytes, String owner) {
                buffers++;
                lent.add(bytes);
                return new Lease(ByteBuffer.allocate(bytes), owner, () -> buffers--);
            }
        };

        @Override
        public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
            Batch<EncodedChunk> batch = super.encode(format, options, chunks);
            batches++;
            return new ForwardingBatch<>(batch) {
                @Override
                public void close() {
                    batches--;
                    super.close();
                }

                @Override
                public EncodedChunk take(int index) throws IOException {
                    EncodedChunk chunk = super.take(index);
                    encoded++;
                    bodies++;
                    if (lying) {
                        int middle = chunk.body().limit() / 2;
                        chunk.body().put(middle, (byte) ~chunk.body().get(middle));
                    }
                    return new EncodedChunk(
                            chunk.body(),
                            chunk.bodyBits(),
                            chunk.rawBytes(),
                            chunk.checksum(),
                            chunk.checksums(),
                            () -> {
                                bodies--;
                                chunk.release().run();
                            });
                }
            };
        }
    }

    @Test
    void behindAFullBufferTheNextOneIsAsLargeAtOnce() throws IOException {
        install();
        byte[] raw = StreamRig.text(3 << 20, 9);
        try (ChunkedOutputStream out = new ChunkedOutputStream(
                OutputStream.nullOutputStream(), Format.LZ4, SMALL_CHUNKS.withFraming(Framing.SPARK))) {
            for (int at = 0; at < raw.length; at += 1 << 10) {
                out.write(raw, at, 1 << 10);
            }
        }
        int whole = 16 * SMALL_CHUNKS.chunkBytes(Format.LZ4);
        assertThat(engine.lent).as("doubled until the first is full").startsWith(4 << 10, 8 << 10, 16 << 10);
        int firstWhole = engine.lent.indexOf(whole);
        assertThat(engine.lent.subList(firstWhole, engine.lent.size()))
                .hasSize(12)
                .containsOnly(whole);
        assertThat(engine.buffers).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aResetGivesBackTheBufferThatIsBeingEncoded(Format format) throws IOException {
        install();
        PushEncoder encoder = new PushEncoder(format, SMALL_CHUNKS);
        byte[] raw = StreamRig.noise(1_200_000, 7);
        for (int round = 0; engine.batches == 0 && round < 20; round++) {
            encoder.setInput(raw, 0, raw.length);
            encoder.encode(new byte[10], 0, 10);
        }
        assertThat(engine.batches).as("batches in flight").isPositive();
        encoder.reset();
        assertThat(engine.buffers).isZero();
        assertThat(engine.bodies).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BZIP2")
    void whatDoesNotHoldIsGivenBackAndEncodedAgain(Format format) throws IOException {
        install();
        engine.lying = true;
        byte[] raw = StreamRig.text(100_000, 9);
        long before = Metrics.counter("fallback.encode." + format.word() + ".verify-mismatch")
                .sum();
        byte[] file = new StreamRig(format, SMALL_CHUNKS.withVerifyWrites(1)).write(raw);
        assertThat(Metrics.counter("fallback.encode." + format.word() + ".verify-mismatch")
                                .sum()
                        - before)
                .isEqualTo(engine.encoded)
                .isPositive();
        assertThat(engine.bodies).as("encoded chunks not given back").isZero();
        assertThat(engine.buffers).as("buffers not given back").isZero();
        Engines.installAccelerator(null);
        try (InputStream in = new ChunkedInputStream(new ByteArrayInputStream(file), format, SMALL_CHUNKS)) {
            assertThat(Arrays.equals(in.readAllBytes(), raw)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachStreamThatIsFinishedIsCountedOnce(Format format) throws IOException {
        String name = "encode." + format.word() + ".streams";
        long before = Metrics.counter(name).sum();
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        ChunkWriter writer = new ChunkWriter(
                format, SMALL_CHUNKS, Engines.selector(), Containers.of(format).assembler(SMALL_CHUNKS));
        for (int stream = 0; stream < 2; stream++) {
            byte[] raw = StreamRig.text(40_000, stream);
            writer.write(raw, 0, raw.length, sink);
            writer.finish(sink);
        }
        assertThat(Metrics.counter(name).sum() - before).isEqualTo(2);
    }

    /** Opened and not yet closed, at most, while so much is written. */
    private int mostBatches(CodecOptions options, boolean crowded, int rawBytes) throws IOException {
        return mostBatches(options, crowded, true, rawBytes);
    }

    /**
     * @param early whether the engine works by itself before the stream is opened, and not only from its first batch on
     */
    private int mostBatches(CodecOptions options, boolean crowded, boolean early, int rawBytes) throws IOException {
        int[] open = new int[2];
        boolean[] working = {early};
        Engines.installAccelerator(new ForwardingEngine() {
            @Override
            public boolean isAsynchronous() {
                return working[0];
            }

            @Override
            public boolean isCrowded() {
                return crowded;
            }

            @Override
            public Batch<EncodedChunk> encode(Format format, CodecOptions asked, List<Chunk> chunks) {
                working[0] = true;
                open[1] = Math.max(open[1], ++open[0]);
                Batch<EncodedChunk> batch = super.encode(format, asked, chunks);
                return new ForwardingBatch<>(batch) {
                    @Override
                    public void close() {
                        open[0]--;
                        super.close();
                    }
                };
            }
        });
        byte[] raw = StreamRig.text(rawBytes, 5);
        StreamRig rig = new StreamRig(Format.SNAPPY, options);
        assertThat(rig.read(rig.write(raw))).isEqualTo(raw);
        return open[1];
    }

    /** One more while it is submitted. */
    @Test
    void twoBatchesOfAFileAreInFlightWhileABufferFillsAndOneWhereMemoryIsScarce() throws IOException {
        CodecOptions file = CodecOptions.DEFAULTS.withFraming(Framing.HADOOP);
        assertThat(mostBatches(file, false, 24 << 20)).isEqualTo(3);
        assertThat(mostBatches(file, true, 24 << 20)).isEqualTo(2);
        assertThat(mostBatches(file, false, (8 << 20) - 1))
                .as("buffers of 4 MiB")
                .isEqualTo(2);
    }

    @Test
    void aStreamThatWasOpenedBeforeTheEngineWorkedByItselfKeepsLittleInFlight() throws IOException {
        CodecOptions file = CodecOptions.DEFAULTS.withFraming(Framing.HADOOP);
        assertThat(mostBatches(file, false, false, 4 << 20)).isEqualTo(2);
    }

    @Test
    void aShufflesStreamKeepsLittleInFlight() throws IOException {
        CodecOptions shuffle = CodecOptions.DEFAULTS.withFraming(Framing.SPARK).withChunkBytes(32 << 10);
        assertThat(mostBatches(shuffle, false, 4 << 20)).isEqualTo(2);
    }
}
