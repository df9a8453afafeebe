package io.warpcodec.demo;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bin/warpcodec demo} on a little text: real MapReduce and Spark jobs through a splittable format and a pass
 * over another, with the same answer. {@code -Dwarpcodec.test.demo.formats=gzip,deflate,bzip2,lz4,snappy,zstd} takes
 * all of them.
 */
class DemoIT {

    private static final Path LAUNCHER =
            Path.of("../bin/warpcodec").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    @Test
    void theFormatsGiveTheSameAnswerAndNothingIsLeftBehind() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        File out = folder.resolve("out").toFile();
        String formats = System.getProperty("warpcodec.test.demo.formats", "lz4,snappy");
        ProcessBuilder builder = new ProcessBuilder(LAUNCHER.toString(), "demo", "--size", "2", "--formats", formats)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out);
        builder.environment().put("WARPCODEC_BUILD", "no");
        builder.environment().put("WARPCODEC_CLASS_DATA", "no");
        builder.environment()
                .put(
                        "WARPCODEC_JAVA_OPTIONS",
                        "-Xmx1500m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UseTransparentHugePages -Djava.io.tmpdir="
                                + temporary);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process demo = builder.start();
        try {
            assertThat(demo.waitFor(10, MINUTES)).isTrue();
        } finally {
            demo.destroy();
        }

        List<String> lines = Files.readAllLines(out.toPath());
        assertThat(demo.exitValue()).as(String.join("\n", lines)).isZero();
        for (Format format : Format.values()) {
            boolean wanted = Set.of(formats.split(",")).contains(format.word());
            assertThat(lines.stream().filter(line -> line.startsWith(format.suffix() + " ")))
                    .as(String.join("\n", lines))
                    .hasSize(wanted ? 1 : 0)
                    .allMatch(line -> line.endsWith("  yes"));
        }
        assertThat(lines).noneMatch(line -> line.endsWith("  NO"));
        assertThat(lines).noneMatch(line -> line.startsWith("WARNING: "));
        assertThat(temporary.toFile().list((parent, name) -> name.startsWith("warpcodec-demo-")))
                .isEmpty();
    }
}
