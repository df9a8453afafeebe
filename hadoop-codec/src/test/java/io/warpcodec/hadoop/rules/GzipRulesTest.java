package io.warpcodec.hadoop.rules;

import static io.warpcodec.forge.GzipForge.member;

import io.warpcodec.forge.Bytes;
import io.warpcodec.forge.GzipForge;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Payloads;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 1952 and RFC 1951, one rule each. */
class GzipRulesTest {
    private static final byte[] TEXT = Payloads.text(500, 1);

    private Judge judge;

    @BeforeEach
    void codec() {
        judge = new Judge(CodecUnderTest.GZIP);
    }

    @Test
    void aPlainMemberIsRead() {
        judge.reads(member(TEXT).build(), TEXT);
    }

    @Test
    void everyOptionalFieldIsSkipped() {
        judge.reads(
                member(TEXT)
                        .flags(GzipForge.FTEXT)
                        .extra(new byte[] {'X', 'Y', 3, 0, 1, 2, 3})
                        .name("name.txt")
                        .comment("a comment")
                        .headerCrc(0)
                        .build(),
                TEXT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 65_535})
    void anExtraFieldOfAnyContentIsSkipped(int bytes) {
        judge.reads(member(TEXT).extra(Payloads.noise(bytes, 7)).build(), TEXT);
    }

    @Test
    void anExtraFieldPastTheEndIsRefused() throws IOException {
        judge.missesTheEnd(member(TEXT).extra(new byte[3]).extraLength(60_000).build());
    }

    @ParameterizedTest
    @ValueSource(ints = {0x20, 0x40, 0x80, 0xe0})
    void aReservedFlagIsRefused(int bits) throws IOException {
        judge.refuses(member(TEXT).flags(bits).build(), 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 9, 255})
    void anotherMethodThanDeflateIsRefused(int method) throws IOException {
        judge.refuses(member(TEXT).method(method).build(), 0);
    }

    @Test
    void aWrongFirstMagicByteIsRefused() throws IOException {
        judge.refuses(member(TEXT).magic(0x1e, 0x8b).build(), 0);
    }

    @Test
    void aWrongSecondMagicByteIsRefused() throws IOException {
        judge.refuses(member(TEXT).magic(0x1f, 0x8c).build(), 0);
    }

    @Test
    void aWrongContentChecksumIsRefused() throws IOException {
        judge.refuses(member(TEXT).crc(0x12345678).build());
    }

    @Test
    void aWrongContentSizeIsRefused() throws IOException {
        judge.refuses(member(TEXT).contentBytes(TEXT.length + 1).build());
    }

    @Test
    void aReservedBlockTypeIsRefused() throws IOException {
        judge.refuses(member(TEXT).body((byte) 7, (byte) 0).build(), 0);
    }

    @Test
    void aStoredBlockWhoseLengthsDisagreeIsRefused() throws IOException {
        judge.refuses(member(TEXT)
                .body((byte) 1, (byte) 5, (byte) 0, (byte) 0xfb, (byte) 0xff, (byte) 'a')
                .build());
    }

    @Test
    void aDistanceBeforeTheStartIsRefused() throws IOException {
        // fixed codes: final, type 1, length code 257 (3), distance code 0 (1), end of block
        judge.refuses(member(TEXT).body((byte) 0x03, (byte) 0x02, (byte) 0x00).build());
    }

    @Test
    void membersOneAfterTheOtherAreOneFile() {
        byte[] empty = member(new byte[0]).build();
        byte[] one = member(TEXT).build();
        byte[] stored = member(TEXT).level(0).name("b").build();
        judge.reads(Bytes.concat(empty, one, empty, stored, empty), Bytes.concat(TEXT, TEXT));
    }

    @Test
    void aDamagedSecondMemberIsRefusedAfterTheFirst() throws IOException {
        byte[] bad = member(TEXT).crc(1).build();
        judge.refuses(Bytes.concat(member(TEXT).build(), bad));
    }

    @Test
    void aBgzfFileIsRead() {
        judge.reads(GzipForge.bgzf(TEXT, 100, 6), TEXT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 27, 10_000, 65_535})
    void aBgzfSizeThatLiesDoesNotMakeTheFileBad(int lie) {
        byte[] file = GzipForge.bgzf(TEXT, 100, 6);
        file[16] = (byte) lie;
        file[17] = (byte) (lie >>> 8);
        judge.reads(file, TEXT);
    }

    @Test
    void everyCutIsMissed() throws IOException {
        byte[] file = member(TEXT).extra(new byte[5]).name("n").headerCrc(0).build();
        for (int cut : new int[] {1, 2, 9, 10, 11, 13, 18, 20, 22, 30, file.length - 8, file.length - 1}) {
            judge.missesTheEnd(Arrays.copyOf(file, cut));
        }
    }
}
