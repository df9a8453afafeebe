package io.warpcodec.hadoop.rules;

import io.warpcodec.forge.Bytes;
import io.warpcodec.forge.Bzip2Forge;
import io.warpcodec.forge.PackedBzip2Block;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Payloads;
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

    private static Bzip2Forge forge() {
        return forge("BZh9");
    }

    private static Bzip2Forge forge(String header) {
        return new Bzip2Forge().header(header);
    }

    @Test
    void aStreamOfSeveralBlocksIsRead() {
        judge.reads(forge().block(TEXT).block(MORE).block(TEXT).end().toArray(), Bytes.concat(TEXT, MORE, TEXT));
    }

    @Test
    void anEmptyStreamIsRead() {
        judge.reads(forge().end().toArray(), new byte[0]);
    }

    @Test
    void streamsOneAfterTheOtherAreOneFile() {
        byte[] empty = forge().end().toArray();
        judge.reads(
                Bytes.concat(
                        empty,
                        forge().block(TEXT).end().toArray(),
                        empty,
                        forge("BZh1").block(MORE).end().toArray(),
                        empty),
                Bytes.concat(TEXT, MORE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"BY", "AZ", "ZB"})
    void aWrongSignatureIsRefused(String letters) throws IOException {
        judge.refuses(forge(letters + "h9").block(TEXT).end().toArray(), 0);
    }

    @Test
    void anotherVersionIsRefused() throws IOException {
        judge.refuses(forge("BZ09").block(TEXT).end().toArray(), 0);
    }

    @ParameterizedTest
    @ValueSource(chars = {'0', ':', 'a', '/'})
    void aLevelOutside1To9IsRefused(char level) throws IOException {
        judge.refuses(forge("BZh" + level).block(TEXT).end().toArray(), 0);
    }

    @ParameterizedTest
    @ValueSource(chars = {'1', '5', '9'})
    void everyLevelIsRead(char level) {
        judge.reads(forge("BZh" + level).block(TEXT).end().toArray(), TEXT);
    }

    @Test
    void aBlockAboveTheLevelIsRefused() throws IOException {
        byte[] big = Payloads.noise(150_000, 3);
        judge.refuses(forge("BZh1").block(big).end().toArray());
        judge.reads(forge("BZh2").block(big).end().toArray(), big);
    }

    @Test
    void aWrongBlockMagicIsRefused() throws IOException {
        judge.refuses(
                forge().block(PackedBzip2Block.of(TEXT).withMagic(Bzip2Forge.BLOCK_MAGIC ^ 1))
                        .end()
                        .toArray(),
                0);
    }

    @Test
    void aWrongBlockChecksumIsRefused() throws IOException {
        judge.refuses(forge().block(PackedBzip2Block.of(TEXT).withCrc(1)).end().toArray(), 0);
    }

    @Test
    void aWrongChecksumOfTheSecondBlockIsRefusedAfterTheFirst() throws IOException {
        judge.refuses(
                forge().block(TEXT)
                        .block(PackedBzip2Block.of(MORE).withCrc(1))
                        .end()
                        .toArray(),
                TEXT.length);
    }

    @Test
    void aRowOutsideTheBlockIsRefused() throws IOException {
        judge.refuses(
                forge().block(PackedBzip2Block.of(TEXT).withOrigPtr(TEXT.length))
                        .end()
                        .toArray(),
                0);
        judge.refuses(
                forge().block(PackedBzip2Block.of(TEXT).withOrigPtr(0xffffff))
                        .end()
                        .toArray(),
                0);
    }

    @Test
    void aBlockCutShortIsRefused() throws IOException {
        judge.refuses(forge().block(PackedBzip2Block.of(TEXT).cut(9))
                .block(MORE)
                .end()
                .toArray());
    }

    @Test
    void aWrongEndMagicIsRefused() throws IOException {
        judge.refuses(forge().block(TEXT).endMagic(Bzip2Forge.END_MAGIC ^ 4).toArray());
    }

    @Test
    void aWrongCombinedChecksumIsRefused() throws IOException {
        judge.refuses(forge().block(TEXT).block(MORE).end(77).toArray());
        judge.refuses(forge().end(77).toArray(), 0);
    }

    @Test
    void everyCutIsMissed() throws IOException {
        byte[] file = forge().block(TEXT).end().toArray();
        for (int cut : new int[] {1, 2, 3, 4, 5, 9, 10, 14, 20, file.length / 2, file.length - 10, file.length - 1}) {
            judge.missesTheEnd(Arrays.copyOf(file, cut));
        }
    }
}
