package io.warpcodec.hadoop.rules;

import io.warpcodec.forge.Bytes;
import io.warpcodec.forge.HadoopFramingForge;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Payloads;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hadoop's framing of LZ4 and Snappy, one rule each. */
class HadoopFramingRulesTest {
    private static final byte[] TEXT = Payloads.text(500, 1);

    private static HadoopFramingForge forge(CodecUnderTest format) {
        return new HadoopFramingForge(format.format());
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void aBlockOfOneOrManyChunksIsRead(CodecUnderTest format) {
        Judge judge = new Judge(format);
        judge.reads(forge(format).block(TEXT).build(), TEXT);
        byte[] thrice = Bytes.concat(TEXT, TEXT, TEXT);
        judge.reads(forge(format).block(TEXT, TEXT, TEXT).build(), thrice);
        judge.reads(forge(format).block(TEXT, TEXT).block(TEXT).build(), thrice);
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void anEmptyBlockAnywhereIsReadOver(CodecUnderTest format) {
        Judge judge = new Judge(format);
        judge.reads(forge(format).total(0).build(), new byte[0]);
        judge.reads(
                forge(format)
                        .total(0)
                        .block(TEXT)
                        .total(0)
                        .total(0)
                        .block(TEXT)
                        .total(0)
                        .build(),
                Bytes.concat(TEXT, TEXT));
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void aNegativeBlockLengthIsRefused(CodecUnderTest format) throws IOException {
        new Judge(format).refuses(forge(format).total(-1).chunk(TEXT).build(), 0);
        new Judge(format)
                .refuses(
                        forge(format).block(TEXT).total(0x80000000L).chunk(TEXT).build(), TEXT.length);
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void aNegativeChunkLengthIsRefused(CodecUnderTest format) throws IOException {
        byte[] data = forge(format).compress(TEXT);
        new Judge(format)
                .refuses(forge(format).total(TEXT.length).chunk(-5, data).build(), 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void aChunkLengthPastTheEndIsRefused(CodecUnderTest format) throws IOException {
        byte[] data = forge(format).compress(TEXT);
        Judge judge = new Judge(format);
        judge.missesTheEnd(
                forge(format).total(TEXT.length).chunk(data.length + 1, data).build());
        judge.refuses(forge(format).total(TEXT.length).chunk(0x7fffffff, data).build(), 0);
        judge.refuses(forge(format).total(0x7fffffff).chunk(0x7ffffff0, data).build(), 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void aBlockThatChunksOverfillIsRefused(CodecUnderTest format) throws IOException {
        new Judge(format)
                .refuses(forge(format).total(TEXT.length - 1).chunk(TEXT).build());
        new Judge(format)
                .refuses(forge(format)
                        .total(TEXT.length + 10)
                        .chunk(TEXT)
                        .chunk(TEXT)
                        .build());
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void aBlockThatChunksDoNotFillIsMissingItsEnd(CodecUnderTest format) throws IOException {
        new Judge(format)
                .missesTheEnd(forge(format).total(TEXT.length + 1).chunk(TEXT).build());
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void aChunkOfNoiseIsRefused(CodecUnderTest format) throws IOException {
        byte[] noise = Payloads.noise(200, 5);
        Arrays.fill(noise, 0, 40, (byte) 0xff);
        new Judge(format)
                .refuses(forge(format).total(5000).chunk(noise.length, noise).build(), 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void strayBytesAtTheEndAreRefused(CodecUnderTest format) throws IOException {
        for (int stray = 1; stray < 8; stray++) {
            byte[] file = forge(format).block(TEXT).total(9).total(9).build();
            new Judge(format).missesTheEnd(Arrays.copyOf(file, file.length - 8 + stray));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LZ4_HADOOP", "SNAPPY"})
    void blocksAndChunksAboveTheWritersDefaultAreRead(CodecUnderTest format) {
        byte[] big = Payloads.text(3_000_000, 6);
        new Judge(format).reads(forge(format).block(big).build(), big);
        new Judge(format).reads(forge(format).block(big, TEXT, big).build(), Bytes.concat(big, TEXT, big));
    }

    /** A Snappy chunk says how much it makes: more than its block has room for must not be believed. */
    @ParameterizedTest
    @EnumSource(names = "SNAPPY")
    void aSnappyChunkThatDeclaresTooMuchIsRefused(CodecUnderTest format) throws IOException {
        byte[] data = forge(format).compress(TEXT);
        byte[] varint = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07};
        byte[] lie = Bytes.concat(varint, Arrays.copyOfRange(data, 2, data.length));
        new Judge(format)
                .refuses(forge(format).total(TEXT.length).chunk(lie.length, lie).build(), 0);
    }
}
