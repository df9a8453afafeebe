package io.warpcodec.hadoop.rules;

import static io.warpcodec.forge.Lz4Forge.*;

import io.warpcodec.forge.Bytes;
import io.warpcodec.forge.Lz4FrameForge;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Payloads;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The LZ4 frame and block formats, one rule each. */
class Lz4FrameRulesTest {
    private static final byte[] TEXT = Payloads.text(500, 1);
    private static final byte[] LAST = "the literals".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    private Judge judge;

    @BeforeEach
    void codec() {
        judge = new Judge(CodecUnderTest.LZ4);
    }

    private static Lz4FrameForge forge() {
        return new Lz4FrameForge();
    }

    @Test
    void everyOptionalFieldIsRead() {
        judge.reads(
                forge().with(BLOCK_CHECKSUMS | CONTENT_SIZE | CONTENT_CHECKSUM)
                        .block(TEXT)
                        .rawBlock(TEXT)
                        .build(),
                Bytes.concat(TEXT, TEXT));
    }

    @Test
    void anEmptyFrameIsRead() {
        judge.reads(forge().build(), new byte[0]);
        judge.reads(forge().with(CONTENT_SIZE | CONTENT_CHECKSUM).build(), new byte[0]);
    }

    @Test
    void framesOneAfterTheOtherAreOneFile() {
        byte[] one = forge().with(CONTENT_CHECKSUM).block(TEXT).build();
        judge.reads(Bytes.concat(one, forge().build(), one), Bytes.concat(TEXT, TEXT));
    }

    @Test
    void aFlippedMagicIsRefused() throws IOException {
        byte[] one = forge().block(TEXT).build();
        judge.refuses(Bytes.concat(one, forge().magic(MAGIC ^ 0x100).block(TEXT).build()), TEXT.length);
        judge.refuses(forge().magic(MAGIC ^ 0x100).block(TEXT).build(), 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3})
    void anotherVersionIsRefused(int version) throws IOException {
        judge.refuses(inSecondPlace(forge().without(VERSION_1).with(version << 6)), TEXT.length);
    }

    @Test
    void aReservedFlagIsRefused() throws IOException {
        judge.refuses(inSecondPlace(forge().with(RESERVED)), TEXT.length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x10, 0x20, 0x30, 0xc0, 0x41, 0x48})
    void aReservedBlockDescriptorIsRefused(int descriptor) throws IOException {
        judge.refuses(inSecondPlace(forge().blockDescriptor(descriptor)), TEXT.length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x40, 0x50, 0x60, 0x70})
    void everyBlockSizeIsRead(int descriptor) {
        judge.reads(forge().blockDescriptor(descriptor).block(TEXT).build(), TEXT);
    }

    @Test
    void aWrongHeaderChecksumIsRefused() throws IOException {
        judge.refuses(inSecondPlace(forge().headerChecksumFlip(1)), TEXT.length);
        judge.refuses(inSecondPlace(forge().headerChecksumFlip(0x80)), TEXT.length);
    }

    /** In first place a broken header makes a file that is not an LZ4 frame at all. */
    @Test
    void aFileThatStartsWithABrokenHeaderIsRefused() throws IOException {
        judge.refuses(forge().headerChecksumFlip(1).block(TEXT).build(), 0);
        judge.refuses(forge().with(RESERVED).block(TEXT).build(), 0);
        judge.refuses(forge().blockDescriptor(0x10).block(TEXT).build(), 0);
    }

    @Test
    void aWrongBlockChecksumIsRefused() throws IOException {
        judge.refuses(forge().blockChecksumFlip(1).block(TEXT).build(), 0);
        judge.refuses(forge().blockChecksumFlip(1).rawBlock(TEXT).build(), 0);
    }

    @Test
    void aWrongContentChecksumIsRefused() throws IOException {
        judge.refuses(forge().contentChecksum(1).block(TEXT).build());
    }

    @ParameterizedTest
    @ValueSource(longs = {499, 501, 0, 1L << 40, Long.MAX_VALUE, -1})
    void aWrongContentSizeIsRefused(long lie) throws IOException {
        judge.refuses(forge().contentSize(lie).block(TEXT).build());
    }

    @Test
    void aBlockAboveTheDeclaredMaximumIsRefused() throws IOException {
        byte[] big = Payloads.noise(65_537, 3);
        judge.refuses(forge().rawBlock(big).build());
        judge.refuses(forge().block(block(big).length, block(big), big).build());
        byte[] zeros = new byte[70_000];
        judge.refuses(forge().block(zeros).build());
        judge.reads(forge().blockDescriptor(0x50).block(zeros).build(), zeros);
    }

    @Test
    void aBlockSizePastTheEndIsRefused() throws IOException {
        judge.missesTheEnd(forge().block(60_000, TEXT, TEXT).noEndMark().build());
        judge.refuses(forge().block(0x7fffffff, TEXT, TEXT).build());
    }

    @Test
    void aFrameWithoutAnEndMarkIsMissingItsEnd() throws IOException {
        judge.missesTheEnd(forge().block(TEXT).noEndMark().build());
    }

    @Test
    void aMatchBeforeTheStartIsRefused() throws IOException {
        byte[] block = matchBlock(new byte[] {'a', 'b', 'c', 'd'}, 5, LAST);
        judge.refuses(forge().block(block.length, block, TEXT).build(), 0);
    }

    /** The block format forbids it, every reference decoder takes it: never memory that was there before. */
    @Test
    void aMatchDistanceOfZeroMakesZeros() {
        byte[] block = matchBlock(new byte[] {'a', 'b', 'c', 'd'}, 0, LAST);
        byte[] raw = Bytes.concat(new byte[] {'a', 'b', 'c', 'd', 0, 0, 0, 0}, LAST);
        judge.reads(forge().block(block.length, block, raw).build(), raw);
    }

    @Test
    void aMatchIntoTheBlockBeforeIsReadWhereBlocksAreLinkedAndRefusedWhereTheyAreNot() throws IOException {
        byte[] last = Arrays.copyOf(LAST, 12);
        byte[] block = matchBlock(new byte[] {'x'}, 101, last);
        byte[] raw = Bytes.concat(new byte[] {'x'}, Arrays.copyOfRange(TEXT, 400, 404), last);
        judge.reads(
                forge().without(INDEPENDENT)
                        .with(CONTENT_CHECKSUM)
                        .block(TEXT)
                        .block(block.length, block, raw)
                        .build(),
                Bytes.concat(TEXT, raw));
        judge.refuses(forge().block(TEXT).block(block.length, block, raw).build());
    }

    @Test
    void anEmptyCompressedBlockIsRefused() throws IOException {
        judge.refuses(
                forge().block(3, new byte[] {(byte) 0xf0, (byte) 0xff, 0}, TEXT).build(), 0);
    }

    @Test
    void skippableFramesAreSkippedWhereverTheyAre() {
        byte[] one = forge().block(TEXT).build();
        for (int nibble = 0; nibble < 16; nibble++) {
            byte[] note = skippable(nibble, Payloads.noise(nibble * 9, 4));
            judge.reads(Bytes.concat(note, one, note, note, one, note), Bytes.concat(TEXT, TEXT));
        }
        judge.reads(skippable(3, new byte[10]), new byte[0]);
    }

    @Test
    void aLegacyFrameIsRead() {
        judge.reads(legacy(TEXT), TEXT);
        judge.reads(Bytes.concat(legacy(TEXT), forge().block(TEXT).build()), Bytes.concat(TEXT, TEXT));
    }

    @Test
    void aDictionaryIdIsAcceptedUnlessABlockNeedsTheDictionary() throws IOException {
        judge.reads(forge().with(DICT_ID).block(TEXT).build(), TEXT);
        byte[] block = matchBlock(new byte[] {'a', 'b', 'c', 'd'}, 5, LAST);
        judge.refuses(forge().with(DICT_ID).block(block.length, block, TEXT).build(), 0);
    }

    @Test
    void everyCutIsMissed() throws IOException {
        byte[] file = forge().with(CONTENT_SIZE | CONTENT_CHECKSUM).block(TEXT).build();
        for (int cut : new int[] {5, 6, 7, 14, 15, 16, 18, 19, 30, file.length - 8, file.length - 4, file.length - 1}) {
            judge.missesTheEnd(Arrays.copyOf(file, cut));
        }
    }

    private static byte[] inSecondPlace(Lz4FrameForge bad) {
        return Bytes.concat(forge().block(TEXT).build(), bad.block(TEXT).build());
    }
}
