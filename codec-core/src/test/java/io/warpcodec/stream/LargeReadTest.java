package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads that are large enough for chunks to be decoded straight into the caller's array. */
class LargeReadTest {
    private static final CodecOptions SMALL_CHUNKS = CodecOptions.DEFAULTS.withChunkBytes(20_000);
    private static final byte CANARY = 0x5c;

    private final byte[] raw = StreamRig.text(300_000, 1);

    @ParameterizedTest
    @EnumSource(Format.class)
    void readsLargerThanChunksTouchOnlyTheirRange(Format format) throws IOException {
        byte[] file = new StreamRig(format, SMALL_CHUNKS).write(raw);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream();
        try (InputStream stream = new ChunkedInputStream(new ByteArrayInputStream(file), format, SMALL_CHUNKS)) {
            while (true) {
                byte[] array = new byte[70_000];
                Arrays.fill(array, CANARY);
                int count = stream.read(array, 7, 65_000);
                assertThat(Arrays.copyOf(array, 7)).containsOnly(CANARY);
                assertThat(Arrays.copyOfRange(array, 65_007, array.length)).containsOnly(CANARY);
                if (count < 0) {
                    break;
                }
                decoded.write(array, 7, count);
            }
        }
        assertThat(decoded.toByteArray()).isEqualTo(raw);
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void readsLargeAndSmallInTurnGiveTheBytesInOrder(Format format) throws IOException {
        byte[] file = new StreamRig(format, SMALL_CHUNKS).write(raw);
        byte[] decoded = new byte[raw.length];
        int at = 0;
        try (InputStream stream = new ChunkedInputStream(new ByteArrayInputStream(file), format, SMALL_CHUNKS)) {
            for (int turn = 0; at < raw.length; turn++) {
                int wanted = Math.min(raw.length - at, turn % 2 == 0 ? 30_000 : 777);
                int count = stream.read(decoded, at, wanted);
                assertThat(count).isPositive();
                at += count;
            }
            assertThat(stream.read()).isEqualTo(-1);
        }
        assertThat(decoded).isEqualTo(raw);
    }
}
