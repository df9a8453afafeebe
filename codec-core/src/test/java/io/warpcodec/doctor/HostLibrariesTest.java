package io.warpcodec.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostLibrariesTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "lz4-java, 1.7.1, CVE-2025-12183 CVE-2025-66566, 1.10.1",
                "lz4-java, 1.8.0, CVE-2025-12183 CVE-2025-66566, 1.10.1",
                "lz4-java, 1.8.1, CVE-2025-66566, 1.10.1",
                "lz4-java, 1.10.0, CVE-2025-66566, 1.10.1",
                "lz4-java, 1.10.1, none, none",
                "lz4-java, 1.12.1, none, none",
                "lz4-java, unknown, none, none",
                "snappy-java, 1.1.8.2, CVE-2023-34453 CVE-2023-34454 CVE-2023-34455 CVE-2023-43642, 1.1.10.4",
                "snappy-java, 1.1.10.3, CVE-2023-43642, 1.1.10.4",
                "snappy-java, 1.1.10.4, none, none",
                "snappy-java, 1.1.10.12, none, none",
                "commons-compress, 1.23.0, CVE-2023-42503 CVE-2024-25710 CVE-2024-26308, 1.26.0",
                "commons-compress, 1.26.0, none, none",
                "zstd-jni, 1.5.5-4, none, none",
            })
    void knownDefectsAreThoseOfTheVersion(String artifact, String version, String names, String fixed) {
        List<KnownDefects> defects = KnownDefects.of(artifact, version);
        assertThat(defects.stream().flatMap(each -> each.names().stream()))
                .containsExactlyElementsOf(names == null ? List.of() : Arrays.asList(names.split(" ")));
        if (fixed != null) {
            assertThat(KnownDefects.fixedIn(defects)).isEqualTo(fixed);
        }
    }

    @Test
    void aVulnerableJarOnTheClassPathIsNamedWithItsRemedy() throws IOException {
        Path jar = jar("lz4-java-1.8.0.jar", "net/jpountz/lz4/LZ4Factory.class");
        assertThat(examine(jar).problems()).anySatisfy(problem -> {
            assertThat(problem.what())
                    .startsWith("lz4-java 1.8.0 in " + jar)
                    .contains("CVE-2025-12183, CVE-2025-66566");
            assertThat(problem.remedy()).contains("lz4-java 1.10.1 or newer").contains("at.yawk.lz4:lz4-java");
        });
    }

    /** The jars of lz4-java and snappy-java that tests run on come first; the other version lies behind. */
    @Test
    void twoVersionsOfALibraryAreSaidAndWhichOneWins() throws IOException {
        Path jar = jar("snappy-java-1.1.10.5.jar", "org/xerial/snappy/Snappy.class");
        assertThat(examine(jar).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.what())
                        .startsWith("snappy-java is on the class path more than once: ")
                        .contains(" wins over " + jar + " (1.1.10.5)"));
    }

    @Test
    void theVersionIsReadFromWhatMavenWroteIntoTheJar() throws IOException {
        Path jar = jar(
                "renamed.jar",
                "org/apache/commons/compress/compressors/CompressorStreamFactory.class",
                "META-INF/maven/org.apache.commons/commons-compress/pom.properties");
        assertThat(examine(jar).problems())
                .anySatisfy(problem -> assertThat(problem.what()).startsWith("commons-compress 1.25.0 in " + jar));
    }

    private NodeReport examine(Path jar) throws IOException {
        NodeReport report = new NodeReport();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            HostLibraries.examine(report);
        } finally {
            thread.setContextClassLoader(before);
        }
        return report;
    }

    private Path jar(String name, String... entries) throws IOException {
        Path jar = folder.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            for (String entry : entries) {
                out.putNextEntry(new JarEntry(entry));
                out.write("version=1.25.0\n".getBytes(StandardCharsets.US_ASCII));
            }
        }
        return jar;
    }
}
