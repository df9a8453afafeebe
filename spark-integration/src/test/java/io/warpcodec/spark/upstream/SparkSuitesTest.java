package io.warpcodec.spark.upstream;

import io.warpcodec.spark.cluster.SparkHome;
import io.warpcodec.upstream.Redirection;
import io.warpcodec.upstream.UpstreamLoader;
import io.warpcodec.upstream.UpstreamResult;
import io.warpcodec.upstream.UpstreamSuite;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark's own tests of compression and of what compresses most, from its published test jar, on our codecs.
 *
 * <p>Most of them take Spark's default codec, or one by a short name such as {@code lz4}. So Spark's own table of
 * short names is redirected too, and what these names mean to the tests is our codec of the same wire format. LZF
 * stays Spark's.
 */
class SparkSuitesTest {
    private static final String SPARK = "org.apache.spark.";

    @TempDir
    private static Path folder;

    private static UpstreamLoader world;

    @BeforeAll
    static void makeWorld() {
        String stock = SPARK + "io.";
        String ours = "io.warpcodec.spark.Gpu";
        Redirection redirection = new Redirection()
                .of(stock + "LZ4CompressionCodec", ours + "Lz4CompressionCodec")
                .of(stock + "SnappyCompressionCodec", ours + "SnappyCompressionCodec")
                .of(stock + "ZStdCompressionCodec", ours + "ZstdCompressionCodec")
                // its executors would be processes without this world
                .ofText("local-cluster[1,1,1024]", "local[2]");
        world = new UpstreamLoader(folder, redirection, Set.of(stock + "CompressionCodec$"));
    }

    @Test
    void compressionCodecSuite() throws Exception {
        report(ScalaSuite.run(SPARK + "io.CompressionCodecSuite", world, folder));
    }

    /**
     * Writes and reads a thousand spill files, which takes long: only with
     * {@code -Dwarpcodec.test.upstream.all=true}, as with {@code -Pcompat}.
     */
    @Test
    @EnabledIfSystemProperty(named = "warpcodec.test.upstream.all", matches = "true")
    void externalSorterSuite() throws Exception {
        report(ScalaSuite.run(SPARK + "util.collection.ExternalSorterSuite", world, folder));
    }

    @Test
    void unsafeShuffleWriterSuite() throws Exception {
        report(UpstreamSuite.of(SPARK + "shuffle.sort.UnsafeShuffleWriterSuite").run(world, Map.of()));
    }

    private static void report(UpstreamResult result) {
        System.out.println(result.row("Spark " + SparkHome.version()));
        result.check();
    }
}
