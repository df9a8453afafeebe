package io.warpcodec.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HostLibrariesTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "lz4-java, 1.7.1, 1.10.1",
                "lz4-java, 1.10.0, 1.10.1",
                "lz4-java, 1.10.1, none",
                "lz4-java, 1.12.1, none",
                "lz4-java, unknown, none",
                "snappy-java, 1.1.8.2, 1.1.10.4",
                "snappy-java, 1.1.10.3, 1.1.10.4",
                "snappy-java, 1.1.10.4, none",
                "snappy-java, 1.1.10.12, none",
                "commons-compress, 1.23.0, 1.26.0",
                "commons-compress, 1.26.0, none",
                "zstd-jni, 1.5.5-4, none",
            })
    void aVersionBelowTheLeastIsFound(String artifact, String version, String least) {
        assertThat(LeastVersion.above(artifact, version).map(LeastVersion::version))
                .isEqualTo(Optional.ofNullable(least));
    }

    @ParameterizedTest
    @EnumSource
    void securityNamesEachLeastVersion(LeastVersion least) throws IOException {
        assertThat(Files.readString(Path.of("..", "SECURITY.md")))
                .contains("| " + least.artifact() + " | " + least.version() + " | CVE-");
    }

    @Test
    void aVulnerableJarOnTheClassPathIsNamedWithItsRemedy() throws IOException {
        Path jar = jar("lz4-java-1.8.0.jar", "net/jpountz/lz4/LZ4Factory.class");
        assertThat(examine(jar).problems()).anySatisfy(problem -> {
            assertThat(problem.what()).startsWith("lz4-java 1.8.0 in " + jar).endsWith("SECURITY.md names");
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

    /** Spark in local mode copies the application's jar; {@code hadoop jar} unpacks it. */
    @Test
    void copiesOfOneJarAreOneAndAnotherBuildIsNot() throws IOException {
        Path jar = ourJar("warpcodec-all.jar", "1.2.3", "code");
        Path copy = Files.copy(
                jar, Files.createDirectories(folder.resolve("a copy")).resolve("warpcodec-all.jar"));
        Path unpacked = folder.resolve("unpacked");
        Path codec = unpacked.resolve(CODEC);
        Files.createDirectories(codec.getParent());
        Files.writeString(codec, "code");
        for (List<Path> places : List.of(List.of(jar, copy), List.of(unpacked, jar), List.of(jar, unpacked, copy))) {
            NodeReport report = examine(places.toArray(Path[]::new));
            assertThat(report.problems()).as("%s", places).isEmpty();
            assertThat(inJar(report)).containsEntry("version", "1.2.3").doesNotContainKey("alsoIn");
        }
        Path other = ourJar("warpcodec-all-2.jar", "1.2.4", "code");
        assertThat(examine(jar, copy, other).problems())
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.what()).contains(jar + " (1.2.3) wins over " + other + " (1.2.4)"));
        Files.writeString(codec, "other code");
        assertThat(examine(unpacked, jar).problems()).hasSize(1);
        Files.writeString(codec, "code");
        Files.writeString(codec.resolveSibling("More.class"), "");
        assertThat(examine(unpacked, jar).problems()).hasSize(1);
    }

    /** The jar for Hadoop has lz4-java and zstd-jni for hosts that have none. */
    @Test
    void libraryInOurJarIsNoSecondOne() throws IOException {
        Path host = jar("snappy-java-1.1.10.5.jar", "org/xerial/snappy/Snappy.class");
        Path ours = folder.resolve("warpcodec-hadoop-all.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(ours))) {
            for (String entry : List.of("io/warpcodec/Format.class", "org/xerial/snappy/Snappy.class")) {
                out.putNextEntry(new JarEntry(entry));
            }
        }
        assertThat(examine(ours).problems())
                .extracting(Problem::what)
                .noneMatch(what -> what.startsWith("snappy-java"));
        assertThat(examine(ours, host).problems())
                .extracting(Problem::what)
                .filteredOn(what -> what.startsWith("snappy-java"))
                .singleElement()
                .satisfies(what -> assertThat(what).contains(host.toString()).doesNotContain(ours.toString()));
    }

    private static final String CODEC = "io/warpcodec/hadoop/GpuGzipCodec.class";

    private Path ourJar(String name, String version, String code) throws IOException {
        Path jar = folder.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry(CODEC));
            out.write(code.getBytes(StandardCharsets.US_ASCII));
            out.putNextEntry(new JarEntry("io/warpcodec/version.properties"));
            out.write(("version=" + version).getBytes(StandardCharsets.US_ASCII));
        }
        return jar;
    }

    private static Map<String, Object> inJar(NodeReport report) {
        Map<String, Object> found = new TreeMap<>();
        ((Map<?, ?>) ((Map<?, ?>) report.facts().get("classPath")).get("warpcodec-hadoop"))
                .forEach((name, value) -> found.put((String) name, value));
        return found;
    }

    private NodeReport examine(Path... jars) throws IOException {
        NodeReport report = new NodeReport();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), before)) {
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
