package io.warpcodec.hadoop.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.forge.Bytes;
import io.warpcodec.forge.Bzip2Forge;
import io.warpcodec.forge.GzipForge;
import io.warpcodec.forge.Lz4FrameForge;
import io.warpcodec.forge.ZstdFrameForge;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.hadoop.Peer;
import io.warpcodec.hadoop.split.SplitLines.Api;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each line exactly once, wherever the splits fall: every split size from one byte up on small files, random boundaries
 * on larger ones, both LineRecordReaders, four delimiters.
 */
class SplitSuiteTest {
    private static final long SEED = 411L;
    private static final String CUSTOM = "@@|";
    /**
     * On an engine of the run that is slow, as test engines are, one split size in so many is tried, and few of the
     * smallest.
     */
    private static final int SIZE_STRIDE = Integer.getInteger(
            "warpcodec.test.split.stride",
            System.getProperty("warpcodec.test.engine", "").isEmpty() ? 1 : 9);

    private static final String[] ENDINGS = {"\n", "\r", "\r\n", CUSTOM};

    @AfterEach
    void forgetFiles() {
        MemoryFiles.clear();
    }

    /** A file to split: what is in it and which codec reads it. */
    private record Sample(String name, CodecUnderTest format, byte[] file, byte[] content) {}

    private static String delimiterOf(String ending) {
        return ending.equals(CUSTOM) ? CUSTOM : null;
    }

    /** Cuts content into pieces at seeded places, so that some cuts fall into a delimiter. */
    private static List<byte[]> pieces(byte[] content, int count, long seed) {
        Random random = new Random(seed);
        long[] cuts = LongStream.concat(LongStream.of(0, content.length), random.longs(count - 1L, 1, content.length))
                .sorted()
                .toArray();
        List<byte[]> pieces = new ArrayList<>();
        for (int i = 1; i < cuts.length; i++) {
            pieces.add(Arrays.copyOfRange(content, (int) cuts[i - 1], (int) cuts[i]));
        }
        return pieces;
    }

    private static byte[] many(CompressionCodec codec, List<byte[]> pieces) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            file.writeBytes(Coding.compress(codec, piece));
        }
        return file.toByteArray();
    }

    private static byte[] oneBZip2Stream(List<byte[]> pieces) {
        Bzip2Forge forge = new Bzip2Forge().header("BZh9");
        pieces.stream().filter(piece -> piece.length > 0).forEach(forge::block);
        return forge.end().toArray();
    }

    private static byte[] plainMembers(List<byte[]> pieces) {
        Bytes file = new Bytes();
        pieces.forEach(piece -> file.put(GzipForge.member(piece).build()));
        return file.toArray();
    }

    /**
     * Every kind of file whose splits this module has to get right, small; with lines that do not end in LF only those
     * that have sync points.
     */
    private static List<Sample> samples(String ending) throws IOException {
        byte[] content = SplitLines.numbered(230, ending, SEED);
        List<byte[]> pieces = pieces(content, 4, SEED + 1);
        boolean allKinds = ending.equals("\n");
        List<Sample> samples = new ArrayList<>();
        for (CodecUnderTest format : List.of(
                CodecUnderTest.GZIP,
                CodecUnderTest.BZIP2,
                CodecUnderTest.LZ4,
                CodecUnderTest.LZ4_HADOOP,
                CodecUnderTest.ZSTD)) {
            samples.add(new Sample(format + ", many chunks", format, many(format.codec(), pieces), content));
            if (allKinds) {
                samples.add(
                        new Sample(format + ", one chunk", format, Coding.compress(format.codec(), content), content));
            }
        }
        samples.add(
                new Sample("bzip2, one stream of many blocks", CodecUnderTest.BZIP2, oneBZip2Stream(pieces), content));
        samples.add(new Sample("BGZF", CodecUnderTest.GZIP, GzipForge.bgzf(content, 70, 6), content));
        if (allKinds) {
            byte[] twice = Bytes.concat(content, content);
            samples.add(new Sample("many plain members", CodecUnderTest.GZIP, plainMembers(pieces), content));
            samples.add(new Sample(
                    "cat BGZF ours",
                    CodecUnderTest.GZIP,
                    Bytes.concat(GzipForge.bgzf(content, 70, 6), many(CodecUnderTest.GZIP.codec(), pieces)),
                    twice));
            for (Peer peer : List.of(Peer.JDK_GZIP, Peer.LZ4_JAVA, Peer.ZSTD_JNI)) {
                samples.addAll(mixed(peer, content, pieces));
            }
        }
        return samples;
    }

    /** Files of ours and of others, alone and one behind the other. */
    private static List<Sample> mixed(Peer peer, byte[] content, List<byte[]> pieces) throws IOException {
        byte[] ours = many(peer.format.codec(), pieces);
        byte[] plain = peer.write(content);
        byte[] twice = Bytes.concat(content, content);
        return List.of(
                new Sample(peer + " alone", peer.format, plain, content),
                new Sample("cat ours " + peer, peer.format, Bytes.concat(ours, plain), twice),
                new Sample("cat " + peer + " ours", peer.format, Bytes.concat(plain, ours), twice),
                new Sample("cat ours ours " + peer.format, peer.format, Bytes.concat(ours, ours), twice));
    }

    @TestFactory
    Stream<DynamicTest> everySplitSizeDeliversEachLineOnce() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String ending : ENDINGS) {
            for (Sample sample : samples(ending)) {
                tests.add(DynamicTest.dynamicTest(sample.name() + " " + escaped(ending), () -> {
                    SplitLines lines = open(sample, delimiterOf(ending));
                    assertThat(lines.lineCount()).isGreaterThan(12);
                    int stride = ending.equals("\n") ? SIZE_STRIDE : 5 * SIZE_STRIDE;
                    for (int size = 1; size <= sample.file().length; size = next(size, stride)) {
                        lines.checkSplitSize(Api.MAPREDUCE, size);
                    }
                    for (int size = 40; size <= sample.file().length; size += 7 * SIZE_STRIDE) {
                        lines.checkSplitSize(Api.MAPRED, size);
                    }
                }));
            }
        }
        return tests.stream();
    }

    /**
     * All sizes below 20, or with a stride twice the one before: a file has so many splits of these that they cost
     * the most.
     */
    private static int next(int size, int stride) {
        return size >= 20 ? size + stride : SIZE_STRIDE == 1 ? size + 1 : 2 * size;
    }

    @TestFactory
    Stream<DynamicTest> nestedFilesAreNotTakenForTheirContents() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        byte[] noise = Payloads.noise(500, SEED);
        byte[] filler = Payloads.noise(150, SEED + 2);
        for (CodecUnderTest format : List.of(CodecUnderTest.GZIP, CodecUnderTest.LZ4, CodecUnderTest.ZSTD)) {
            CompressionCodec codec = format.codec();
            byte[] inner = many(codec, pieces(noise, 3, SEED));
            byte[] ours = Coding.compress(codec, filler);
            tests.add(nested(
                    new Sample(
                            format + ", ours, then ours stored by another, then ours",
                            format,
                            Bytes.concat(ours, stored(format, inner), ours),
                            Bytes.concat(filler, inner, filler)),
                    inner));
        }
        for (CodecUnderTest format : List.of(CodecUnderTest.GZIP, CodecUnderTest.ZSTD)) {
            CompressionCodec codec = storing(format);
            byte[] inner = many(codec, pieces(noise, 3, SEED));
            tests.add(nested(
                    new Sample(
                            format + ", ours in the second of ours",
                            format,
                            many(codec, List.of(filler, inner, filler)),
                            Bytes.concat(filler, inner, filler)),
                    inner));
        }
        CompressionCodec codec = storing(CodecUnderTest.GZIP);
        byte[] ours = many(codec, pieces(noise, 3, SEED));
        byte[] bgzf = GzipForge.bgzf(noise, 200, 0);
        tests.add(nested(
                new Sample(
                        "ours in plain",
                        CodecUnderTest.GZIP,
                        GzipForge.member(ours).level(0).build(),
                        ours),
                ours));
        tests.add(nested(new Sample("BGZF in BGZF", CodecUnderTest.GZIP, GzipForge.bgzf(bgzf, 5000, 0), bgzf), bgzf));
        tests.add(nested(new Sample("BGZF in ours", CodecUnderTest.GZIP, Coding.compress(codec, bgzf), bgzf), bgzf));
        tests.add(nested(new Sample("ours in BGZF", CodecUnderTest.GZIP, GzipForge.bgzf(ours, 5000, 0), ours), ours));
        return tests.stream();
    }

    /** Bytes as another writer may store them, without compression. */
    private static byte[] stored(CodecUnderTest format, byte[] bytes) {
        return switch (format) {
            case GZIP -> GzipForge.member(bytes).level(0).build();
            case LZ4 -> new Lz4FrameForge().rawBlock(bytes).build();
            default -> new ZstdFrameForge().raw(bytes, true).build();
        };
    }

    /** A codec that keeps noise, and what is made of noise, as it is. */
    private static CompressionCodec storing(CodecUnderTest format) {
        Configuration conf = format.conf();
        if (format == CodecUnderTest.GZIP) {
            conf.setInt(CodecUnderTest.PREFIX + "level", 0);
        }
        return format.codec(conf);
    }

    private DynamicTest nested(Sample sample, byte[] inner) {
        return DynamicTest.dynamicTest(sample.name(), () -> {
            byte[] start = Arrays.copyOf(inner, Math.min(inner.length, 60));
            assertThat(Bytes.indexOf(sample.file(), start, 1))
                    .as("the inner file lies verbatim in the outer one")
                    .isPositive();
            SplitLines lines = open(sample, null);
            for (int size = 1; size <= sample.file().length; size = next(size, 3 * SIZE_STRIDE)) {
                lines.checkSplitSize(Api.MAPREDUCE, size);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> randomBoundariesOfLargerFilesDeliverEachLineOnce() {
        List<DynamicTest> tests = new ArrayList<>();
        for (CodecUnderTest format : CodecUnderTest.values()) {
            if (!format.splittableClass) {
                continue;
            }
            tests.add(DynamicTest.dynamicTest(format.toString(), () -> {
                int chunks = format == CodecUnderTest.BZIP2 ? 2 : 10;
                byte[] content =
                        SplitLines.numbered(format == CodecUnderTest.BZIP2 ? 1_900_000 : 260_000 * chunks, "\n", SEED);
                randomBoundaries(
                        new Sample(format + ", large", format, Coding.compress(format.codec(), content), content), 8);
            }));
        }
        tests.add(DynamicTest.dynamicTest("BGZF", () -> {
            byte[] content = SplitLines.numbered(1_500_000, "\r\n", SEED);
            randomBoundaries(
                    new Sample("BGZF, large", CodecUnderTest.GZIP, GzipForge.bgzf(content, 65_280, 6), content), 8);
        }));
        return tests.stream();
    }

    private void randomBoundaries(Sample sample, int rounds) throws IOException {
        Random random = new Random(SEED);
        SplitLines lines = open(sample, null);
        for (int round = 0; round < rounds; round++) {
            long[] cuts = random.longs(1 + random.nextInt(12), 1, sample.file().length)
                    .sorted()
                    .distinct()
                    .toArray();
            lines.check(Api.values()[round % 2], cuts);
        }
    }

    /** A codec with {@code mode} left alone and a small chunk size: the many-chunks file of one stream. */
    @Test
    void aStreamOfManySmallChunksSplitsAtEach() throws IOException {
        CodecUnderTest format = CodecUnderTest.GZIP;
        Configuration conf = format.conf();
        conf.setInt(CodecUnderTest.PREFIX + "chunk.size", 65_536);
        byte[] content = SplitLines.numbered(1_000_000, "\n", SEED + 3);
        randomBoundaries(new Sample("gzip 64 KiB", format, Coding.compress(format.codec(conf), content), content), 10);
    }

    /**
     * The file lies in memory: on a disk most of the time of many small splits went into looking for it and opening it.
     */
    private static SplitLines open(Sample sample, String delimiter) throws IOException {
        return SplitLines.inMemory(
                sample.format().conf(), sample.file(), sample.format().suffix, delimiter, sample.content());
    }

    private static String escaped(String ending) {
        return ending.replace("\r", "CR").replace("\n", "LF");
    }
}
