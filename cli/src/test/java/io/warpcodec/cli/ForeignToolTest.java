package io.warpcodec.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The command line tools of the formats read what we write, and we read what they write. */
class ForeignToolTest {

    @TempDir
    Path folder;

    static Stream<Arguments> toolsAndSizes() {
        return Stream.of(
                        Arguments.of("gzip", Format.GZIP),
                        Arguments.of("bzip2", Format.BZIP2),
                        Arguments.of("lz4", Format.LZ4),
                        Arguments.of("zstd", Format.ZSTD))
                .flatMap(pair ->
                        Stream.of(0, 1, 1_000_000).map(size -> Arguments.of(pair.get()[0], pair.get()[1], size)));
    }

    @ParameterizedTest
    @MethodSource("toolsAndSizes")
    void toolReadsWhatWeWrite(String tool, Format format, int size) throws Exception {
        assumeInstalled(tool);
        byte[] raw = Samples.text(size);
        Path compressed = Files.write(
                folder.resolve("ours" + format.suffix()),
                ToolRun.fed(raw, "compress", "--format", format.word(), "-").out());
        assertThat(filter(compressed, tool, "-d", "-c")).isEqualTo(raw);
    }

    @ParameterizedTest
    @MethodSource("toolsAndSizes")
    void weReadWhatTheToolWrites(String tool, Format format, int size) throws Exception {
        assumeInstalled(tool);
        byte[] raw = Samples.text(size);
        Path plain = Files.write(folder.resolve("plain"), raw);
        byte[] compressed = filter(plain, tool, "-c");
        ToolRun run = ToolRun.fed(compressed, "decompress", "-");
        assertThat(run.complaints()).isEmpty();
        assertThat(run.out()).isEqualTo(raw);
    }

    private static void assumeInstalled(String tool) {
        Assumptions.assumeTrue(
                Stream.of(System.getenv("PATH").split(":")).anyMatch(bin -> Files.isExecutable(Path.of(bin, tool))),
                tool + " is not installed");
    }

    private byte[] filter(Path input, String... command) throws IOException, InterruptedException {
        Path output = folder.resolve("filtered");
        Process process = new ProcessBuilder(command)
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .redirectError(Redirect.INHERIT)
                .start();
        assertThat(process.waitFor(300, SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return Files.readAllBytes(output);
    }
}
