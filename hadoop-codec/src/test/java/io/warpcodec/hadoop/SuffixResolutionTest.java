package io.warpcodec.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.doctor.NodeReport;
import io.warpcodec.doctor.Problem;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuffixResolutionTest {
    private static final String SETTING = "io.compression.codecs";

    private static NodeReport examine(Configuration conf) {
        NodeReport report = new NodeReport();
        SuffixResolution.examine(report, conf);
        return report;
    }

    private static Configuration listing(String codecs) {
        Configuration conf = new Configuration(false);
        conf.set(SETTING, codecs);
        return conf;
    }

    @Test
    void ourClassesWinWhereTheyAreListed() {
        NodeReport report = examine(listing(SuffixResolution.OUR_CODECS));
        assertThat(report.problems()).isEmpty();
        Map<?, ?> suffixes = (Map<?, ?>) report.facts().get("suffixes");
        assertThat(suffixes.get(SETTING)).isEqualTo(SuffixResolution.OUR_CODECS);
        assertThat(((Map<?, ?>) suffixes.get("asConfigured")).values())
                .hasSize(6)
                .allSatisfy(codec -> assertThat(((Map<?, ?>) codec).get("ours")).isEqualTo(true));
    }

    @Test
    void oneFactSaysWhetherFilesAreReadByUsAndWhatToSet() {
        assertThat(examine(listing(SuffixResolution.OUR_CODECS)).facts())
                .containsEntry("files", "ours, by io.compression.codecs");
        assertThat(examine(new Configuration(false)).facts())
                .containsEntry("files", "not ours (set io.compression.codecs)");
        assertThat(examine(listing("io.warpcodec.hadoop.GpuGzipCodec,io.warpcodec.hadoop.GpuLz4Codec"))
                        .facts())
                .containsEntry("files", "ours, but not .deflate .bz2 .snappy .zst (set io.compression.codecs)");
        assertThat(examine(listing("org.example.NoSuchCodec")).facts().get("files"))
                .asString()
                .startsWith("not ours");
    }

    @Test
    void aClassOfOursThatALaterOneTakesTheSuffixFromIsAProblem() {
        NodeReport report =
                examine(listing("io.warpcodec.hadoop.GpuGzipCodec, org.apache.hadoop.io.compress.GzipCodec"));
        assertThat(report.problems())
                .containsExactly(new Problem(
                        "io.compression.codecs lists io.warpcodec.hadoop.GpuGzipCodec, but"
                                + " org.apache.hadoop.io.compress.GzipCodec has .gz",
                        "list Warpcodec's classes last: of several for one suffix the last one wins"));
    }

    private static List<Problem> besideHive(String codecs, Map<String, String> environment) {
        NodeReport report = new NodeReport();
        SuffixResolution.examine(report, listing(codecs), "", environment);
        return report.problems();
    }

    @Test
    void whereHiveIsConfiguredFilesThatSplitAreAProblem(@TempDir Path folder) throws IOException {
        Path site =
                Files.createFile(Files.createDirectory(folder.resolve("conf")).resolve("hive-site.xml"));
        for (Map<String, String> environment : List.of(
                Map.of("HIVE_CONF_DIR", folder + "/conf"),
                Map.of("HIVE_HOME", folder.toString()),
                Map.of("HIVE_CONF_DIR", folder + "/none", "HIVE_HOME", folder.toString()))) {
            assertThat(besideHive(SuffixResolution.OUR_CODECS, environment))
                    .containsExactly(new Problem(
                            "Hive is configured here (" + site + "), and .gz .lz4 .zst split: its tables with header or"
                                    + " footer lines lose rows then",
                            "if you have such tables, list the classes of io.warpcodec.hadoop.unsplit instead;"
                                    + " docs/user/hive.md says more"));
            assertThat(besideHive("io.warpcodec.hadoop.GpuBZip2Codec", environment))
                    .as("what Hadoop's codec splits too")
                    .isEmpty();
            assertThat(besideHive(
                            "io.warpcodec.hadoop.unsplit.GpuGzipCodec,io.warpcodec.hadoop.unsplit.GpuBZip2Codec,"
                                    + "io.warpcodec.hadoop.unsplit.GpuLz4Codec,io.warpcodec.hadoop.unsplit.GpuZstdCodec,"
                                    + "io.warpcodec.hadoop.GpuSnappyCodec,io.warpcodec.hadoop.GpuDeflateCodec",
                            environment))
                    .isEmpty();
        }
        assertThat(besideHive(SuffixResolution.OUR_CODECS, Map.of("HIVE_HOME", folder + "/none")))
                .isEmpty();
    }

    @Test
    void aConfigurationOfHiveOnTheClassPathIsFound(@TempDir Path folder) throws IOException {
        Files.createFile(folder.resolve("hive-site.xml"));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader with = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(with);
            assertThat(besideHive(SuffixResolution.OUR_CODECS, Map.of()))
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.what()).startsWith("Hive is configured here"));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void aClassThatIsNotThereIsAProblem() {
        assertThat(examine(listing("org.example.NoSuchCodec")).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.what())
                        .startsWith("io.compression.codecs names what cannot be loaded")
                        .contains("org.example.NoSuchCodec"));
    }

    @Test
    void settingsThatCannotBeReadAreProblems() {
        Configuration conf = new Configuration(false);
        conf.set("io.compression.codec.gpu.mode", "fast");
        conf.set("io.compression.codec.gpu.framing", "hadoop");
        assertThat(examine(conf).problems())
                .extracting(Problem::what)
                .anySatisfy(what -> assertThat(what).contains("setting mode is 'fast'"))
                .anySatisfy(what -> assertThat(what)
                        .contains("io.compression.codec.gpu.framing is no setting")
                        .contains("lz4.framing"));
    }
}
