package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warpcodec.Format;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** info, verify, doctor and classpath say what is the case. */
class ReportTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private JsonNode info(Path file) throws IOException {
        ToolRun run = ToolRun.of("info", "--decode", "--json", file);
        assertThat(run.complaints()).isEmpty();
        return JSON.readTree(run.out());
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void infoCountsOurChunksAndBytes(Format format) throws IOException {
        int rawBytes = 3 * format.defaultChunkBytes() - 1;
        Path file = Files.write(
                folder.resolve("ours" + format.suffix()),
                ToolRun.fed(Samples.text(rawBytes), "compress", "--format", format.word(), "-")
                        .out());
        JsonNode info = info(file);
        assertThat(info.get("format").asText()).isEqualTo(format.word());
        assertThat(info.get("rawBytes").asLong()).isEqualTo(rawBytes);
        assertThat(info.get("compressedBytes").asLong()).isEqualTo(Files.size(file));
        if (format != Format.ZLIB) {
            assertThat(info.get("chunks").asLong()).isEqualTo(3);
            assertThat(info.get("splittable").asBoolean()).isEqualTo(format != Format.SNAPPY);
        }
        assertThat(ToolRun.of("info", "--decode", file).text())
                .contains("rawBytes")
                .contains(Integer.toString(rawBytes));
    }

    @Test
    void infoSeesThatAPlainGzipFileHasOneMemberAndNoIndex() throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(sink)) {
            gzip.write(Samples.text(500_000));
        }
        JsonNode info = info(Files.write(folder.resolve("plain.gz"), sink.toByteArray()));
        assertThat(info.get("chunks").asLong()).isEqualTo(1);
        assertThat(info.get("streamedChunks").asLong()).isEqualTo(1);
        assertThat(info.get("index").asText()).isEqualTo("none");
        assertThat(info.get("splittable").asBoolean()).isFalse();
        assertThat(info.get("checksum").asText()).isEqualTo("CRC-32");
    }

    @Test
    void infoSeesTheIndexBesideAPlainGzipFile() throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(sink)) {
            gzip.write(Samples.text(500_000));
        }
        Path file = Files.write(folder.resolve("plain.gz"), sink.toByteArray());
        ToolRun.of("index", "--spacing", 20_000, file);
        JsonNode info = info(file);
        assertThat(info.get("index").asText()).matches("beside the file, [1-9][0-9]* places");
        assertThat(info.get("splittable").asBoolean()).isTrue();
        Files.write(file, sink.toByteArray(), StandardOpenOption.APPEND);
        assertThat(info(file).get("index").asText()).isEqualTo("none");
    }

    /** Two frames without checksum or size, and the table that names them. */
    @Test
    void infoSeesTheSeekTableOfAZstdFile() throws IOException {
        byte[] frame = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0x58, 0x19, 0, 0, 'a', 'b', 'c'};
        ByteBuffer bytes = ByteBuffer.allocate(2 * frame.length + 33).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(frame).put(frame).putInt(0x184d_2a5e).putInt(25);
        bytes.putInt(frame.length).putInt(3).putInt(frame.length).putInt(3);
        bytes.putInt(2).put((byte) 0).putInt(0x8f92_eab1);
        Path file = Files.write(folder.resolve("seekable.zst"), bytes.array());
        JsonNode info = info(file);
        assertThat(info.get("rawBytes").asLong()).isEqualTo(6);
        assertThat(info.get("index").asText()).isEqualTo("seek table, 1 places");
        assertThat(info.get("splittable").asBoolean()).isTrue();
        Files.write(file, frame, StandardOpenOption.APPEND);
        assertThat(info(file).get("splittable").asBoolean()).isFalse();
    }

    @Test
    void verifySaysOkAndWritesNothing() throws IOException {
        Path file = Files.write(
                folder.resolve("ours.gz"),
                ToolRun.fed(Samples.text(5_000), "compress", "-").out());
        ToolRun run = ToolRun.of("verify", file);
        assertThat(run.exit()).isZero();
        assertThat(run.text()).isEqualTo(file + ": ok, gzip, 5000 bytes\n");
        assertThat(folder.toFile().list()).containsExactly("ours.gz");
    }

    @Test
    void doctorNamesTheClassOfEachSuffix() throws IOException {
        ToolRun run = ToolRun.of("doctor", "--json");
        assertThat(run.exit()).isZero();
        JsonNode report = JSON.readTree(run.out());
        for (Format format : Format.values()) {
            JsonNode codec = report.at("/suffixes/withOursListedLast").get(format.suffix());
            assertThat(codec.get("class").asText()).startsWith("io.warpcodec.hadoop.Gpu");
            assertThat(codec.get("jar").asText()).isNotEmpty();
        }
        assertThat(report.at("/natives/zstd/loaded").asBoolean()).isTrue();
        assertThat(report.at("/temporaryFolder/writable").asBoolean()).isTrue();
        assertThat(report.at("/driver/reason").asText()).isNotEmpty();
        assertThat(ToolRun.of("doctor").text()).contains("driver:").contains("kernels:");
    }

    @Test
    void helpNamesEveryVerb() {
        ToolRun run = ToolRun.of("--help");
        assertThat(run.exit()).isZero();
        assertThat(run.text())
                .contains("compress", "decompress", "info", "verify", "recompress", "index")
                .contains("bench", "doctor", "demo", "classpath");
    }

    @Test
    void classpathIsOneLine() {
        ToolRun run = ToolRun.of("classpath");
        assertThat(run.exit()).isZero();
        assertThat(run.text().lines()).hasSize(1);
    }
}
