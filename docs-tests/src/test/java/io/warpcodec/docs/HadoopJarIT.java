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
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The released jars: what they say of themselves, and the jar for Hadoop behind those that a Hadoop has by itself. */
class HadoopJarIT {
    private static final List<Class<? extends CompressionCodec>> CODECS = List.of(
            GpuGzipCodec.class,
            GpuDeflateCodec.class,
            GpuBZip2Codec.class,
            GpuLz4Codec.class,
            GpuSnappyCodec.class,
            GpuZstdCodec.class);

    private static final boolean OURS = true;
    private static final boolean NONE = false;

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
        assertThat(run(OURS, command)).isEqualTo(expected.toString());
    }

    /** What install-hadoop.md says of removing it; Hadoop reads .zst with a native library that no repository has. */
    @Test
    void withoutTheJarFilesAreReadByHadoopsOwnClassesAndContainersThatNameOursAreNot() throws Exception {
        String text = "a line that stays\n".repeat(1000);
        for (Class<? extends CompressionCodec> type :
                List.of(GpuGzipCodec.class, GpuDeflateCodec.class, GpuBZip2Codec.class, GpuSnappyCodec.class)) {
            assertThat(run(
                            NONE,
                            List.of(
                                    "org.apache.hadoop.fs.FsShell",
                                    "-text",
                                    write(type, text).toString())))
                    .as(type.getSimpleName())
                    .isEqualTo(text);
        }
        Path container = folder.resolve("container.seq");
        Configuration conf = new Configuration(false);
        try (SequenceFile.Writer writer = SequenceFile.createWriter(
                conf,
                SequenceFile.Writer.file(new org.apache.hadoop.fs.Path(container.toUri())),
                SequenceFile.Writer.keyClass(IntWritable.class),
                SequenceFile.Writer.valueClass(Text.class),
                SequenceFile.Writer.compression(
                        SequenceFile.CompressionType.BLOCK, ReflectionUtils.newInstance(GpuGzipCodec.class, conf)))) {
            writer.append(new IntWritable(1), new Text("one"));
        }
        List<String> command = List.of("org.apache.hadoop.fs.FsShell", "-text", container.toString());
        assertThat(run(OURS, command)).isEqualTo("1\tone\n");
        assertThat(status(NONE, command)).isNotZero();
        assertThat(Files.readString(folder.resolve("errors")))
                .contains("Unknown codec: " + GpuGzipCodec.class.getName());
    }

    @Test
    void doctorIsInTheJarAndFindsNothingWrongWithIt() throws Exception {
        String jar = Installation.jar("hadoop-all").toString();
        assertThat(run(OURS, List.of("org.apache.hadoop.util.RunJar", jar, "io.warpcodec.Doctor")))
                .contains("files: ours, by io.compression.codecs\n")
                .contains("warpcodec: " + Version.text() + "\n")
                .doesNotContain("more than once")
                .doesNotContain("unknown)");
        assertThat(run(OURS, List.of("org.apache.hadoop.util.RunJar", jar, "io.warpcodec.Doctor", "--check", "cpu")))
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

    /** What a command printed to its standard output; it must succeed. */
    private String run(boolean ours, List<String> command) throws Exception {
        assertThat(status(ours, command)).as("%s", command).isZero();
        return Files.readString(folder.resolve("shown"));
    }

    /**
     * The exit status of a command with the class path that Hadoop's own script makes.
     *
     * @param ours whether our jar is behind it, and the key names our codecs
     */
    private int status(boolean ours, List<String> command) throws Exception {
        String hadoop = Installation.classPathOf("warpcodec.test.docs.hadoop");
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dhadoop.tmp.dir=" + folder,
                "-cp",
                site(ours) + ":" + hadoop + (ours ? ":" + Installation.jar("hadoop-all") : "")));
        words.addAll(command);
        return new ProcessBuilder(words)
                .redirectOutput(folder.resolve("shown").toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start()
                .waitFor();
    }

    /** A Hadoop configuration folder; with ours it names our codecs. */
    private Path site(boolean ours) throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Configuration site = new Configuration(false);
        if (ours) {
            site.set(
                    "io.compression.codecs", CODECS.stream().map(Class::getName).collect(Collectors.joining(",")));
        }
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
