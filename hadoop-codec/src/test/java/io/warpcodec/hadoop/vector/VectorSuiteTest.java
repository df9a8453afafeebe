package io.warpcodec.hadoop.vector;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.github.luben.zstd.Zstd;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Decoding;
import io.warpcodec.hadoop.Outcome;
import io.warpcodec.hadoop.Sizes;
import io.warpcodec.hadoop.Trickle;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Factory;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.xerial.snappy.Snappy;

/**
 * Files of a folder of vectors, and golden files of the tree, all through the codec's stream and through its bare
 * Decompressor. Feeds and reads have many sizes. Behind every file, refused or not, the pooled object reads a good
 * file. A bomb goes through the stream only, without a pooled object.
 *
 * <p>{@code -Dwarpcodec.vectors=DIR} names the folder, which has a folder per format with an {@code EXPECTED.tsv}.
 * {@code -Dwarpcodec.vectors.folders=A,B} takes some of them.
 */
class VectorSuiteTest {
    private static final long SEED = 20261120L;
    private static final int LIMIT_SECONDS = 120;
    /** Reads of one byte cost more than they show above this many decoded bytes. */
    private static final long SMALL_BYTES = 1 << 16;

    private static final long MEDIUM_BYTES = 1 << 21;
    /**
     * On an engine of the run that is slow, as test engines are, one in so many vectors is read in the smallest pieces.
     */
    private static final int TINY_STRIDE = Integer.getInteger(
            "warpcodec.test.vector.stride",
            System.getProperty("warpcodec.test.engine", "").isEmpty() ? 1 : 9);

    /** Passed vectors by folder and expectation: the table that this suite prints. */
    private static final Map<String, Map<Vector.Expect, Integer>> PASSED = new ConcurrentSkipListMap<>();

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicNode> everyVectorIsReadAsExpected() throws IOException {
        Path folders = Path.of(System.getProperty("warpcodec.vectors", "../../shared/vectors"));
        Assumptions.assumeTrue(Files.isDirectory(folders), () -> "no vectors at " + folders.toAbsolutePath());
        List<DynamicNode> nodes = new ArrayList<>();
        try (Stream<Path> listed = Files.list(folders)) {
            for (Path folder :
                    listed.filter(VectorSuiteTest::isAskedFor).sorted().toList()) {
                nodes.add(folder(folder, folder.getFileName().toString()));
            }
        }
        assertThat(nodes).as("folders with EXPECTED.tsv in " + folders).isNotEmpty();
        return nodes.stream();
    }

    /** The files in the tree: what released versions of ours wrote. They are there in any clone. */
    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicNode> everyGoldenFileIsReadAsExpected() throws IOException {
        Path formats = Path.of(System.getProperty("warpcodec.golden", "../golden"));
        List<DynamicNode> nodes = new ArrayList<>();
        try (Stream<Path> folders = Files.walk(formats, 2)) {
            for (Path folder : folders.filter(f -> Files.exists(f.resolve("EXPECTED.tsv")))
                    .filter(f -> CodecUnderTest.ofVectorFolder(
                                    f.getParent().getFileName().toString())
                            != null)
                    .sorted()
                    .toList()) {
                nodes.add(folder(folder, folder.getParent().getFileName().toString()));
            }
        }
        assertThat(nodes).as("folders with EXPECTED.tsv in " + formats).hasSizeGreaterThan(2);
        return nodes.stream();
    }

    private static boolean isAskedFor(Path folder) {
        String only = System.getProperty("warpcodec.vectors.folders", "");
        return Files.exists(folder.resolve("EXPECTED.tsv"))
                && (only.isEmpty()
                        || Set.of(only.split(",")).contains(folder.getFileName().toString()));
    }

    private static DynamicNode folder(Path folder, String formatName) throws IOException {
        String name = formatName.equals(folder.getFileName().toString())
                ? formatName
                : formatName + "/" + folder.getFileName();
        CodecUnderTest format = CodecUnderTest.ofVectorFolder(formatName);
        if (format == null) {
            return DynamicTest.dynamicTest(name, () -> Assumptions.abort("no codec reads " + name));
        }
        List<Vector> vectors = Vector.list(folder);
        Vector healthy = vectors.stream()
                .filter(v -> v.expect() == Vector.Expect.GOOD && v.outBytes() > 0 && v.outBytes() < SMALL_BYTES)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no small good vector in " + folder));
        CompressionCodec codec = format.codec();
        return DynamicContainer.dynamicContainer(
                name,
                vectors.stream()
                        .map(vector -> DynamicTest.dynamicTest(vector.toString(), () -> {
                            assertTimeoutPreemptively(
                                    ofSeconds(LIMIT_SECONDS), () -> new Pass(format, codec, vector, healthy).run());
                            PASSED.computeIfAbsent(name, n -> new ConcurrentHashMap<>())
                                    .merge(vector.expect(), 1, Integer::sum);
                        })));
    }

    /** The build runs this suite once more on the oldest libraries that a host may bring: these must be the ones. */
    @Test
    void theLibrariesAreThoseThatTheRunAsksFor() {
        String expected = System.getProperty("warpcodec.expected.libraries", "");
        Assumptions.assumeFalse(expected.isEmpty(), "any libraries will do");
        String found = Stream.of(LZ4Factory.class, Snappy.class, Zstd.class)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .map(jar -> jar.substring(jar.lastIndexOf('/') + 1).replace(".jar", ""))
                .collect(Collectors.joining(" "));
        assertThat(found).isEqualTo(expected);
    }

    @AfterAll
    static void printTable() {
        StringBuilder table = new StringBuilder(String.format("%-14s", "vectors"));
        for (Vector.Expect expect : Vector.Expect.values()) {
            table.append(String.format("%8s", expect));
        }
        PASSED.forEach((folder, counts) -> {
            table.append(String.format("%n%-14s", folder));
            for (Vector.Expect expect : Vector.Expect.values()) {
                table.append(String.format("%8d", counts.getOrDefault(expect, 0)));
            }
        });
        System.out.println(table);
    }

    /** One vector on every entry path. */
    private record Pass(CodecUnderTest format, CompressionCodec codec, Vector vector, Vector healthy) {

        void run() throws IOException {
            if (vector.isBomb()) {
                stream(false, Sizes.of(1 << 16), Sizes.of(1 << 16));
                return;
            }
            // what a refused file decodes to before its defect is in no table
            long decodedBytes = stream(true, Sizes.of(4096), Sizes.random(SEED, 4096));
            bare(Sizes.of(4096), Sizes.of(4096));
            if (decodedBytes <= MEDIUM_BYTES) {
                stream(false, Sizes.of(1 << 16), Sizes.of(1 << 16));
            }
            boolean small = decodedBytes <= SMALL_BYTES && Files.size(vector.file()) <= SMALL_BYTES;
            boolean tiny = small && Math.floorMod(vector.name().hashCode(), TINY_STRIDE) == 0;
            if (tiny) {
                stream(true, Sizes.of(1), Sizes.of(7));
                stream(true, Sizes.of(7), Sizes.of(1));
            }
            // zeros behind a member that come in feeds of their own are another file, and a bad one
            if (tiny && !vector.name().equals("zeros-behind.gz")) {
                bare(Sizes.of(1), Sizes.of(7));
                bare(Sizes.of(7), Sizes.of(1));
                bare(Sizes.random(SEED, 4096), Sizes.random(SEED + 1, 4096));
            }
        }

        /** Through the codec's stream, with a pooled decompressor or with none given; how many bytes came out. */
        private long stream(boolean pooled, Sizes pieces, Sizes reads) throws IOException {
            Decompressor decompressor = pooled ? CodecPool.getDecompressor(codec) : null;
            Outcome outcome = Decoding.throughStream(codec, decompressor, new Trickle(vector.open(), pieces), reads);
            judge(outcome, "stream, source pieces of " + pieces + ", reads of " + reads);
            if (pooled) {
                CodecPool.returnDecompressor(decompressor);
                Decompressor again = CodecPool.getDecompressor(codec);
                recover(Decoding.throughStream(codec, again, healthy.open(), reads), true);
                CodecPool.returnDecompressor(again);
            }
            return outcome.bytes();
        }

        private void bare(Sizes feeds, Sizes outputs) throws IOException {
            if (Files.size(vector.file()) == 0) {
                return; // a Decompressor that is never fed has nothing to refuse
            }
            Decompressor decompressor = CodecPool.getDecompressor(codec);
            try (InputStream in = vector.open()) {
                judge(
                        Decoding.throughDecompressor(decompressor, in, feeds, outputs),
                        "Decompressor, feeds of " + feeds + ", outputs of " + outputs);
            }
            decompressor.reset();
            byte[] good = Files.readAllBytes(healthy.file());
            recover(Decoding.throughDecompressor(decompressor, new ByteArrayInputStream(good), feeds, outputs), false);
            CodecPool.returnDecompressor(decompressor);
        }

        private void judge(Outcome outcome, String path) throws IOException {
            String complaint = vector.complaint(outcome, new Oracles(format));
            if (complaint != null) {
                throw new AssertionError(
                        complaint + " but got " + outcome + " (" + path + "; reference: " + vector.note() + ")",
                        outcome.error());
            }
        }

        private void recover(Outcome outcome, boolean stream) {
            if (!outcome.isSuccess() || !outcome.sha256().equals(healthy.outSha256())) {
                throw new AssertionError(
                        "the " + (stream ? "pooled stream" : "Decompressor") + " reads " + healthy.name() + " as "
                                + outcome + " after this vector",
                        outcome.error());
            }
        }
    }
}
