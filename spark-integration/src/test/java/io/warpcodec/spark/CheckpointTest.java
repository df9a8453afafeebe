package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checkpoints outlive an application, and the setting that chose their codec. */
class CheckpointTest {
    private static final List<String> ROWS =
            IntStream.range(0, 5000).mapToObj(i -> "row " + i).toList();

    @ParameterizedTest
    @EnumSource(names = "GZIP", mode = EnumSource.Mode.EXCLUDE)
    void checkpointOfSparksOwnCodecIsReadByOursAndTheOtherWay(CodecPair codecs, @TempDir Path scratch) {
        String byStock;
        try (JavaSparkContext spark = context(scratch, codecs.stockName())) {
            byStock = checkpoint(spark, scratch.resolve("stock"));
        }
        String byOurs;
        try (JavaSparkContext spark = context(scratch, codecs.className())) {
            assertThat(rows(spark, byStock)).isEqualTo(ROWS);
            byOurs = checkpoint(spark, scratch.resolve("ours"));
            assertThat(rows(spark, byOurs)).isEqualTo(ROWS);
        }
        try (JavaSparkContext spark = context(scratch, codecs.stockName())) {
            assertThat(rows(spark, byOurs)).isEqualTo(ROWS);
        }
    }

    private static JavaSparkContext context(Path scratch, String codec) {
        SparkConf conf = LocalSpark.conf(scratch)
                .set("spark.io.compression.codec", codec)
                .set("spark.checkpoint.compress", "true");
        return new JavaSparkContext(conf);
    }

    private static String checkpoint(JavaSparkContext spark, Path folder) {
        spark.setCheckpointDir(folder.toString());
        JavaRDD<String> rows = spark.parallelize(ROWS, 3);
        rows.checkpoint();
        assertThat(rows.count()).isEqualTo(ROWS.size());
        return rows.getCheckpointFile().get();
    }

    private static List<String> rows(JavaSparkContext spark, String checkpoint) {
        JavaRDD<String> rows = spark.checkpointFile(checkpoint);
        return rows.collect();
    }
}
