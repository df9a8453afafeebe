package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.format.Container;
import io.warpcodec.format.SkippableFrames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each format has one container, which recognises its own files and no others. */
class ContainersTest {
    private static final int SKIPPABLE_MAGIC = 0x184d_2a5b;
    private static final int ZSTD_MAGIC = 0xfd2f_b528;

    private static ByteBuffer head(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer head(String latin1) {
        return head(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static ByteBuffer words(int... values) {
        ByteBuffer words = head(new byte[Integer.BYTES * values.length]);
        for (int value : values) {
            words.putInt(value);
        }
        return words.clear().order(ByteOrder.LITTLE_ENDIAN);
    }

    private static List<Format> recognising(ByteBuffer head) {
        return Containers.ALL.stream()
                .filter(container -> container.isRecognised(head))
                .map(Container::format)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aContainerRecognisesWhatItsFormatWritesAndNoOtherDoes(Format format) throws IOException {
        byte[] file = new StreamRig(format, CodecOptions.DEFAULTS).write(StreamRig.text(1000, 1));
        Container container = Containers.of(format);
        assertThat(container.format()).isEqualTo(format);
        if (format == Format.SNAPPY || format == Format.ZLIB) {
            assertThat(recognising(head(file))).isEmpty();
            assertThat(container.isPossible(head(file))).isEqualTo(format == Format.ZLIB);
        } else {
            assertThat(recognising(head(file))).containsExactly(format);
        }
    }

    @Test
    void aBzip2HeadHasALevelAndAMagic() {
        assertThat(recognising(head("BZh11AY&SY"))).containsExactly(Format.BZIP2);
        assertThat(recognising(head("BZh9\u0017rE8P\u0090"))).containsExactly(Format.BZIP2);
        assertThat(recognising(head("BZh01AY&SY"))).isEmpty();
        assertThat(recognising(head("BZh:1AY&SY"))).isEmpty();
        assertThat(recognising(head("BZh11AY&SZ"))).isEmpty();
        assertThat(recognising(head("BZh11AY&S"))).isEmpty();
    }

    @Test
    void skippableFramesAreSteppedOver() {
        assertThat(recognising(words(SKIPPABLE_MAGIC, 4, 7, ZSTD_MAGIC, 0))).containsExactly(Format.ZSTD);
        assertThat(recognising(words(SKIPPABLE_MAGIC, 8, 7, ZSTD_MAGIC, 0))).isEmpty();
        // lengths are unsigned: this one leads behind the head, not in front of it
        assertThat(SkippableFrames.end(words(SKIPPABLE_MAGIC, -16, ZSTD_MAGIC, ZSTD_MAGIC)))
                .isEqualTo(16);
        assertThat(SkippableFrames.end(words(SKIPPABLE_MAGIC, 0, SKIPPABLE_MAGIC, 0, ZSTD_MAGIC)))
                .isEqualTo(16);
    }

    @Test
    void aZlibHeadIsAMultipleOf31WithoutADictionary() {
        Container zlib = Containers.of(Format.ZLIB);
        assertThat(zlib.isPossible(head("\u0078\u009c"))).isTrue();
        assertThat(zlib.isPossible(head("\u0078\u009d"))).isFalse();
        // a preset dictionary, which no file has; the header's own sum is right
        assertThat(zlib.isPossible(head("\u0078\u00bb"))).isFalse();
        assertThat(zlib.isPossible(head("\u0078"))).isFalse();
    }
}
