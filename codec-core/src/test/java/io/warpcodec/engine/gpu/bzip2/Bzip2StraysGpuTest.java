package io.warpcodec.engine.gpu.bzip2;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks whose codes do not fall into step, which the GPU of this machine reads by a kernel of their own. */
@GpuTest
class Bzip2StraysGpuTest {
    private static final GpuStreams KIND = GpuStreams.BZIP2;
    private static final CodecOptions ON_DEVICE = KIND.options.withMode(Mode.GPU);
    private static final CodecOptions ON_CPU = KIND.options.withMode(Mode.CPU);

    private final Random random = new Random(TestSeed.value());

    @BeforeAll
    static void waitForDevices() {
        GpuStreams.startedDevices();
    }

    /** Data of which nearly all words of a code are equally long. */
    private enum Stray {
        NOISE {
            @Override
            byte[] of(byte[] noise) {
                return noise;
            }
        },
        /** Six bits a byte. */
        BASE64 {
            @Override
            byte[] of(byte[] noise) {
                return Base64.getMimeEncoder().encode(noise);
            }
        },
        /** Codes with words of seven bits and of eight. */
        TWO_HUNDRED_VALUES {
            @Override
            byte[] of(byte[] noise) {
                byte[] few = noise.clone();
                for (int i = 0; i < few.length; i++) {
                    few[i] = (byte) (Byte.toUnsignedInt(few[i]) % 200);
                }
                return few;
            }
        },
        COMPRESSED_TEXT {
            @Override
            byte[] of(byte[] noise) throws IOException {
                ByteArrayOutputStream sink = new ByteArrayOutputStream();
                try (GZIPOutputStream gzip = new GZIPOutputStream(sink)) {
                    gzip.write(GpuStreams.text(4 * noise.length, noise[0]));
                }
                return sink.toByteArray();
            }
        };

        abstract byte[] of(byte[] noise) throws IOException;
    }

    private byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        random.nextBytes(noise);
        return noise;
    }

    private static byte[] read(byte[] file, CodecOptions options) throws IOException {
        try (ChunkedInputStream in = new ChunkedInputStream(new ByteArrayInputStream(file), KIND.format, options)) {
            return in.readAllBytes();
        }
    }

    private static void checkOnDevice(byte[] file, byte[] raw, String what) throws IOException {
        long chunks = KIND.deviceChunks();
        long refused = KIND.fallbacks("block-refused");
        assertThat(Arrays.equals(read(file, ON_DEVICE), raw)).as(what).isTrue();
        assertThat(KIND.deviceChunks()).as(what).isGreaterThan(chunks);
        assertThat(KIND.fallbacks("block-refused")).as(what).isEqualTo(refused);
    }

    @ParameterizedTest
    @EnumSource
    void everyKindIsReadAtEveryLevel(Stray kind) throws IOException {
        byte[] raw = kind.of(noise(2_500_000));
        for (int level : new int[] {1, 5, 9}) {
            checkOnDevice(Bzip2ByCommons.file(raw, level), raw, kind + " at level " + level);
        }
    }

    /** A block leaves its chain after some dozens of such groups: before that, at that, and later. */
    @ParameterizedTest
    @ValueSource(ints = {50, 1000, 1650, 1700, 2000, 5000, 20_000, 99_980})
    void everyLengthIsRead(int bytes) throws IOException {
        byte[] raw = noise(bytes);
        checkOnDevice(Bzip2ByCommons.file(raw, 9), raw, bytes + " bytes");
    }

    /** The chain leaves anywhere in a block, and codes of one block differ. */
    @Test
    void textAndNoiseInOneBlockAreRead() throws IOException {
        byte[] raw = GpuStreams.text(9_000_000, TestSeed.value());
        for (int at = 0; at < raw.length; at += 1 + random.nextInt(400_000)) {
            byte[] part = noise(Math.min(raw.length - at, random.nextInt(60_000)));
            System.arraycopy(part, 0, raw, at, part.length);
        }
        checkOnDevice(Bzip2ByCommons.file(raw, 9), raw, "seed " + TestSeed.value());
    }

    /** What is damaged ends as it does on the CPU. */
    @Test
    void damageIsFoundAsOnTheCpu() throws IOException {
        byte[] file = Bzip2ByCommons.file(noise(180_000), 1);
        for (int round = 0; round < 60; round++) {
            byte[] damaged = file.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                damaged[4 + random.nextInt(file.length - 4)] ^= (byte) (1 << random.nextInt(8));
            }
            assertThat(outcome(damaged, ON_DEVICE))
                    .as("seed %d, round %d", TestSeed.value(), round)
                    .isEqualTo(outcome(damaged, ON_CPU));
        }
    }

    private static String outcome(byte[] file, CodecOptions options) {
        try {
            return "hash " + Arrays.hashCode(read(file, options));
        } catch (IOException refused) {
            return "refused";
        }
    }
}
