package io.warpcodec.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FormatDetectorTest {

    private static final int[] SKIPPABLE_OF_3_BYTES = {0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9};
    private static final int[] ZSTD = {0x28, 0xb5, 0x2f, 0xfd, 0};
    private static final int[] LZ4 = {0x04, 0x22, 0x4d, 0x18, 0x60};

    private static Format detect(String name, int[]... parts) throws IOException {
        int length = 0;
        for (int[] part : parts) {
            length += part.length;
        }
        byte[] bytes = new byte[length];
        int at = 0;
        for (int[] part : parts) {
            for (int value : part) {
                bytes[at++] = (byte) value;
            }
        }
        ByteArrayInputStream source = new ByteArrayInputStream(bytes);
        Format format = FormatDetector.detect(source, name);
        assertThat(source.available()).as("set back to the start").isEqualTo(length);
        return format;
    }

    @Test
    void magicNumberWinsOverTheName() throws IOException {
        assertThat(detect("a.gz", ZSTD)).isEqualTo(Format.ZSTD);
        assertThat(detect("a.zst", LZ4)).isEqualTo(Format.LZ4);
        assertThat(detect("a.snappy", new int[] {0x1f, 0x8b, 8, 0})).isEqualTo(Format.GZIP);
        assertThat(detect("a", new int[] {'B', 'Z', 'h', '9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59}))
                .isEqualTo(Format.BZIP2);
        assertThat(detect("a", new int[] {'B', 'Z', 'h', '1', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90}))
                .isEqualTo(Format.BZIP2);
    }

    @Test
    void frameBehindSkippableFramesTells() throws IOException {
        assertThat(detect("a", SKIPPABLE_OF_3_BYTES, SKIPPABLE_OF_3_BYTES, ZSTD))
                .isEqualTo(Format.ZSTD);
        assertThat(detect("a", SKIPPABLE_OF_3_BYTES, LZ4)).isEqualTo(Format.LZ4);
        assertThat(detect("a.lz4", SKIPPABLE_OF_3_BYTES)).isEqualTo(Format.LZ4);
        assertThat(detect("a", SKIPPABLE_OF_3_BYTES)).isNull();
    }

    @Test
    void nameTellsWhereTheContentHasNoMagic() throws IOException {
        int[] text = "BZhello, this is text".chars().toArray();
        assertThat(detect("a.snappy", text)).isEqualTo(Format.SNAPPY);
        assertThat(detect("a.bz2", text)).isEqualTo(Format.BZIP2);
        assertThat(detect("a.txt", text)).isNull();
        assertThat(detect("a.lz4", new int[0])).isEqualTo(Format.LZ4);
        assertThat(detect("a", new int[0])).isNull();
    }

    @Test
    void zlibHeaderCountsOnlyWhereTheNameSaysNothing() throws IOException {
        int[] zlib = {0x78, 0x9c, 3, 0};
        assertThat(detect("a", zlib)).isEqualTo(Format.ZLIB);
        assertThat(detect("a.snappy", zlib)).isEqualTo(Format.SNAPPY);
        assertThat(detect("a", new int[] {'x', 'y', 'z'})).isNull();
    }

    @Test
    void whatOnlyLooksLikeAFormatIsNone() throws IOException {
        int[] levelZero = {'B', 'Z', 'h', '0', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
        assertThat(detect("a", levelZero)).isNull();
        // a header that needs a dictionary, with a right check
        assertThat(detect("a", new int[] {0x78, 0x20, 3, 0})).isNull();
    }

    @Test
    @Timeout(
            value = 300,
            threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a size taken for negative leads back for ever
    void aSkippableFrameOfFourGigabytesHasNothingBehindIt() throws IOException {
        int[] longest = {0x50, 0x2a, 0x4d, 0x18, 0xf8, 0xff, 0xff, 0xff};
        assertThat(detect("a", longest, ZSTD)).isNull();
        assertThat(detect("a.lz4", longest, ZSTD)).isEqualTo(Format.LZ4);
    }
}
