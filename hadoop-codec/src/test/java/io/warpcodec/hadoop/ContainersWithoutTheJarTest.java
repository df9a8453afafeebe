package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Containers that store a codec's class by name: what a reader without our jar says, and the way back that
 * docs/user/migration.md prints.
 */
class ContainersWithoutTheJarTest {
    private static final int RECORDS = 3000;

    @TempDir
    private static Path program;

    @TempDir
    private Path folder;

    @BeforeAll
    static void compileTheProgramOfThePage() throws IOException {
        String page = Files.readString(
                Path.of(System.getProperty("warpcodec.golden", "../golden"), "../docs/user/migration.md"),
                StandardCharsets.UTF_8);
        int start = page.indexOf("```java\n") + "```java\n".length();
        Path source =
                Files.writeString(program.resolve("Rewrite.java"), page.substring(start, page.indexOf("```", start)));
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", classPath, "-d", program.toString(), source.toString());
        assertThat(status).isZero();
    }

    private static void rewrite(Path from, Path to) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(
                new java.net.URL[] {program.toUri().toURL()}, ContainersWithoutTheJarTest.class.getClassLoader())) {
            String[] arguments = {from.toUri().toString(), to.toUri().toString(), DefaultCodec.class.getName()};
            loader.loadClass("Rewrite").getMethod("main", String[].class).invoke(null, (Object) arguments);
        }
    }

    /** A cluster that has never heard of us. */
    private static Configuration withoutOurClasses() {
        Configuration conf = new Configuration(CodecUnderTest.DEFAULTS);
        conf.setClassLoader(new ClassLoader(ContainersWithoutTheJarTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (name.startsWith("io.warpcodec.")) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClass(name, resolve);
            }
        });
        return conf;
    }

    private static org.apache.hadoop.fs.Path hadoop(Path path) {
        return new org.apache.hadoop.fs.Path(path.toUri());
    }

    private static List<SequenceFile.Writer.Option> options(CodecUnderTest format, CompressionType type) {
        return List.of(
                SequenceFile.Writer.keyClass(IntWritable.class),
                SequenceFile.Writer.valueClass(Text.class),
                SequenceFile.Writer.compression(type, format.codec()));
    }

    static Stream<Arguments> codecsAndTypes() {
        return SequenceFileTest.codecsAndTypes();
    }

    @ParameterizedTest
    @MethodSource("codecsAndTypes")
    void aSequenceFileNamesOurClassUntilItIsRewritten(CodecUnderTest format, CompressionType type) throws Exception {
        Path ours = folder.resolve("ours");
        SequenceFile.Metadata metadata = new SequenceFile.Metadata();
        metadata.set(new Text("who"), new Text("a test"));
        List<SequenceFile.Writer.Option> options = options(format, type);
        try (SequenceFile.Writer writer = SequenceFile.createWriter(
                format.conf(),
                SequenceFile.Writer.file(hadoop(ours)),
                SequenceFile.Writer.metadata(metadata),
                options.get(0),
                options.get(1),
                options.get(2))) {
            for (int i = 0; i < RECORDS; i++) {
                writer.append(new IntWritable(i), new Text("record " + i));
            }
        }
        Configuration stock = withoutOurClasses();
        assertThatThrownBy(() -> new SequenceFile.Reader(stock, SequenceFile.Reader.file(hadoop(ours))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Unknown codec: " + format.className);
        Path rewritten = folder.resolve("rewritten");
        rewrite(ours, rewritten);
        try (SequenceFile.Reader reader = new SequenceFile.Reader(stock, SequenceFile.Reader.file(hadoop(rewritten)))) {
            assertThat(reader.getCompressionType()).isEqualTo(type);
            assertThat(reader.getMetadata()).isEqualTo(metadata);
            IntWritable key = new IntWritable();
            Text value = new Text();
            for (int i = 0; i < RECORDS; i++) {
                assertThat(reader.next(key, value)).isTrue();
                assertThat(key.get()).isEqualTo(i);
                assertThat(value).hasToString("record " + i);
            }
            assertThat(reader.next(key)).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("codecsAndTypes")
    void aMapFileNamesOurClassUntilItsDataIsRewritten(CodecUnderTest format, CompressionType type) throws Exception {
        Path ours = folder.resolve("ours");
        List<SequenceFile.Writer.Option> options = options(format, type);
        try (MapFile.Writer writer = new MapFile.Writer(
                format.conf(),
                hadoop(ours),
                MapFile.Writer.keyClass(IntWritable.class),
                options.get(1),
                options.get(2))) {
            for (int i = 0; i < RECORDS; i++) {
                writer.append(new IntWritable(i), new Text("record " + i));
            }
        }
        Configuration stock = withoutOurClasses();
        assertThatThrownBy(() -> new MapFile.Reader(hadoop(ours), stock)).hasMessageContaining(format.className);
        Path rewritten = folder.resolve("rewritten");
        rewrite(ours.resolve("data"), rewritten.resolve("data"));
        try (MapFile.Reader reader = new MapFile.Reader(hadoop(rewritten), stock)) {
            Text value = new Text();
            for (int i = 0; i < RECORDS; i += 37) {
                assertThat(reader.get(new IntWritable(i), value)).isNotNull();
                assertThat(value).hasToString("record " + i);
            }
            assertThat(reader.get(new IntWritable(RECORDS), value)).isNull();
        }
    }
}
