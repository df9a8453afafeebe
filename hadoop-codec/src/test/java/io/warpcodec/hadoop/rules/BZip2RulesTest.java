package io.warpcodec.hadoop.rules;

import static io.warpcodec.hadoop.forge.BZip2Forge.blockOf;

import io.warpcodec.hadoop.Bytes;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.hadoop.forge.BZip2Forge;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The format of bzip2 1.0.8, one rule each. */
class BZip2RulesTest {
    private static final byte[] TEXT = Payloads.text(500, 1);
    private static final byte[] MORE = Payloads.text(700, 2);

    private Judge judge;

    @BeforeEach
    void codec() {
        judge = new Judge(CodecUnderTest.BZIP2);
    }

    private static BZip2Forge forge() {
        return new BZip2Forge();
    }

    @Test
    void aStreamOfSeveralBlocksIsRead() {
        judge.reads(forge().block(TEXT).block(MORE).block(TEXT).build(), Bytes.concat(TEXT, MORE, TEXT));
    }

    @Test
    void anEmptyStreamIsRead() {
        judge.reads(forge().build(), new byte[0]);
    }

    @Test
    void streamsOneAfterTheOtherAreOneFile() {
        byte[] empty = forge().build();
        judge.reads(
                Bytes.concat(
                        empty,
                        forge().block(TEXT).build(),
                        empty,
                        forge().level('1').block(MORE).build(),
                        empty),
                Bytes.concat(TEXT, MORE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"BY", "AZ", "ZB"})
    void aWrongSignatureIsRefused(String letters) throws IOException {
        judge.refuses(forge().signature(letters).block(TEXT).build(), 0);
    }

    @Test
    void anotherVersionIsRefused() throws IOException {
        judge.refuses(forge().version('0').block(TEXT).build(), 0);
    }

    @ParameterizedTest
    @ValueSource(chars = {'0', ':', 'a', '/'})
    void aLevelOutside1To9IsRefused(char level) throws IOException {
        judge.refuses(forge().level(level).block(TEXT).build(), 0);
    }

    @ParameterizedTest
    @ValueSource(chars = {'1', '5', '9'})
    void everyLevelIsRead(char level) {
        judge.reads(forge().level(level).block(TEXT).build(), TEXT);
    }

    @Test
    void aBlockAboveTheLevelIsRefused() throws IOException {
        byte[] big = Payloads.noise(150_000, 3);
        judge.refuses(forge().level('1').block(big).build());
        judge.reads(forge().level('2').block(big).build(), big);
    }

    @Test
    void aWrongBlockMagicIsRefused() throws IOException {
        judge.refuses(
                forge().block(blockOf(TEXT).withMagic(BZip2Forge.BLOCK_MAGIC ^ 1))
                        .build(),
                0);
    }

    @Test
    void aWrongBlockChecksumIsRefused() throws IOException {
        judge.refuses(forge().block(blockOf(TEXT).withCrc(1)).build(), 0);
    }

    @Test
    void aWrongChecksumOfTheSecondBlockIsRefusedAfterTheFirst() throws IOException {
        judge.refuses(forge().block(TEXT).block(blockOf(MORE).withCrc(1)).build(), TEXT.length);
    }

    @Test
    void aRowOutsideTheBlockIsRefused() throws IOException {
        judge.refuses(forge().block(blockOf(TEXT).withOrigPtr(TEXT.length)).build(), 0);
        judge.refuses(forge().block(blockOf(TEXT).withOrigPtr(0xffffff)).build(), 0);
    }

    @Test
    void aBlockCutShortIsRefused() throws IOException {
        judge.refuses(forge().block(blockOf(TEXT).cut(9)).block(MORE).build());
    }

    @Test
    void aWrongEndMagicIsRefused() throws IOException {
        judge.refuses(forge().block(TEXT).endMagic(BZip2Forge.END_MAGIC ^ 4).build());
    }

    @Test
    void aWrongCombinedChecksumIsRefused() throws IOException {
        judge.refuses(forge().block(TEXT).block(MORE).combinedCrc(77).build());
        judge.refuses(forge().combinedCrc(77).build(), 0);
    }

    @Test
    void everyCutIsMissed() throws IOException {
        byte[] file = forge().block(TEXT).build();
        for (int cut : new int[] {1, 2, 3, 4, 5, 9, 10, 14, 20, file.length / 2, file.length - 10, file.length - 1}) {
            judge.missesTheEnd(Arrays.copyOf(file, cut));
        }
    }
}
