package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexException;
import io.warpcodec.golden.GoldenFolder;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.gzipindex.IndexedFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every file that a released version has written is read for ever, whole and in splits. */
class GoldenFilesTest {
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withMode(Mode.CPU);

    @Test
    void theFoldersAreAsTheyWereWritten() throws Exception {
        for (String format : List.of("gzip", "gzip-index", "lz4", "zstd")) {
            for (GoldenFolder folder : GoldenFolder.of(format)) {
                List<GoldenFolder.Line> lines = folder.lines();
                assertThat(lines)
                        .extracting(GoldenFolder.Line::name)
                        .containsExactlyInAnyOrderElementsOf(folder.names());
                for (GoldenFolder.Line line : lines) {
                    assertThat(sha256(folder.read(line.name())))
                            .as("%s %s", folder, line)
                            .isEqualTo(line.sha256());
                }
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> gzipFilesAreReadAsExpected() throws IOException {
        return whole(Format.GZIP);
    }

    @TestFactory
    Stream<DynamicTest> lz4FilesAreReadAsExpected() throws IOException {
        return whole(Format.LZ4);
    }

    @TestFactory
    Stream<DynamicTest> zstdFilesAreReadAsExpected() throws IOException {
        return whole(Format.ZSTD);
    }

    private static Stream<DynamicTest> whole(Format format) throws IOException {
        Stream<DynamicTest> tests = Stream.empty();
        for (GoldenFolder folder : GoldenFolder.of(format.word())) {
            tests = Stream.concat(tests, new VectorFolder(folder.path(), format, OPTIONS).tests());
        }
        return tests;
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4", "ZSTD"})
    void goodFilesAreReadOnceInSplits(Format format) throws Exception {
        for (GoldenFolder folder : GoldenFolder.of(format.word())) {
            int later = 0;
            for (GoldenFolder.Line line : folder.lines()) {
                byte[] file = folder.read(line.name());
                for (int splitBytes = 151; line.isGood() && splitBytes < 3 * file.length; splitBytes *= 7) {
                    ByteArrayOutputStream all = new ByteArrayOutputStream();
                    for (int start = 0; start < file.length; start += splitBytes) {
                        byte[] split = split(format, file, start, Math.min(file.length, start + splitBytes));
                        later += start > 0 && split.length > 0 ? 1 : 0;
                        all.writeBytes(split);
                    }
                    assertThat(sha256(all.toByteArray()))
                            .as("%s %s in splits of %d", folder, line, splitBytes)
                            .isEqualTo(line.rawSha256());
                }
            }
            assertThat(later)
                    .as("splits of %s that begin inside a file", folder)
                    .isGreaterThan(50);
        }
    }

    /** What a reader that goes by positions takes of a split. */
    private static byte[] split(Format format, byte[] file, long start, long end) throws IOException {
        Seekable source = new Seekable(file);
        ByteArrayOutputStream owned = new ByteArrayOutputStream();
        byte[] buffer = new byte[777];
        try (ChunkedInputStream in =
                new ChunkedInputStream(source, format, OPTIONS, new SplitRange(start, end, source::seek))) {
            while (in.position() <= end) {
                int count = in.read(buffer);
                if (count < 0 || in.position() > end) {
                    break;
                }
                owned.write(buffer, 0, count);
            }
        }
        return owned.toByteArray();
    }

    /** A source that a split can seek in. */
    private static final class Seekable extends ByteArrayInputStream {
        Seekable(byte[] bytes) {
            super(bytes);
        }

        void seek(long offset) {
            pos = (int) offset;
        }
    }

    @Test
    void goodIndexesDivideTheirFile() throws Exception {
        for (GoldenFolder folder : GoldenFolder.of("gzip-index")) {
            for (GoldenFolder.Line line : folder.lines()) {
                if (!line.isGood() || line.name().startsWith(".")) {
                    continue;
                }
                byte[] file = folder.read(line.name());
                byte[] index = folder.read(GzipIndex.nameFor(line.name()));
                GzipIndex parsed =
                        GzipIndex.parse(Arrays.copyOf(index, GzipIndex.tableBytes(index, index.length)), index.length);
                assertThat(parsed.count()).isGreaterThan(2);
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                for (int i = 0; i < parsed.count(); i++) {
                    long end = i + 1 < parsed.count() ? parsed.point(i + 1).byteOffset() : file.length;
                    byte[] span =
                            new IndexedFile(file, index).split(parsed.point(i).byteOffset(), end, OPTIONS);
                    assertThat((long) span.length).isEqualTo(parsed.spanBytes(i));
                    all.writeBytes(span);
                }
                assertThat(sha256(all.toByteArray())).as(line.name()).isEqualTo(line.rawSha256());
            }
        }
    }

    @Test
    void eachDefectOfAnIndexIsSeenAndTheFileIsReadAllTheSame() throws Exception {
        for (GoldenFolder folder : GoldenFolder.of("gzip-index")) {
            byte[] file = folder.read("one-member.gz");
            String raw = folder.lines().get(0).rawSha256();
            for (GoldenFolder.Line line : folder.lines()) {
                if (line.isGood()) {
                    continue;
                }
                byte[] index = folder.read(line.name());
                LongAdder ignored = Metrics.counter("fallback.decode.gzip.sidecar-" + line.note());
                long before = ignored.sum();
                IndexedFile indexed = new IndexedFile(file, index);
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                all.writeBytes(indexed.split(0, file.length / 2, OPTIONS));
                all.writeBytes(indexed.split(file.length / 2, file.length, OPTIONS));
                assertThat(sha256(all.toByteArray())).as(line.name()).isEqualTo(raw);
                if (line.note().equals("window")) {
                    assertWindowIsDamaged(index);
                } else {
                    assertThat(ignored.sum() - before).as(line.name()).isEqualTo(2);
                }
            }
        }
    }

    private static void assertWindowIsDamaged(byte[] index) throws IOException {
        GzipIndex parsed =
                GzipIndex.parse(Arrays.copyOf(index, GzipIndex.tableBytes(index, index.length)), index.length);
        int at = (int) parsed.windowOffset(1);
        byte[] stored = Arrays.copyOfRange(index, at, at + parsed.windowStoredBytes(1));
        assertThatThrownBy(() -> parsed.window(1, stored)).isInstanceOf(GzipIndexException.class);
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
