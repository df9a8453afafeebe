package io.warpcodec.engine.gpu.bzip2;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.bzip2.Bzip2Expansion;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.ChunkSample;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks whose runs make them longer than their text, which the GPU of this machine expands in longer slots. */
@GpuTest
class Bzip2LongBlocksGpuTest {
    private static final GpuStreams KIND = GpuStreams.BZIP2;
    private static final CodecOptions ON_DEVICE = KIND.options.withMode(Mode.GPU);

    private final Random random = new Random(TestSeed.value());

    @BeforeAll
    static void waitForDevices() {
        GpuStreams.startedDevices();
    }

    /** Runs of four bytes to so many, of letters at random. */
    private byte[] runs(int bytes, int longest) {
        byte[] raw = new byte[bytes];
        for (int at = 0; at < bytes; ) {
            int limit = Math.min(bytes, at + 4 + random.nextInt(longest - 3));
            Arrays.fill(raw, at, limit, (byte) ('a' + random.nextInt(26)));
            at = limit;
        }
        return raw;
    }

    private static byte[] read(byte[] file) throws IOException {
        try (ChunkedInputStream in = new ChunkedInputStream(new ByteArrayInputStream(file), KIND.format, ON_DEVICE)) {
            return in.readAllBytes();
        }
    }

    /** Blocks of 1.2, 2.2, 4.1 and 24 MB at level 9: the last fit no slot. */
    @ParameterizedTest
    @ValueSource(ints = {9, 20, 42, 259})
    void blocksOfEveryLengthAreRead(int longest) throws IOException {
        byte[] raw = runs(40_000_000, longest);
        byte[] file = Bzip2ByCommons.file(raw, 9);
        for (int turn = 0; turn < 3; turn++) {
            long chunks = KIND.deviceChunks();
            long refused = KIND.fallbacks("block-refused");
            assertThat(Arrays.equals(read(file), raw)).isTrue();
            assertThat(KIND.deviceChunks()).isGreaterThan(chunks);
            assertThat(KIND.fallbacks("block-refused")).isEqualTo(refused);
        }
    }

    @Test
    void theDeviceExpandsThemOnceTheirLengthIsKnown() throws IOException {
        byte[] raw = runs(2_000_000, 16);
        ChunkSample sample =
                ChunkSample.of(KIND, Bzip2ByCommons.file(raw, 9), ON_DEVICE).get(0);
        boolean expandedByTheHost = true;
        for (int turn = 0; turn < 7; turn++) {
            try (Batch<DecodedChunk> batch = Engines.selector()
                    .accelerator()
                    .decode(Format.BZIP2, ON_DEVICE, List.of(sample.chunk(sample.bytes())))) {
                DecodedChunk done = batch.take(0);
                assertThat(done.status()).isEqualTo(DecodedChunk.Status.DONE);
                assertThat(done.rawBytes()).isGreaterThan(1 << 20);
                expandedByTheHost = done.source() instanceof Bzip2Expansion;
                done.release();
            }
        }
        assertThat(expandedByTheHost).isFalse();
    }
}
