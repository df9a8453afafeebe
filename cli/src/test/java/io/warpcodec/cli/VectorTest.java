package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import io.warpcodec.cli.input.FormatDetector;
import io.warpcodec.cli.terminal.ExitCode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Other people's compressed files ({@code -Dwarpcodec.vectors=DIR}) and the golden ones of the tree through
 * {@code decompress -c}: good ones give exactly their bytes and exit code 0, bad ones exit code 2 and one line. Those
 * that decode to much are left to the codecs' own suite: the tool adds nothing to them.
 */
class VectorTest {

    /** {@code -Dwarpcodec.test.sizes=all} leaves out only what decodes to more than 64 MiB. */
    private static final long MOST_RAW_BYTES =
            System.getProperty("warpcodec.test.sizes", "").equals("all") ? 64 << 20 : 1 << 20;

    private static final Map<String, Format> FORMATS = Map.of(
            "gzip", Format.GZIP,
            "zlib", Format.ZLIB,
            "bzip2", Format.BZIP2,
            "zstd", Format.ZSTD,
            "lz4", Format.LZ4,
            "hadoop-lz4", Format.LZ4,
            "hadoop-snappy", Format.SNAPPY);

    @TestFactory
    Stream<DynamicNode> everyVectorIsReadAsExpected() throws IOException {
        Path folders = Path.of(System.getProperty("warpcodec.vectors", "../../shared/vectors"));
        Assumptions.assumeTrue(Files.isDirectory(folders), () -> "no vectors at " + folders.toAbsolutePath());
        return FORMATS.entrySet().stream()
                .filter(entry -> Files.exists(folders.resolve(entry.getKey()).resolve("EXPECTED.tsv")))
                .map(entry -> folder(folders.resolve(entry.getKey()), entry.getValue()));
    }

    /** The files in the tree: what released versions of ours wrote. They are there in any clone. */
    @TestFactory
    Stream<DynamicNode> everyGoldenFileIsReadAsExpected() throws IOException {
        Path formats = Path.of(System.getProperty("warpcodec.golden", "../golden"));
        List<DynamicNode> nodes = new ArrayList<>();
        for (String format : List.of("gzip", "lz4", "zstd")) {
            try (Stream<Path> versions = Files.list(formats.resolve(format))) {
                versions.sorted().forEach(folder -> nodes.add(folder(folder, FORMATS.get(format))));
            }
        }
        return nodes.stream();
    }

    private static DynamicNode folder(Path folder, Format format) {
        try {
            List<String> lines = Files.readAllLines(folder.resolve("EXPECTED.tsv"));
            List<String> columns = Arrays.asList(lines.get(0).split("\t", -1));
            return DynamicContainer.dynamicContainer(
                    folder.toString(),
                    lines.stream()
                            .skip(1)
                            .filter(line -> !line.isBlank())
                            .map(line -> line.split("\t", -1))
                            .map(cells -> new Vector(
                                    folder.resolve(cells[columns.indexOf("path")]),
                                    format,
                                    cells[columns.indexOf("expect")],
                                    cells[columns.indexOf("out_bytes")],
                                    cells[columns.indexOf("out_sha256")]))
                            .filter(Vector::isSmall)
                            .map(vector -> DynamicTest.dynamicTest(vector.expect + " " + vector.file, vector::check)));
        } catch (IOException unreadable) {
            return DynamicTest.dynamicTest(folder.toString(), () -> {
                throw unreadable;
            });
        }
    }

    private record Vector(Path file, Format format, String expect, String outBytes, String outSha256) {

        boolean isSmall() {
            return outBytes.equals("-") || Long.parseLong(outBytes) <= MOST_RAW_BYTES;
        }

        void check() throws IOException, NoSuchAlgorithmException {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            OutputStream sink = new DigestOutputStream(OutputStream.nullOutputStream(), digest);
            ToolRun run = ToolRun.into(sink, new byte[0], "decompress", "-c", "--format", format.word(), file);
            String got = HexFormat.of().formatHex(digest.digest());
            switch (expect) {
                case "good" -> {
                    assertThat(run.complaints()).isEmpty();
                    assertThat(run.exit()).isEqualTo(ExitCode.DONE);
                    assertThat(got).isEqualTo(outSha256);
                    assertThat(detected()).isIn(format, null);
                }
                case "bad" -> assertRefused(run);
                case "trail" -> {
                    assertRefused(run);
                    assertThat(got).isEqualTo(outSha256);
                }
                default -> assertThat(run.exit()).isIn(ExitCode.DONE, ExitCode.CORRUPT);
            }
        }

        private void assertRefused(ToolRun run) {
            assertThat(run.exit()).isEqualTo(ExitCode.CORRUPT);
            assertThat(run.complaints()).hasSize(1);
            assertThat(run.err()).contains(file.toString()).containsPattern("at offset \\d+: ");
        }

        /** What content alone says; Hadoop's framings say nothing. */
        private Format detected() throws IOException {
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file), FormatDetector.HEAD_BYTES)) {
                return FormatDetector.detect(in, "nameless");
            }
        }
    }
}
