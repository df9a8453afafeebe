package io.warpcodec.stream.lz4;

import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.cut;
import static io.warpcodec.stream.StreamRig.flipped;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.SizedOptions;
import io.warpcodec.forge.Lz4Forge;
import io.warpcodec.format.checksum.XxHash32;
import io.warpcodec.format.lz4.Lz4BlockHeader;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.jpountz.lz4.LZ4BlockInputStream;
import net.jpountz.lz4.LZ4BlockOutputStream;
import org.junit.jupiter.api.Test;

class Lz4BlockStreamTest {
    private static final CodecOptions SPARK =
            CodecOptions.DEFAULTS.withFraming(Framing.SPARK).withChunkBytes(32 << 10);
    private static final StreamRig RIG = new StreamRig(Format.LZ4, SPARK);
    private static final int TOKEN_RAW_32_KIB = 0x15;
    private static final int TOKEN_LZ4_32_KIB = 0x25;

    private static byte[] theirs(byte[] raw, int blockBytes) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (LZ4BlockOutputStream out = new LZ4BlockOutputStream(sink, blockBytes)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    private static byte[] readByLz4Java(byte[] file) throws IOException {
        return new LZ4BlockInputStream(new ByteArrayInputStream(file), false).readAllBytes();
    }

    private static byte[] block(int token, int bodyBytes, int rawBytes, int checksum, byte[] body) {
        return new Lz4Forge()
                .put("LZ4Block".getBytes(StandardCharsets.US_ASCII))
                .u8(token)
                .le32(bodyBytes)
                .le32(rawBytes)
                .le32(checksum)
                .put(body)
                .toArray();
    }

    private static byte[] end() {
        return block(TOKEN_RAW_32_KIB, 0, 0, 0, new byte[0]);
    }

    private static int checksum(byte[] raw) {
        XxHash32 hash = new XxHash32(Lz4BlockHeader.CHECKSUM_SEED);
        hash.update(raw, 0, raw.length);
        return Lz4BlockHeader.checksum(hash.value());
    }

    private static void assertCorrupt(byte[] file, String reason) {
        assertThatThrownBy(() -> RIG.read(file))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void bothWaysWithLz4Java() throws IOException {
        for (int size : new int[] {0, 1, 32767, 32768, 32769, 262_144, 700_000}) {
            for (byte[] raw : new byte[][] {text(size, size), noise(size, size), new byte[size]}) {
                for (int blockBytes : new int[] {1024, 32 << 10, 40_000, 1 << 20}) {
                    byte[] ours = new StreamRig(Format.LZ4, SPARK.withChunkBytes(blockBytes)).write(raw);
                    byte[] theirs = theirs(raw, blockBytes);
                    assertThat(readByLz4Java(concat(ours, theirs, ours))).isEqualTo(concat(raw, raw, raw));
                    assertThat(RIG.read(concat(ours, theirs, ours))).isEqualTo(concat(raw, raw, raw));
                }
            }
        }
    }

    @Test
    void theBytesAreThoseOfLz4Java() throws IOException {
        for (int blockBytes : new int[] {1024, 1025, 32 << 10, 1 << 20}) {
            byte[] raw = concat(text(100_000, 1), noise(100_000, 2));
            assertThat(new StreamRig(Format.LZ4, SPARK.withChunkBytes(blockBytes)).write(raw))
                    .isEqualTo(theirs(raw, blockBytes));
        }
    }

    @Test
    void blocksOverTheOutputBudgetAreStreamed() throws IOException {
        byte[] raw = text(5 << 20, 1);
        StreamRig tight = new StreamRig(Format.LZ4, SizedOptions.withOutputBudgetBytes(SPARK, 1 << 20));
        assertThat(tight.read(theirs(raw, 8 << 20))).isEqualTo(raw);
    }

    @Test
    void bytesArriveAndLeaveOneAtATime() throws IOException {
        byte[] raw = text(5000, 9);
        byte[] file = concat(theirs(raw, 1024), RIG.write(raw));
        assertThat(RIG.read(file, 1, 1)).isEqualTo(concat(raw, raw));
        assertThat(RIG.push(file, 1, 1)).isEqualTo(concat(raw, raw));
        assertThat(RIG.push(file, 1000, 7)).isEqualTo(concat(raw, raw));
    }

    @Test
    void everyTruncationIsAnEofException() throws IOException {
        byte[] one = RIG.write(text(500, 1));
        byte[] file = concat(one, theirs(text(1500, 2), 1024));
        for (int bytes = 1; bytes < file.length; bytes++) {
            byte[] part = cut(file, bytes);
            if (bytes != one.length) {
                assertThatThrownBy(() -> RIG.read(part)).as("cut at %d", bytes).isInstanceOf(EOFException.class);
            }
        }
        assertThat(RIG.read(new byte[0])).isEmpty();
    }

    @Test
    void everyFlippedBitIsNoticedOrHarmless() throws IOException {
        byte[] raw = text(500, 1);
        byte[] file = RIG.write(raw);
        for (int bit = 0; bit < file.length * 8; bit++) {
            byte[] got;
            try {
                got = RIG.read(flipped(file, bit));
            } catch (IOException expected) {
                assertThat(expected).isInstanceOfAny(CorruptDataException.class, EOFException.class);
                continue;
            }
            // a level that allows more changes nothing
            assertThat(got).as("bit %d", bit).isEqualTo(raw);
        }
    }

    @Test
    void headersAgainstTheRulesAreRefused() throws IOException {
        byte[] raw = text(100, 1);
        int sum = checksum(raw);
        assertThat(RIG.read(concat(block(TOKEN_RAW_32_KIB, 100, 100, sum, raw), end())))
                .isEqualTo(raw);
        assertCorrupt(concat(block(TOKEN_RAW_32_KIB, 100, 100, sum + 1, raw), end()), "the checksum is wrong");
        assertCorrupt(concat(block(0x35, 100, 100, sum, raw), end()), "the method is");
        assertCorrupt(concat(block(TOKEN_RAW_32_KIB, 99, 100, sum, raw), end()), "claims 99 bytes");
        assertCorrupt(concat(block(TOKEN_LZ4_32_KIB, 0, 100, sum, raw), end()), "claims 0 bytes");
        assertCorrupt(concat(block(TOKEN_LZ4_32_KIB, -1, 100, sum, raw), end()), "claims 4294967295 bytes");
        assertCorrupt(concat(block(TOKEN_LZ4_32_KIB, 100, -1, sum, raw), end()), "over its level");
        assertCorrupt(concat(block(TOKEN_RAW_32_KIB, 32769, 32769, sum, raw), end()), "over its level");
        assertCorrupt(block(TOKEN_RAW_32_KIB, 0, 0, 1, new byte[0]), "the end mark has a checksum");
        assertCorrupt(block(0x2f, 0, 0, 0, new byte[0]), "the end mark has the method 32");
        assertCorrupt(
                concat(block(TOKEN_RAW_32_KIB, 100, 100, sum, raw), block(0x25, 0, 0, 0, new byte[0])),
                "the end mark has the method 32");
        assertCorrupt("LZ4Blocks are not all that is in here".getBytes(StandardCharsets.US_ASCII), "");
        assertCorrupt(
                "nothing of the kind, but long enough".getBytes(StandardCharsets.US_ASCII),
                "the magic is not LZ4Block");
        byte[] shorter = Lz4Forge.block(cut(raw, 99));
        assertCorrupt(concat(block(TOKEN_LZ4_32_KIB, shorter.length, 100, sum, shorter), end()), "less than");
        byte[] longer = Lz4Forge.block(text(101, 1));
        assertCorrupt(concat(block(TOKEN_LZ4_32_KIB, longer.length, 100, sum, longer), end()), "invalid or decodes");
        assertCorrupt(
                concat(RIG.write(raw), "nothing of the kind, but long".getBytes(StandardCharsets.US_ASCII)),
                "the magic is not LZ4Block");
    }

    @Test
    void aBadBlockInTheMiddleIsFoundAfterEverythingBeforeIt() throws IOException {
        byte[] raw = text(10_000, 1);
        byte[] file = theirs(raw, 1024);
        int at = file.length / 2;
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        assertThatThrownBy(() -> {
                    try (ChunkedInputStream in = new ChunkedInputStream(
                            new ByteArrayInputStream(flipped(file, 8 * at)), Format.LZ4, SPARK)) {
                        in.transferTo(got);
                    }
                })
                .isInstanceOf(CorruptDataException.class);
        assertThat(got.size()).isBetween(3 * 1024, 7 * 1024);
        assertThat(got.toByteArray()).isEqualTo(cut(raw, got.size()));
    }
}
