package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A chunk of ours lies whole in memory before it is delivered: where it is damaged, nothing of it comes before the exception. */
class DamagedChunkTest {
    private static final int CHUNK_BYTES = 16 << 10;
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withChunkBytes(CHUNK_BYTES);
    private static final int GZIP_HEADER_BYTES = 34;
    private static final byte[] RAW = StreamRig.text(5 * CHUNK_BYTES + 100, 12);

    private static boolean isInHeader(byte[] file, int at) {
        int member = 0;
        while (true) {
            int bytes = (file[member + 26] & 0xff) | (file[member + 27] & 0xff) << 8;
            if (at < member + bytes) {
                return at < member + GZIP_HEADER_BYTES;
            }
            member += bytes;
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"GZIP", "BZIP2", "LZ4", "ZSTD"})
    void noByteOfADamagedChunkIsDelivered(Format format) throws IOException {
        StreamRig rig = new StreamRig(format, OPTIONS);
        byte[] file = rig.write(RAW);
        Random random = new Random(5);
        int damaged = 0;
        for (int trial = 0; trial < 400; trial++) {
            byte[] bad = file.clone();
            int at = random.nextInt(file.length);
            if (format == Format.GZIP && isInHeader(file, at)) {
                // damage there makes the member another program's
                continue;
            }
            bad[at] ^= (byte) (1 << random.nextInt(8));
            ByteArrayOutputStream delivered = new ByteArrayOutputStream();
            try (ChunkedInputStream in = new ChunkedInputStream(new ByteArrayInputStream(bad), format, OPTIONS)) {
                in.transferTo(delivered);
                assertThat(Arrays.equals(delivered.toByteArray(), RAW)).isTrue();
            } catch (IOException refused) {
                damaged++;
                assertThat(Arrays.equals(delivered.toByteArray(), Arrays.copyOf(RAW, delivered.size())))
                        .as("%d bytes before %s", delivered.size(), refused)
                        .isTrue();
                assertThat(delivered.size() % CHUNK_BYTES)
                        .as("chunks before %s", refused)
                        .isZero();
            }
        }
        assertThat(damaged).isGreaterThan(300);
    }
}
