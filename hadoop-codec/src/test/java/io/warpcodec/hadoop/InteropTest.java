package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.forge.Bytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What we write is read by everyone else, and what they write is read here; damage is seen on both entry paths. */
@Timeout(300)
class InteropTest {
    private static final int CHUNK = 65_536;

    static Stream<Arguments> peersAndKinds() {
        List<Arguments> all = new ArrayList<>();
        for (Peer peer : Peer.values()) {
            for (Payloads.Kind kind : Payloads.Kind.values()) {
                all.add(Arguments.of(peer, kind));
            }
        }
        return all.stream();
    }

    /** The most raw bytes of a chunk here; a bzip2 block of level 1 holds 100,000 less a margin. */
    private static int chunkBytes(CodecUnderTest format) {
        return format == CodecUnderTest.BZIP2 ? 99_980 : CHUNK;
    }

    /** 0, 1, a chunk and its neighbours, many chunks. */
    private static int[] sizes(CodecUnderTest format) {
        int chunk = chunkBytes(format);
        return new int[] {0, 1, 2, 100, chunk - 1, chunk, chunk + 1, 5 * chunk + 12_345};
    }

    private static CompressionCodec codec(CodecUnderTest format) {
        var conf = format.conf();
        if (format == CodecUnderTest.BZIP2) {
            conf.setInt(CodecUnderTest.PREFIX + "level", 1);
        } else {
            conf.setInt(CodecUnderTest.PREFIX + "chunk.size", CHUNK);
        }
        return format.codec(conf);
    }

    @ParameterizedTest
    @MethodSource("peersAndKinds")
    void whatWeWriteIsReadByOthers(Peer peer, Payloads.Kind kind) throws IOException {
        peer.assumeThere();
        for (int size : sizes(peer.format)) {
            byte[] content = kind.bytes(size);
            assertThat(Arrays.equals(peer.read(Coding.compress(codec(peer.format), content)), content))
                    .as(size + " bytes")
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("peersAndKinds")
    void whatTheBareCompressorWritesIsReadByOthers(Peer peer, Payloads.Kind kind) throws IOException {
        peer.assumeThere();
        for (int size : sizes(peer.format)) {
            byte[] content = kind.bytes(size);
            byte[] file = Coding.compress(
                    codec(peer.format).createCompressor(), content, Sizes.random(size, 9000), Sizes.random(size, 9000));
            assertThat(Arrays.equals(peer.read(file), content))
                    .as(size + " bytes")
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("peersAndKinds")
    void whatOthersWriteIsReadHere(Peer peer, Payloads.Kind kind) throws IOException {
        peer.assumeThere();
        CompressionCodec codec = codec(peer.format);
        Decompressor decompressor = codec.createDecompressor();
        for (int size : sizes(peer.format)) {
            byte[] content = kind.bytes(size);
            byte[] file = peer.write(content);
            assertThat(Arrays.equals(Coding.decompress(codec, file), content))
                    .as(size + " bytes")
                    .isTrue();
            if (file.length > 0) {
                decompressor.reset();
                Outcome bare = Decoding.throughDecompressor(
                        decompressor,
                        new ByteArrayInputStream(file),
                        Sizes.random(size, 9000),
                        Sizes.random(size + 1, 9000));
                assertThat(bare.isExactly(content)).as(size + " bytes: " + bare).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void filesOfBothSidesOneAfterTheOtherAreOneFile(Peer peer) throws IOException {
        peer.assumeThere();
        CompressionCodec codec = codec(peer.format);
        byte[] text = Payloads.text(CHUNK + 10, 3);
        byte[] noise = Payloads.noise(1000, 4);
        byte[] none = {};
        byte[] file = Bytes.concat(
                Coding.compress(codec, text),
                peer.write(noise),
                Coding.compress(codec, none),
                peer.write(none),
                peer.write(text),
                Coding.compress(codec, noise));
        assertThat(Coding.decompress(codec, file)).isEqualTo(Bytes.concat(text, noise, text, noise));
    }

    /** JDK's InflaterInputStream and Hadoop's framings stop early by themselves: their readers are left out. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"JDK_ZLIB", "HADOOP_LZ4", "HADOOP_SNAPPY"})
    void ourFilesOneAfterTheOtherAreOneFileToOthers(Peer peer) throws IOException {
        peer.assumeThere();
        CompressionCodec codec = codec(peer.format);
        byte[] text = Payloads.text(CHUNK + 10, 3);
        byte[] one = Coding.compress(codec, text);
        byte[] empty = Coding.compress(codec, new byte[0]);
        assertThat(peer.read(Bytes.concat(one, empty, one))).isEqualTo(Bytes.concat(text, text));
    }

    @ParameterizedTest
    @EnumSource
    void aFileCutAtAnyByteIsRefused(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] head = Payloads.text(300, 5);
        byte[] tail = Payloads.noise(60, 6);
        byte[] first = Coding.compress(codec, head);
        byte[] file = Bytes.concat(first, Coding.compress(codec, tail));
        Decompressor decompressor = codec.createDecompressor();
        for (int cut = 1; cut < file.length; cut++) {
            byte[] part = Arrays.copyOf(file, cut);
            Outcome stream = Decoding.throughStream(codec, null, new ByteArrayInputStream(part), Sizes.of(100));
            decompressor.reset();
            Outcome bare = Decoding.throughDecompressor(
                    decompressor, new ByteArrayInputStream(part), Sizes.of(64), Sizes.of(64));
            for (Outcome outcome : new Outcome[] {stream, bare}) {
                if (outcome.isSuccess()) {
                    // whole frames only: the first file, or a frame of it that carries nothing
                    assertThat(outcome.isExactly(cut >= first.length ? head : new byte[0]) && isWhole(codec, part))
                            .as("cut at " + cut + " of " + first.length + "+" + (file.length - first.length) + ": "
                                    + outcome)
                            .isTrue();
                } else {
                    assertThat(outcome.error()).as("cut at " + cut).isInstanceOf(IOException.class);
                }
            }
        }
        assertThat(cutsAccepted(codec, file)).isLessThanOrEqualTo(3);
    }

    /** Whether a file of ours followed by these bytes and another is the two files: nothing dangles in between. */
    private static boolean isWhole(CompressionCodec codec, byte[] part) throws IOException {
        byte[] mark = Payloads.text(50, 7);
        byte[] file = Bytes.concat(part, Coding.compress(codec, mark));
        byte[] content = Coding.decompress(codec, file);
        return content.length >= 50 && Arrays.equals(content, content.length - 50, content.length, mark, 0, 50);
    }

    private static long cutsAccepted(CompressionCodec codec, byte[] file) {
        long accepted = 0;
        for (int cut = 1; cut < file.length; cut++) {
            Outcome outcome = Decoding.throughStream(
                    codec, null, new ByteArrayInputStream(Arrays.copyOf(file, cut)), Sizes.of(4096));
            accepted += outcome.isSuccess() ? 1 : 0;
        }
        return accepted;
    }

    /**
     * Every single bit of a small file, flipped: an IOException or, where the bit carries no meaning (a time, a name, a
     * hint) or the format has no checksum, never anything worse than other bytes.
     */
    @ParameterizedTest
    @EnumSource
    void aFlippedBitIsSeenWhereTheFormatHasAChecksum(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] content = Payloads.text(400, 8);
        byte[] file = Coding.compress(codec, content);
        Decompressor decompressor = codec.createDecompressor();
        for (int bit = 0; bit < 8 * file.length; bit++) {
            byte[] bad = file.clone();
            bad[bit >> 3] ^= (byte) (1 << (bit & 7));
            Outcome stream = Decoding.throughStream(codec, null, new ByteArrayInputStream(bad), Sizes.of(512));
            decompressor.reset();
            Outcome bare = Decoding.throughDecompressor(
                    decompressor, new ByteArrayInputStream(bad), Sizes.of(512), Sizes.of(512));
            for (Outcome outcome : new Outcome[] {stream, bare}) {
                if (!outcome.isSuccess()) {
                    assertThat(outcome.error()).as("bit " + bit).isInstanceOf(IOException.class);
                } else if (format.checksummed) {
                    assertThat(outcome.isExactly(content))
                            .as("bit " + bit + ": " + outcome)
                            .isTrue();
                }
            }
        }
    }
}
