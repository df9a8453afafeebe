package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.SizedOptions;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.stream.LyingFile.Container;
import io.warpcodec.stream.LyingFile.Lie;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A reader that has cut a stream to its end when a chunk near the front proves to be no chunk. */
class GoingBackTest {
    private static final int UNITS = 20;
    private static final int UNIT_RAW_BYTES = 2000;

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
    }

    /** An engine that works ahead, so that the reader cuts ahead; the raw bytes of the largest batch. */
    private static final class Ahead extends ForwardingEngine {
        private long mostRawBytes;

        @Override
        public boolean isAsynchronous() {
            return true;
        }

        @Override
        public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
            long rawBytes = chunks.stream().mapToLong(Chunk::rawBytes).sum();
            mostRawBytes = Math.max(mostRawBytes, rawBytes);
            return super.decode(format, options, chunks);
        }
    }

    /** A file whose stream says that something is at hand even at its end, as those of remote file systems do. */
    private static InputStream file(byte[] bytes) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int available() {
                return 1;
            }
        };
    }

    private static ChunkedInputStream open(LyingFile lying, byte[] bytes) {
        return new ChunkedInputStream(file(bytes), lying.format(), lying.options());
    }

    private static LyingFile lyingNearTheFront(Container container) throws IOException {
        Engines.installAccelerator(new Ahead());
        return container.file(UNITS, UNIT_RAW_BYTES, Lie.TWO_UNITS, index -> index == 2);
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "BGZF", "LZ4", "HADOOP_LZ4"})
    void theEndOfTheStreamIsForgotten(Container container) throws IOException {
        LyingFile lying = lyingNearTheFront(container);
        try (InputStream in = open(lying, lying.bytes())) {
            byte[] got = in.readAllBytes();
            assertThat(got.length).isEqualTo(lying.raw().length);
            assertThat(Arrays.mismatch(got, lying.raw())).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "BGZF", "LZ4", "HADOOP_LZ4"})
    void aDamagedTailIsReportedBehindAllThatIsBeforeIt(Container container) throws IOException {
        LyingFile lying = lyingNearTheFront(container);
        // in Hadoop's framing a negative size
        byte[] damaged = StreamRig.concat(lying.bytes(), new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1});
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        try (InputStream in = open(lying, damaged)) {
            assertThatThrownBy(() -> in.transferTo(got)).isInstanceOf(CorruptDataException.class);
        }
        assertThat(got.size()).isEqualTo(lying.raw().length);
        assertThat(Arrays.mismatch(got.toByteArray(), lying.raw())).isEqualTo(-1);
    }

    /** Of a file that compresses 100 to 1 a batch is as large as its raw bytes, not as its compressed ones. */
    @Test
    void aBatchIsBoundedByWhatItDecodesTo() throws IOException {
        Ahead engine = new Ahead();
        int chunkBytes = 64 << 10;
        CodecOptions options =
                SizedOptions.withReadAheadBytes(CodecOptions.DEFAULTS.withChunkBytes(chunkBytes), 1 << 20);
        byte[] raw = new byte[6 << 20];
        byte[] file = new StreamRig(Format.GZIP, options).write(raw);
        assertThat(file.length).isLessThan(raw.length / 100);
        Engines.installAccelerator(engine);
        assertThat(Arrays.equals(new StreamRig(Format.GZIP, options).read(file), raw))
                .isTrue();
        assertThat(engine.mostRawBytes).isBetween((long) chunkBytes, options.readAheadBytes() + (long) chunkBytes);
    }
}
