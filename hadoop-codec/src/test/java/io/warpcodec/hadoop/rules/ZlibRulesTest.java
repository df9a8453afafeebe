package io.warpcodec.hadoop.rules;

import io.warpcodec.forge.Bytes;
import io.warpcodec.forge.GzipForge;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Payloads;
import java.io.IOException;
import java.util.zip.Adler32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RFC 1950, one rule each. */
class ZlibRulesTest {
    private static final byte[] TEXT = Payloads.text(500, 1);
    private static final int PRESET_DICTIONARY = 1 << 5;

    private Judge judge;

    @BeforeEach
    void codec() {
        judge = new Judge(CodecUnderTest.DEFLATE);
    }

    private static int adler() {
        Adler32 sum = new Adler32();
        sum.update(TEXT);
        return (int) sum.getValue();
    }

    private static byte[] stream(int method, int windowLog, int flags, int checkFlip, int adler) {
        int cmf = method | (windowLog - 8) << 4;
        int check = (31 - (cmf << 8 | flags) % 31) % 31;
        Bytes stream = new Bytes().u8(cmf).u8(flags | check ^ checkFlip);
        if ((flags & PRESET_DICTIONARY) != 0) {
            stream.be32(1);
        }
        return stream.put(GzipForge.deflate(TEXT, 6)).be32(adler).toArray();
    }

    @Test
    void aPlainStreamIsRead() {
        judge.reads(stream(8, 15, 0x80, 0, adler()), TEXT);
    }

    @Test
    void aWrongHeaderCheckIsRefused() throws IOException {
        judge.refuses(stream(8, 15, 0x80, 1, adler()), 0);
    }

    @Test
    void anotherMethodThanDeflateIsRefused() throws IOException {
        judge.refuses(stream(7, 15, 0x80, 0, adler()), 0);
    }

    @Test
    void aWindowAbove32KiBIsRefused() throws IOException {
        judge.refuses(stream(8, 16, 0x80, 0, adler()), 0);
    }

    @Test
    void aPresetDictionaryIsRefused() throws IOException {
        judge.refuses(stream(8, 15, 0x80 | PRESET_DICTIONARY, 0, adler()), 0);
    }

    @Test
    void aWrongChecksumIsRefused() throws IOException {
        judge.refuses(stream(8, 15, 0x80, 0, adler() ^ 1));
    }

    @Test
    void streamsBackToBackAreAllRead() {
        byte[] one = stream(8, 15, 0x80, 0, adler());
        judge.reads(Bytes.concat(one, one, one), Bytes.concat(TEXT, TEXT, TEXT));
    }

    @Test
    void garbageBehindAStreamIsRefusedAfterIt() throws IOException {
        judge.refuses(Bytes.concat(stream(8, 15, 0x80, 0, adler()), new byte[] {1, 2, 3}), TEXT.length);
    }
}
