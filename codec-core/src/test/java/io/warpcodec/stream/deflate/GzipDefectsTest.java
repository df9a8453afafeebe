package io.warpcodec.stream.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/**
 * What is wrong with a gzip file is said in the same words, and with the same offset, by a stream that decodes it and
 * by the index scan.
 */
class GzipDefectsTest {
    private static final byte[] MEMBER = member();
    private static final String IN_MEMBER = "corrupt gzip data at offset 0: in the member that starts here, ";

    private static byte[] member() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write("a text".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return out.toByteArray();
    }

    private static byte[] with(int index, int value) {
        byte[] bad = MEMBER.clone();
        bad[index < 0 ? bad.length + index : index] = (byte) value;
        return bad;
    }

    private static byte[] followedBy(int... bytes) {
        byte[] file = Arrays.copyOf(MEMBER, MEMBER.length + bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            file[MEMBER.length + i] = (byte) bytes[i];
        }
        return file;
    }

    private static void assertSaid(byte[] file, String message) {
        assertThat(catchThrowable(
                        () -> new ChunkedInputStream(new ByteArrayInputStream(file), Format.GZIP, CodecOptions.DEFAULTS)
                                .readAllBytes()))
                .as("the stream")
                .hasMessage(message);
        assertThat(catchThrowable(() -> new CpuEngine()
                        .scanForSeekPoints(
                                CodecOptions.DEFAULTS, new ByteArrayInputStream(file), (point, window) -> {})))
                .as("the index scan")
                .hasMessage(message);
    }

    @Test
    void ofTheHeader() {
        assertSaid(with(2, 9), IN_MEMBER + "the compression method is 9, not 8");
        assertSaid(with(3, 0x20), IN_MEMBER + "reserved header flags are set");
        byte[] sum = {0x1f, (byte) 0x8b, 8, 2, 0, 0, 0, 0, 0, 0, 1, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        assertSaid(sum, IN_MEMBER + "the header's CRC16 is wrong");
    }

    @Test
    void ofTheTrailer() {
        assertSaid(with(-5, ~MEMBER[MEMBER.length - 5]), IN_MEMBER + "the CRC32 is wrong");
        assertSaid(with(-1, 1), IN_MEMBER + "ISIZE is wrong");
    }

    @Test
    void ofWhatIsNoMember() {
        String none = "corrupt gzip data at offset 0: not a gzip member: it does not start with 1f 8b";
        assertSaid(with(0, 0x1e), none);
        assertSaid(with(1, 0x8c), none);
        assertSaid(new byte[] {0x1f, 0x41}, none);
        assertSaid(new byte[0], "truncated gzip data at offset 0: no gzip member at all");
    }

    @Test
    void ofWhatFollowsTheLastMember() {
        String after = "corrupt gzip data at offset %d: bytes after the last member";
        assertSaid(followedBy(7), after.formatted(MEMBER.length));
        assertSaid(followedBy(0x1f, 7), after.formatted(MEMBER.length));
        assertSaid(followedBy(0, 0, 0x1f, 0x8b), after.formatted(MEMBER.length + 2));
    }

    @Test
    void ofCutMembers() {
        String within = "truncated gzip data at offset %d: the stream ends inside a member's %s";
        assertSaid(Arrays.copyOf(MEMBER, 9), within.formatted(9, "header"));
        assertSaid(Arrays.copyOf(MEMBER, 13), within.formatted(13, "DEFLATE data"));
        assertSaid(Arrays.copyOf(MEMBER, MEMBER.length - 1), within.formatted(MEMBER.length - 1, "trailer"));
        assertSaid(followedBy(0x1f), within.formatted(MEMBER.length + 1, "header"));
    }
}
