package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/**
 * The files of a folder's {@code EXPECTED.tsv} through the stream and through the push decoder: good ones give
 * exactly their bytes, bad ones an IOException, trailed ones their bytes and then an IOException.
 */
public record VectorFolder(Path folder, Format format, CodecOptions options) {
    /** Larger files are decoded once, by the stream. */
    private static final long SMALL_BYTES = 1 << 20;

    /** Files that end in what is no stream: pushed behind a finished stream it is another file, and a bad one. */
    private static final Set<String> WHOLE_ONLY = Set.of("zeros-behind.gz");

    /** A folder of {@code -Dwarpcodec.vectors}: other tools' files. */
    public VectorFolder(String name, Format format, CodecOptions options) {
        this(Path.of(System.getProperty("warpcodec.vectors", "../../shared/vectors"), name), format, options);
    }

    public Stream<DynamicTest> tests() throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(folder), () -> "no vectors at " + folder.toAbsolutePath());
        List<String> lines = Files.readAllLines(folder.resolve("EXPECTED.tsv"));
        List<String> columns = Arrays.asList(lines.get(0).split("\t", -1));
        return lines.stream().skip(1).filter(line -> !line.isBlank()).map(line -> {
            String[] cells = line.split("\t", -1);
            String path = cells[columns.indexOf("path")];
            String expect = cells[columns.indexOf("expect")];
            String sha256 = cells[columns.indexOf("out_sha256")];
            return DynamicTest.dynamicTest(expect + " " + path, () -> check(folder.resolve(path), expect, sha256));
        });
    }

    private void check(Path file, String expect, String sha256) throws IOException {
        String name = file.getFileName().toString();
        judge(expect, sha256, "stream", sink -> {
            try (InputStream in =
                    new ChunkedInputStream(new BufferedInputStream(Files.newInputStream(file)), format, options)) {
                in.transferTo(sink);
            }
        });
        // nothing pushed is no stream yet: whether that is legal only a stream can tell
        if (Files.size(file) > 0 && Files.size(file) <= SMALL_BYTES) {
            byte[] bytes = Files.readAllBytes(file);
            StreamRig rig = new StreamRig(format, options);
            judge(expect, sha256, "push", sink -> rig.push(bytes, 4096, 4096, sink));
            String byBytes = WHOLE_ONLY.contains(name) ? "bad" : expect;
            judge(byBytes, sha256, "push by bytes", sink -> rig.push(bytes, 1, 777, sink));
        }
    }

    /** Decodes a file into a sink. */
    private interface Decoding {
        void into(OutputStream sink) throws IOException;
    }

    private static void judge(String expect, String sha256, String way, Decoding decoding) {
        IOException error = null;
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
        try (OutputStream sink = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            decoding.into(sink);
        } catch (IOException thrown) {
            error = thrown;
        }
        String got = HexFormat.of().formatHex(digest.digest());
        switch (expect) {
            case "good" -> {
                assertThat(error).as(way).isNull();
                assertThat(got).as(way).isEqualTo(sha256);
            }
            case "bad" -> assertThat(error).as(way).isNotNull();
            case "trail" -> {
                assertThat(error).as(way).isNotNull();
                assertThat(got).as(way).isEqualTo(sha256);
            }
            case "split" -> {
                if (error == null && !sha256.equals("-")) {
                    assertThat(got).as(way).isEqualTo(sha256);
                }
            }
            default -> fail("unknown expectation " + expect);
        }
    }
}
