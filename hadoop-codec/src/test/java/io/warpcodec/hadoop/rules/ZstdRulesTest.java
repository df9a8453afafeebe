package io.warpcodec.hadoop.rules;

import static io.warpcodec.forge.ZstdForge.*;
import static io.warpcodec.forge.ZstdFrameForge.*;

import io.warpcodec.forge.Bytes;
import io.warpcodec.forge.ZstdFrameForge;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Payloads;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 8878, one rule of frames and blocks each. */
class ZstdRulesTest {
    private static final byte[] TEXT = Payloads.text(500, 1);

    private Judge judge;

    @BeforeEach
    void codec() {
        judge = new Judge(CodecUnderTest.ZSTD);
    }

    private static ZstdFrameForge forge() {
        return new ZstdFrameForge();
    }

    @Test
    void rawAndRunBlocksAreRead() {
        byte[] run = new byte[900];
        Arrays.fill(run, (byte) 'r');
        judge.reads(
                forge().raw(TEXT, false)
                        .rle('r', 900, false)
                        .raw(new byte[0], true)
                        .build(),
                Bytes.concat(TEXT, run));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void everyWidthOfTheContentSizeIsRead(int fieldBytes) {
        byte[] content = fieldBytes == 1 ? Arrays.copyOf(TEXT, 200) : TEXT;
        judge.reads(
                forge().contentSize(fieldBytes, content.length)
                        .raw(content, true)
                        .build(),
                content);
        judge.reads(
                forge().contentSize(fieldBytes, content.length)
                        .with(SINGLE_SEGMENT)
                        .raw(content, true)
                        .build(),
                content);
    }

    @ParameterizedTest
    @ValueSource(longs = {499, 501, 1L << 40, Long.MAX_VALUE})
    void aWrongContentSizeIsRefused(long lie) throws IOException {
        judge.refuses(forge().contentSize(8, lie).raw(TEXT, true).build());
    }

    @Test
    void aWrongChecksumIsRefused() throws IOException {
        judge.refuses(forge().checksum(1).raw(TEXT, true).build());
    }

    @Test
    void aFrameWithoutAChecksumIsRead() {
        judge.reads(forge().without(CHECKSUM).raw(TEXT, true).build(), TEXT);
    }

    @Test
    void aReservedBitIsRefused() throws IOException {
        judge.refuses(forge().with(RESERVED).raw(TEXT, true).build(), 0);
    }

    @Test
    void theUnusedBitMeansNothing() {
        judge.reads(forge().with(UNUSED).raw(TEXT, true).build(), TEXT);
    }

    @Test
    void aReservedBlockTypeIsRefused() throws IOException {
        judge.refuses(forge().block(RESERVED_TYPE, 1, true, (byte) 0).build(), 0);
    }

    @Test
    void aBlockAboveItsMaximumIsRefused() throws IOException {
        judge.refuses(forge().window(17, 0).raw(new byte[(128 << 10) + 1], true).build());
        judge.refuses(forge().window(17, 0).rle('r', (128 << 10) + 1, true).build());
        judge.refuses(forge().window(0, 0).raw(new byte[1025], true).build());
        judge.reads(forge().window(17, 0).raw(new byte[128 << 10], true).build(), new byte[128 << 10]);
    }

    @Test
    void aCompressedBlockOfNoiseIsRefused() throws IOException {
        judge.refuses(forge().block(COMPRESSED, 50, true, Payloads.noise(50, 1)).build(), 0);
        judge.refuses(forge().block(COMPRESSED, 1, true, (byte) 0).build(), 0);
    }

    /** libzstd, whose reading is the format's, takes a compressed block of no bytes for an empty one. */
    @Test
    void aCompressedBlockOfNoBytesIsEmpty() {
        judge.reads(forge().block(COMPRESSED, 0, true).build(), new byte[0]);
    }

    @Test
    void aDictionaryIsRefused() throws IOException {
        for (int idBytes : new int[] {1, 2, 4}) {
            judge.refuses(forge().dictionary(idBytes, 77).raw(TEXT, true).build());
        }
    }

    @Test
    void aDictionaryIdOfZeroIsNoDictionary() {
        judge.reads(forge().dictionary(1, 0).raw(TEXT, true).build(), TEXT);
    }

    @Test
    void anotherMagicIsRefused() throws IOException {
        judge.refuses(forge().magic(MAGIC ^ 1).raw(TEXT, true).build(), 0);
        judge.refuses(forge().magic(0xFD2FB527L).raw(TEXT, true).build(), 0);
        judge.refuses(Bytes.concat(forge().raw(TEXT, true).build(), new byte[] {1, 2, 3, 4, 5}), TEXT.length);
    }

    @Test
    void aWindowOf128MebibytesIsRead() {
        judge.reads(forge().window(17, 0).raw(TEXT, true).build(), TEXT);
    }

    @Test
    void aLargerWindowIsReadWhereTheContentIsSmallAllTheSame() {
        judge.reads(forge().window(17, 1).raw(TEXT, true).build(), TEXT);
    }

    @Test
    void aLargerWindowThatIsUsedIsRefused() throws IOException {
        ZstdFrameForge forge = forge().window(17, 1).without(CHECKSUM);
        for (int i = 0; i < 1_100; i++) {
            forge.block(RLE, 128 << 10, i == 1_099, (byte) 'r');
        }
        judge.refuses(forge.build());
    }

    @Test
    void aWindowAboveTheFormatsOwnLimitIsRefused() throws IOException {
        judge.refuses(forge().window(31, 7).raw(TEXT, true).build(), 0);
    }

    @Test
    void skippableFramesAreSkippedWhereverTheyAre() {
        byte[] one = forge().raw(TEXT, true).build();
        for (int nibble = 0; nibble < 16; nibble++) {
            byte[] note = skippable(nibble, nibble * 9L, Payloads.noise(nibble * 9, 4));
            judge.reads(Bytes.concat(note, one, note, note, one, note), Bytes.concat(TEXT, TEXT));
        }
        judge.reads(skippable(3, 10, new byte[10]), new byte[0]);
    }

    @Test
    void aSkippableFramePastTheEndIsRefused() throws IOException {
        judge.missesTheEnd(skippable(0, 11, new byte[10]));
        judge.missesTheEnd(skippable(0, 0xffffffffL, new byte[10]));
    }

    @Test
    void aFrameWithoutALastBlockIsMissingItsEnd() throws IOException {
        judge.missesTheEnd(forge().without(CHECKSUM).raw(TEXT, false).build());
    }

    @Test
    void everyCutIsMissed() throws IOException {
        byte[] file = forge().contentSize(4, TEXT.length).raw(TEXT, true).build();
        for (int cut : new int[] {1, 3, 4, 5, 6, 9, 10, 12, 13, 100, file.length - 4, file.length - 1}) {
            judge.missesTheEnd(Arrays.copyOf(file, cut));
        }
    }
}
