package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Hosts that lack a library, or do not let it load: an IOException that says so, in every way of use, and the other
 * formats work.
 */
class MissingLibraryTest {
    private static final List<String> WAYS = List.of("write", "compress", "read", "decompress");
    /** JVMs of a second or two: what makes them end sooner. */
    private static final List<String> SMALL = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final List<String> WITHOUT_TEMPORARY_FOLDER =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=/dev/null/none");

    private static String classPathWithout(String... jars) {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String left = Arrays.stream(path.split(File.pathSeparator))
                .filter(entry -> Arrays.stream(jars)
                        .noneMatch(jar -> new File(entry).getName().startsWith(jar)))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(left.length()).as("nothing was left out of " + path).isLessThan(path.length());
        return left;
    }

    private static List<String> lines(String output) {
        return output.lines().filter(line -> line.startsWith("@ ")).toList();
    }

    private static void assertWorks(List<String> lines, String... suffixes) {
        for (String suffix : suffixes) {
            for (String way : WAYS) {
                assertThat(lines).contains("@ " + suffix + " " + way + " ok");
            }
        }
    }

    private static void assertSays(List<String> lines, String suffix, String... parts) {
        for (String way : WAYS) {
            assertThat(lines)
                    .filteredOn(line -> line.startsWith("@ " + suffix + " " + way + " "))
                    .singleElement()
                    .asString()
                    .contains(parts);
        }
    }

    /** Hadoop's own class path has lz4-java and snappy-java, and no zstd-jni. */
    @Test
    void onHadoopsOwnClassPathZstNamesTheJarThatItNeeds() throws Exception {
        List<String> lines = lines(ForkedJvm.runOn(classPathWithout("zstd-jni"), PlainHadoop.class, SMALL));
        assertWorks(lines, ".gz", ".deflate", ".bz2", ".lz4", ".snappy");
        assertSays(
                lines,
                ".zst",
                ".zst needs zstd-jni",
                "com.github.luben:zstd-jni",
                "HADOOP_CLASSPATH",
                "share/hadoop/tools/lib");
    }

    @Test
    void withoutAnyLibraryEachFormatNamesItsJar() throws Exception {
        List<String> lines = lines(
                ForkedJvm.runOn(classPathWithout("zstd-jni", "lz4-java", "snappy-java"), PlainHadoop.class, SMALL));
        assertWorks(lines, ".gz", ".deflate", ".bz2");
        assertSays(lines, ".zst", ".zst needs zstd-jni", "HADOOP_CLASSPATH");
        assertSays(lines, ".lz4", ".lz4 needs lz4-java", "at.yawk.lz4:lz4-java", "HADOOP_CLASSPATH");
        assertSays(lines, ".snappy", ".snappy needs snappy-java", "org.xerial.snappy:snappy-java", "HADOOP_CLASSPATH");
    }

    @Test
    void doctorNamesTheJarThatEachFormatMisses() throws Exception {
        String report =
                ForkedJvm.runOn(classPathWithout("zstd-jni", "lz4-java", "snappy-java"), DoctorReport.class, SMALL);
        assertThat(report)
                .startsWith("CPU: gzip, deflate, bzip2; not lz4, snappy, zstd\n")
                .contains("- no lz4 on the CPU. .lz4 needs lz4-java")
                .contains("- no snappy on the CPU. .snappy needs snappy-java")
                .contains("- no zstd on the CPU. .zst needs zstd-jni");
    }

    /**
     * As with a temporary folder that is mounted noexec: native code cannot be unpacked or not be loaded. lz4-java
     * has Java code to fall back on.
     */
    @Test
    void withoutAUsableTemporaryFolderEachFormatNamesTheFolder() throws Exception {
        List<String> lines = lines(ForkedJvm.runOn(
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                PlainHadoop.class,
                WITHOUT_TEMPORARY_FOLDER));
        assertWorks(lines, ".gz", ".deflate", ".bz2", ".lz4");
        assertSays(lines, ".zst", ".zst needs zstd-jni, which does not load", "/dev/null/none", "ZstdTempFolder");
        assertSays(
                lines,
                ".snappy",
                ".snappy needs snappy-java, which does not load",
                "/dev/null/none",
                "org.xerial.snappy.tempdir");
    }

    /**
     * Doctor has asked the libraries for their versions before: a class whose first use has failed says later that it
     * cannot be found.
     */
    @Test
    void doctorNamesTheFolderOfWhatDoesNotLoad() throws Exception {
        String report = ForkedJvm.runOn(
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                DoctorReport.class,
                WITHOUT_TEMPORARY_FOLDER);
        assertThat(report)
                .contains("- no snappy on the CPU. .snappy needs snappy-java, which does not load (")
                .contains("- no zstd on the CPU. .zst needs zstd-jni, which does not load (")
                .contains("/dev/null/none")
                .doesNotContain("which is not on the class path");
    }
}
