package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.metrics.Metrics;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/**
 * When a map task has spilled several times, Spark merges the spills: by copying bytes if outputs may be
 * concatenated, else by decoding and encoding again every partition of every spill. The number of streams that we
 * decode tells the two apart.
 */
class FastMergeTest {
    private static final int MAPS = 2;
    private static final int PARTITIONS = 8;
    private static final int ROWS = 20_000;
    private static final int ROWS_PER_SPILL = 2000;
    private static final int SPILLS_PER_MAP = ROWS / MAPS / ROWS_PER_SPILL;

    @Test
    void spillsAreMergedWithoutDecodingThem(@TempDir Path scratch) {
        long decoded = streamsDecodedByShuffle(scratch, GpuLz4CompressionCodec.class.getName());
        long decodedBySlowMerge = streamsDecodedByShuffle(scratch, PlainCompressionCodec.class.getName());
        assertThat(decoded).isPositive();
        assertThat(decodedBySlowMerge - decoded)
                .as("%d streams against %d", decoded, decodedBySlowMerge)
                .isGreaterThanOrEqualTo((long) MAPS * PARTITIONS * (SPILLS_PER_MAP - 1));
    }

    private static long streamsDecodedByShuffle(Path scratch, String codec) {
        SparkConf conf = LocalSpark.conf(scratch)
                .set("spark.io.compression.codec", codec)
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .set("spark.shuffle.sort.bypassMergeThreshold", "1")
                .set("spark.shuffle.spill.numElementsForceSpillThreshold", Integer.toString(ROWS_PER_SPILL));
        List<Integer> rows = IntStream.range(0, ROWS).boxed().toList();
        long before = Metrics.sum("decode.", ".streams");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            JavaPairRDD<Integer, Integer> pairs =
                    spark.parallelize(rows, MAPS).mapToPair(row -> new Tuple2<>(row, row * 3));
            int sum = pairs.partitionBy(new HashPartitioner(PARTITIONS))
                    .map(pair -> pair._2 - 3 * pair._1 + 1)
                    .reduce(Integer::sum);
            assertThat(sum).isEqualTo(ROWS);
        }
        return Metrics.sum("decode.", ".streams") - before;
    }
}
