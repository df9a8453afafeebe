package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Version;
import io.warpcodec.hadoop.GpuBZip2Codec;
import io.warpcodec.hadoop.GpuDeflateCodec;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.hadoop.GpuLz4Codec;
import io.warpcodec.hadoop.GpuSnappyCodec;
import io.warpcodec.hadoop.GpuZstdCodec;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The released jars: what they say of themselves, and the one for Hadoop behind the jars that a Hadoop has by itself, and nothing beside. */
class HadoopJarIT {
    private static final List<Class<? extends CompressionCodec>> CODECS = List.of(
            GpuGzipCodec.class,
            GpuDeflateCodec.class,
            GpuBZip2Codec.class,
            GpuLz4Codec.class,
            GpuSnappyCodec.class,
            GpuZstdCodec.class);

    @TempDir
    Path folder;

    @Test
    void everySuffixIsReadOnHadoopsOwnClassPath() throws Exception {
        List<String> command = new ArrayList<>(List.of("org.apache.hadoop.fs.FsShell", "-text"));
        StringBuilder expected = new StringBuilder();
        for (Class<? extends CompressionCodec> type : CODECS) {
            String text = "a line of " + type.getSimpleName() + "\n";
            command.add(write(type, text.repeat(1000)).toString());
            expected.append(text.repeat(1000));
        }
        assertThat(run(command)).isEqualTo(expected.toString());
    }

    @Test
    void doctorIsInTheJarAndFindsNothingWrongWithIt() throws Exception {
        String jar = Installation.jar("hadoop-all").toString();
        assertThat(run(List.of("org.apache.hadoop.util.RunJar", jar, "io.warpcodec.Doctor")))
                .contains("files: ours, by io.compression.codecs\n")
                .contains("warpcodec: " + Version.text() + "\n")
                .doesNotContain("more than once")
                .doesNotContain("unknown)");
        assertThat(run(List.of("org.apache.hadoop.util.RunJar", jar, "io.warpcodec.Doctor", "--check", "cpu")))
                .isEqualTo("CPU: gzip, deflate, bzip2, lz4, snappy, zstd\n");
    }

    @Test
    void jarsSayTheirVersionAndTheirLicences() throws IOException {
        for (String module : List.of("all", "hadoop-all")) {
            try (JarFile jar = new JarFile(Installation.jar(module).toFile())) {
                Attributes main = jar.getManifest().getMainAttributes();
                assertThat(main.getValue(Attributes.Name.IMPLEMENTATION_TITLE)).startsWith("Warpcodec");
                assertThat(main.getValue(Attributes.Name.IMPLEMENTATION_VERSION))
                        .isEqualTo(Version.text());
                String notice = new String(
                        jar.getInputStream(jar.getEntry("META-INF/NOTICE")).readAllBytes(), StandardCharsets.UTF_8);
                assertThat(notice.contains("lz4-java"))
                        .isEqualTo(jar.getEntry("net/jpountz/lz4/LZ4Factory.class") != null);
            }
        }
    }

    @Test
    void theJarForHadoopHoldsWhatHadoopLacksAndNothingMore() throws IOException {
        try (JarFile jar = new JarFile(Installation.jar("hadoop-all").toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".class")))
                    .contains("net/jpountz/lz4/LZ4Factory.class", "com/github/luben/zstd/Zstd.class")
                    .allMatch(name -> name.matches("(io/warpcodec|jcuda|net/jpountz|com/github/luben/zstd)/.*"));
        }
    }

    /** A command with the class path that Hadoop's own script makes; what it printed to its standard output. */
    private String run(List<String> command) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dhadoop.tmp.dir=" + folder,
                "-cp",
                site() + ":" + Installation.classPathOf("warpcodec.test.docs.hadoop") + ":"
                        + Installation.jar("hadoop-all")));
        words.addAll(command);
        Path shown = folder.resolve("shown");
        Path errors = folder.resolve("errors");
        int status = new ProcessBuilder(words)
                .redirectOutput(shown.toFile())
                .redirectError(errors.toFile())
                .start()
                .waitFor();
        assertThat(status).as(Files.readString(errors)).isZero();
        return Files.readString(shown);
    }

    /** A Hadoop configuration folder that names our codecs. */
    private Path site() throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Configuration site = new Configuration(false);
        site.set("io.compression.codecs", CODECS.stream().map(Class::getName).collect(Collectors.joining(",")));
        try (OutputStream out = Files.newOutputStream(conf.resolve("core-site.xml"))) {
            site.writeXml(out);
        }
        return conf;
    }

    private Path write(Class<? extends CompressionCodec> type, String text) throws IOException {
        CompressionCodec codec = ReflectionUtils.newInstance(type, new Configuration(false));
        Path file = folder.resolve("text" + codec.getDefaultExtension());
        try (OutputStream out = codec.createOutputStream(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        return file;
    }
}
