package io.warpcodec.stream.lz4;

import static io.warpcodec.forge.Lz4Forge.*;
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
import io.warpcodec.SizedOptions;
import io.warpcodec.forge.Lz4Forge;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.StreamRig;
import io.warpcodec.stream.VectorFolder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class Lz4FrameStreamTest {
    private static final StreamRig RIG = new StreamRig(Format.LZ4, CodecOptions.DEFAULTS);
    private static final byte[] NOTHING = {};

    private static byte[] theirs(byte[] raw, BLOCKSIZE blockSize, FLG.Bits... bits) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (LZ4FrameOutputStream out = new LZ4FrameOutputStream(sink, blockSize, bits)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    private static byte[] theirs(byte[] raw) throws IOException {
        return theirs(raw, BLOCKSIZE.SIZE_64KB, FLG.Bits.BLOCK_INDEPENDENCE, FLG.Bits.CONTENT_CHECKSUM);
    }

    /** commons-compress is the one Java library that writes linked blocks. */
    static byte[] linked(byte[] raw) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (FramedLZ4CompressorOutputStream out = new FramedLZ4CompressorOutputStream(
                sink,
                new FramedLZ4CompressorOutputStream.Parameters(
                        FramedLZ4CompressorOutputStream.BlockSize.K64, true, true, true))) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    private static void assertCorrupt(byte[] file, String reason) {
        assertThatThrownBy(() -> RIG.read(file))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(reason);
        assertThatThrownBy(() -> RIG.push(file, 1, 100)).isInstanceOf(IOException.class);
    }

    @TestFactory
    Stream<DynamicTest> vectorsAreReadAsExpected() throws IOException {
        return new VectorFolder("lz4", Format.LZ4, CodecOptions.DEFAULTS).tests();
    }

    @Test
    void whatWeWriteIsReadByOthersAndByUs() throws IOException {
        int chunk = CodecOptions.DEFAULTS.chunkBytes(Format.LZ4);
        for (int size : new int[] {0, 1, 65535, 65536, 65537, chunk - 1, chunk, chunk + 1, 5 * chunk + 77}) {
            for (byte[] raw : new byte[][] {text(size, size), noise(size, size), new byte[size]}) {
                byte[] file = RIG.write(raw);
                assertThat(new LZ4FrameInputStream(new ByteArrayInputStream(file)).readAllBytes())
                        .isEqualTo(raw);
                assertThat(new FramedLZ4CompressorInputStream(new ByteArrayInputStream(file), true).readAllBytes())
                        .isEqualTo(raw);
                assertThat(RIG.read(file)).isEqualTo(raw);
                assertThat(RIG.push(file, 5000, 3000)).isEqualTo(raw);
            }
        }
    }

    @Test
    void whatOthersWriteIsReadByUs() throws IOException {
        for (int size : new int[] {0, 1, 65536, 65537, 700_000}) {
            for (byte[] raw : new byte[][] {text(size, size), noise(size, size), new byte[size]}) {
                for (BLOCKSIZE blockSize : BLOCKSIZE.values()) {
                    assertThat(RIG.read(theirs(raw, blockSize, FLG.Bits.BLOCK_INDEPENDENCE)))
                            .isEqualTo(raw);
                    assertThat(RIG.read(theirs(
                                    raw,
                                    blockSize,
                                    FLG.Bits.BLOCK_INDEPENDENCE,
                                    FLG.Bits.BLOCK_CHECKSUM,
                                    FLG.Bits.CONTENT_CHECKSUM)))
                            .isEqualTo(raw);
                }
                byte[] file = concat(RIG.write(raw), theirs(raw), RIG.write(raw));
                assertThat(RIG.read(file)).isEqualTo(concat(raw, raw, raw));
                assertThat(RIG.push(file, 5000, 3000)).isEqualTo(concat(raw, raw, raw));
            }
        }
    }

    @Test
    void linkedBlocksOfOthersAreReadByUs() throws IOException {
        for (byte[] half : new byte[][] {{}, {1}, noise(50_000, 5)}) {
            byte[] raw = concat(half, half, half);
            byte[] file = concat(linked(raw), RIG.write(raw), linked(raw));
            assertThat(RIG.read(file)).isEqualTo(concat(raw, raw, raw));
            assertThat(RIG.push(file, 5000, 3000)).isEqualTo(concat(raw, raw, raw));
        }
    }

    @Test
    void everyLevelAndChunkSizeRoundTrips() throws IOException {
        byte[] raw = text(300_000, 3);
        for (int level : new int[] {0, 1, 2, 3, 9, 12, 99}) {
            for (int chunkBytes : new int[] {1024, 65536, CodecOptions.MAX_CHUNK_BYTES}) {
                StreamRig rig = new StreamRig(
                        Format.LZ4, CodecOptions.DEFAULTS.withLevel(level).withChunkBytes(chunkBytes));
                assertThat(RIG.read(rig.write(raw))).isEqualTo(raw);
            }
        }
    }

    @Test
    void linkedBlocksSeeTheContentBeforeThem() throws IOException {
        byte[] first = text(65536, 1);
        byte[] again = {0x1f, 'x', 0, 0x20, 35, 0x50, '1', '2', '3', '4', '5'}; // 54 bytes from 8192 back
        byte[] file = new Lz4Forge()
                .header(VERSION_1 | CONTENT_CHECKSUM)
                .sized(block(first))
                .sized(again)
                .uncompressed(first)
                .sized(again)
                .end()
                .toArray();
        byte[] tail = new byte[60];
        tail[0] = 'x';
        System.arraycopy(first, 65536 - 8191, tail, 1, 54);
        System.arraycopy("12345".getBytes(StandardCharsets.US_ASCII), 0, tail, 55, 5);
        byte[] raw = concat(first, tail, first, tail);
        assertThat(RIG.read(new Lz4Forge().put(file).checksum(raw).toArray())).isEqualTo(raw);
        assertThat(RIG.push(new Lz4Forge().put(file).checksum(raw).toArray(), 1, 1))
                .isEqualTo(raw);
        byte[] alone = new Lz4Forge().header(VERSION_1).sized(again).end().toArray();
        assertCorrupt(alone, "an LZ4 block is invalid");
        byte[] independent = new Lz4Forge()
                .header(VERSION_1 | INDEPENDENT)
                .sized(block(first))
                .sized(again)
                .end()
                .toArray();
        assertCorrupt(independent, "an LZ4 block is invalid");
    }

    @Test
    void bytesArriveAndLeaveOneAtATime() throws IOException {
        byte[] raw = text(2000, 9);
        byte[] file = concat(theirs(raw), RIG.write(raw), linked(raw), legacy(raw));
        byte[] all = concat(raw, raw, raw, raw);
        assertThat(RIG.read(file, 1, 1)).isEqualTo(all);
        for (int feed : new int[] {1, 7}) {
            for (int room : new int[] {1, 7}) {
                assertThat(RIG.push(file, feed, room)).isEqualTo(all);
            }
        }
    }

    @Test
    void everyTruncationIsAnEofException() throws IOException {
        byte[] ours = RIG.write(text(1000, 1));
        byte[] both = concat(ours, linked(text(1000, 2)));
        for (int bytes = 1; bytes < both.length; bytes++) {
            byte[] part = cut(both, bytes);
            if (bytes != ours.length) {
                assertThatThrownBy(() -> RIG.read(part)).as("cut at %d", bytes).isInstanceOf(EOFException.class);
                assertThatThrownBy(() -> RIG.push(part, 100, 100))
                        .as("cut at %d", bytes)
                        .isInstanceOf(EOFException.class);
            }
        }
        assertThat(RIG.read(NOTHING)).isEmpty();
    }

    @Test
    void everyFlippedBitIsNoticedOrHarmless() throws IOException {
        byte[] raw = text(500, 1);
        for (byte[] file : new byte[][] {RIG.write(raw), linked(raw)}) {
            for (int bit = 0; bit < file.length * 8; bit++) {
                byte[] got;
                try {
                    got = RIG.read(flipped(file, bit));
                } catch (IOException expected) {
                    assertThat(expected).isInstanceOfAny(CorruptDataException.class, EOFException.class);
                    continue;
                }
                // the marker is not needed to read the frame; content never changes
                assertThat(got).as("bit %d", bit).isEqualTo(raw);
            }
        }
    }

    @Test
    void headersAgainstTheRulesAreRefused() throws IOException {
        byte[] block = block(text(100, 1));
        int flg = VERSION_1 | INDEPENDENT;
        assertCorrupt(frame(0x80 | INDEPENDENT, BD_64_KIB, block), "the frame version is 2");
        assertCorrupt(frame(INDEPENDENT, BD_64_KIB, block), "the frame version is 0");
        assertCorrupt(frame(flg | 2, BD_64_KIB, block), "reserved bits");
        for (int reserved : new int[] {1, 2, 4, 8, 0x80}) {
            assertCorrupt(frame(flg, BD_64_KIB | reserved, block), "reserved bits");
        }
        for (int code = 0; code < 4; code++) {
            assertCorrupt(frame(flg, code << 4, block), "the block size code is " + code);
        }
        byte[] good = frame(flg, BD_64_KIB, block);
        assertThat(RIG.read(good)).isEqualTo(text(100, 1));
        good[6]++;
        assertCorrupt(good, "the header checksum is wrong");
    }

    private static byte[] frame(int flg, int bd, byte[] block) {
        return new Lz4Forge().header(flg, bd, NOTHING).sized(block).end().toArray();
    }

    @Test
    void checksumsAreVerified() throws IOException {
        byte[] raw = text(100, 1);
        byte[] block = block(raw);
        int flg = VERSION_1 | INDEPENDENT | BLOCK_CHECKSUMS | CONTENT_CHECKSUM;
        byte[] good = new Lz4Forge()
                .header(flg)
                .sized(block)
                .checksum(block)
                .end()
                .checksum(raw)
                .toArray();
        assertThat(RIG.read(good)).isEqualTo(raw);
        assertCorrupt(flipped(good, 8 * (good.length - 1)), "the content checksum is wrong");
        assertCorrupt(flipped(good, 8 * (good.length - 9)), "a block checksum is wrong");
    }

    @Test
    void contentSizesAreVerified() throws IOException {
        byte[] raw = text(100, 1);
        for (long claimed : new long[] {99, 101, 0, Long.MIN_VALUE, -1, 1L << 40}) {
            byte[] size = new Lz4Forge().le64(claimed).toArray();
            int flg = VERSION_1 | INDEPENDENT | CONTENT_SIZE;
            for (int linked : new int[] {0, INDEPENDENT}) {
                byte[] file = new Lz4Forge()
                        .header(flg ^ linked, BD_64_KIB, size)
                        .sized(block(raw))
                        .end()
                        .toArray();
                assertThatThrownBy(() -> RIG.read(file)).isInstanceOf(CorruptDataException.class);
            }
        }
    }

    @Test
    void blocksOverTheirMaximumAreRefused() {
        int flg = VERSION_1 | INDEPENDENT;
        byte[] tooLong = noise(65537, 1);
        assertCorrupt(new Lz4Forge().header(flg).uncompressed(tooLong).end().toArray(), "over the maximum");
        assertCorrupt(new Lz4Forge().header(flg).sized(tooLong).end().toArray(), "over the maximum");
        byte[] tooMuch = block(new byte[65537]);
        assertCorrupt(new Lz4Forge().header(flg).sized(tooMuch).end().toArray(), "invalid or decodes to more");
        byte[] claims = new Lz4Forge().header(flg).le32(0x7fff_fff0).u8(1).toArray();
        assertCorrupt(claims, "over the maximum");
    }

    @Test
    void emptyBlocksAndUnknownDictionariesAreAccepted() throws IOException {
        byte[] raw = text(100, 1);
        byte[] file = new Lz4Forge()
                .header(VERSION_1 | INDEPENDENT | DICT_ID, BD_64_KIB, new byte[] {1, 2, 3, 4})
                .uncompressed(NOTHING)
                .sized(new byte[] {0})
                .sized(block(raw))
                .end()
                .toArray();
        assertThat(RIG.read(file)).isEqualTo(raw);
        assertThat(RIG.push(file, 1, 1)).isEqualTo(raw);
    }

    @Test
    void skippableFramesOfAnySizeAreSkipped() throws IOException {
        byte[] raw = text(100, 1);
        for (int nibble = 0; nibble < 16; nibble++) {
            for (int size : new int[] {0, 1, 19, 20, 24, 300_000}) {
                byte[] skippable = new Lz4Forge()
                        .le32(0x184D_2A50 | nibble)
                        .le32(size)
                        .put(noise(size, 7))
                        .toArray();
                byte[] file = concat(skippable, skippable, theirs(raw), skippable);
                assertThat(RIG.read(file)).isEqualTo(raw);
                assertThat(RIG.push(file, 999, 50)).isEqualTo(raw);
            }
        }
        byte[] cutShort =
                new Lz4Forge().le32(0x184D_2A50).le32(-1L).put(noise(100, 1)).toArray();
        assertThatThrownBy(() -> RIG.read(cutShort)).isInstanceOf(EOFException.class);
    }

    /**
     * Where a piece ends inside a block the frame goes on; where one ends with a block, what follows is another file.
     */
    @Test
    void blocksOfALegacyFrameArePushedInPiecesThatEndInsideOfThem() throws IOException {
        byte[] raw = text(2000, 9);
        byte[] file = legacy(raw, raw, raw);
        int blockBytes = (file.length - 4) / 3;
        for (int feed = 1; feed <= file.length; feed++) {
            boolean endsWithABlock = false;
            for (int block = 1; block < 3; block++) {
                endsWithABlock |= (4 + block * blockBytes) % feed == 0;
            }
            int each = feed;
            if (endsWithABlock) {
                assertThatThrownBy(() -> RIG.push(file, each, 100)).isInstanceOf(IOException.class);
            } else {
                assertThat(RIG.push(file, each, 100)).as("pieces of %d", each).isEqualTo(concat(raw, raw, raw));
            }
        }
    }

    private static byte[] legacy(byte[]... blocks) {
        Lz4Forge forge = new Lz4Forge().le32(0x184C_2102);
        for (byte[] raw : blocks) {
            forge.sized(block(raw));
        }
        return forge.toArray();
    }

    @Test
    void legacyFramesEndAtTheNextMagicOrTheEndOfTheFile() throws IOException {
        byte[] raw = text(200_000, 1);
        byte[] large = new byte[8 << 20];
        assertThat(RIG.read(legacy())).isEmpty();
        assertThat(RIG.read(legacy(large, raw))).isEqualTo(concat(large, raw));
        byte[] skippable = new Lz4Forge().le32(0x184D_2A50).le32(2).u8(0).u8(0).toArray();
        byte[] file = concat(legacy(raw), theirs(raw), legacy(raw), legacy(raw), skippable, RIG.write(raw));
        assertThat(RIG.read(file)).isEqualTo(concat(raw, raw, raw, raw, raw));
        assertThat(RIG.push(file, 5000, 5000)).isEqualTo(concat(raw, raw, raw, raw, raw));
        assertCorrupt(legacy(new byte[(8 << 20) + 1]), "invalid or decodes to more");
        byte[] emptyBlock = concat(legacy(raw), new byte[] {0, 0, 0, 0});
        assertThatThrownBy(() -> RIG.read(emptyBlock)).hasMessageContaining("neither a legacy block nor a frame");
        assertThatThrownBy(() -> RIG.push(emptyBlock, emptyBlock.length, 100)).isInstanceOf(IOException.class);
        assertCorrupt(concat(legacy(raw), theirs(raw), new byte[] {5, 0, 0, 0, 1}), "bytes after the last frame");
        byte[] cutShort = cut(legacy(raw), 1000);
        assertThatThrownBy(() -> RIG.read(cutShort)).isInstanceOf(EOFException.class);
    }

    @Test
    void bytesAfterTheLastFrameAreAnErrorAfterItsContent() throws IOException {
        byte[] raw = text(100, 1);
        for (byte[] file : new byte[][] {RIG.write(raw), theirs(raw)}) {
            for (byte[] tail : new byte[][] {{0}, new byte[100], "trailing".getBytes(StandardCharsets.US_ASCII)}) {
                try (ChunkedInputStream in = new ChunkedInputStream(
                        new ByteArrayInputStream(concat(file, tail)), Format.LZ4, CodecOptions.DEFAULTS)) {
                    assertThat(in.readNBytes(raw.length)).isEqualTo(raw);
                    assertThatThrownBy(in::read).isInstanceOf(IOException.class);
                }
            }
        }
    }

    @Test
    void offsetZeroIsZerosAsForTheLz4Tool() throws IOException {
        byte[] block = {0x1f, 'a', 0, 0, 21, 0x50, 'b', 'c', 'd', 'e', 'f'};
        byte[] zeros = new byte[46];
        zeros[0] = 'a';
        System.arraycopy("bcdef".getBytes(StandardCharsets.US_ASCII), 0, zeros, 41, 5);
        int flg = VERSION_1 | INDEPENDENT;
        assertThat(RIG.read(new Lz4Forge().header(flg).sized(block).end().toArray()))
                .isEqualTo(zeros);
        Lz4Forge covered =
                new Lz4Forge().header(flg | CONTENT_CHECKSUM).sized(block).end();
        assertThat(RIG.read(covered.checksum(zeros).toArray())).isEqualTo(zeros);
        Lz4Forge other =
                new Lz4Forge().header(flg | CONTENT_CHECKSUM).sized(block).end();
        assertCorrupt(other.checksum(new byte[46]).toArray(), "the content checksum is wrong");
    }

    @Test
    void aMarkerThatLiesChangesNothing() throws IOException {
        byte[] raw = text(700_000, 1);
        byte[] file = RIG.write(raw);
        for (int field : new int[] {4, 20, 24}) {
            for (int delta : new int[] {-1, 1, 40, 100_000}) {
                byte[] lying = file.clone();
                java.nio.ByteBuffer fields = java.nio.ByteBuffer.wrap(lying).order(java.nio.ByteOrder.LITTLE_ENDIAN);
                fields.putInt(field, fields.getInt(field) + delta);
                if (field == 4) {
                    // the skippable frame's own size: the frame behind it is lost to every reader
                    assertThatThrownBy(() -> RIG.read(lying)).isInstanceOf(IOException.class);
                } else {
                    assertThat(RIG.read(lying)).isEqualTo(raw);
                    assertThat(RIG.push(lying, 10_000, 10_000)).isEqualTo(raw);
                }
            }
        }
    }

    @Test
    void framesAreToldFromHadoopsFramingByTheirHeader() throws IOException {
        byte[] raw = Arrays.copyOf(noise(100_000, 1), 0x0422_4d18);
        byte[] inner = block(raw);
        // an outer block whose raw size reads as the frame magic: one write of 69 MB through stock Hadoop
        byte[] hadoop =
                new Lz4Forge().be32(raw.length).be32(inner.length).put(inner).toArray();
        CodecOptions ample = SizedOptions.withOutputBudgetBytes(CodecOptions.DEFAULTS, 128 << 20);
        try (ChunkedInputStream in = new ChunkedInputStream(new ByteArrayInputStream(hadoop), Format.LZ4, ample)) {
            assertThat(in.readNBytes(100_000)).isEqualTo(noise(100_000, 1));
            assertThat(in.skip(Long.MAX_VALUE)).isEqualTo(raw.length - 100_000);
        }
        assertCorrupt(
                "plain text, not lz4".getBytes(StandardCharsets.US_ASCII), "neither an LZ4 frame nor Hadoop's framing");
    }
}
