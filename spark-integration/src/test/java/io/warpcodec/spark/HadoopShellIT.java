package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.hadoop.GpuBZip2Codec;
import io.warpcodec.hadoop.GpuDeflateCodec;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.hadoop.GpuLz4Codec;
import io.warpcodec.hadoop.GpuSnappyCodec;
import io.warpcodec.hadoop.GpuZstdCodec;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hadoop fs -text} in a process of its own, with {@code warpcodec-all.jar} where HADOOP_CLASSPATH puts it: last. */
class HadoopShellIT {
    private static final Pattern HADOOP_JARS = Pattern.compile(
            "(hadoop-client-|slf4j-api|log4j-|commons-logging|snappy-java" + "|zstd-jni|lz4-java|jcl-over-slf4j).*");

    private static final List<Class<? extends CompressionCodec>> CODECS = List.of(
            GpuGzipCodec.class,
            GpuDeflateCodec.class,
            GpuBZip2Codec.class,
            GpuLz4Codec.class,
            GpuSnappyCodec.class,
            GpuZstdCodec.class);

    @Test
    void textOfEverySuffixIsShown(@TempDir Path folder) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseTransparentHugePages",
                "-cp",
                classPath(site(folder))));
        command.addAll(List.of("org.apache.hadoop.fs.FsShell", "-text"));
        StringBuilder expected = new StringBuilder();
        for (Class<? extends CompressionCodec> type : CODECS) {
            String text =
                    type.getSimpleName() + " " + new String(Payloads.text(1000), StandardCharsets.US_ASCII) + "\n";
            command.add(write(folder, type, text).toString());
            expected.append(text);
        }
        Path shown = folder.resolve("shown");
        Process process = new ProcessBuilder(command)
                .redirectOutput(shown.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("errors")))
                .isZero();
        assertThat(shown).hasContent(expected.toString());
    }

    /** A Hadoop configuration folder that names our codecs. */
    private static Path site(Path folder) throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Configuration site = new Configuration(false);
        site.set("io.compression.codecs", CODECS.stream().map(Class::getName).collect(Collectors.joining(",")));
        try (OutputStream out = Files.newOutputStream(conf.resolve("core-site.xml"))) {
            site.writeXml(out);
        }
        return conf;
    }

    private static String classPath(Path conf) throws IOException {
        String all = Files.readString(Path.of(System.getProperty("warpcodec.test.sparkJars")));
        List<String> jars = new ArrayList<>(List.of(conf.toString()));
        for (String jar : all.trim().split(File.pathSeparator)) {
            if (HADOOP_JARS.matcher(Path.of(jar).getFileName().toString()).matches()) {
                jars.add(jar);
            }
        }
        jars.add(System.getProperty("warpcodec.test.allJar"));
        return String.join(File.pathSeparator, jars);
    }

    private static Path write(Path folder, Class<? extends CompressionCodec> type, String text) throws IOException {
        CompressionCodec codec = ReflectionUtils.newInstance(type, new Configuration(false));
        Path file = folder.resolve("text" + codec.getDefaultExtension());
        try (OutputStream out = codec.createOutputStream(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        return file;
    }
}
