package io.warpcodec.spark.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * One job through our streams: reads files of one of our Hadoop codecs, shuffles, writes files of the same codec, reads
 * those, and compares with what {@link WorkloadTables} says.
 */
final class StreamJob {
    private static final List<String> HADOOP_CODECS = List.of(
            "io.warpcodec.hadoop.GpuGzipCodec",
            "io.warpcodec.hadoop.GpuLz4Codec",
            "io.warpcodec.hadoop.GpuZstdCodec",
            "io.warpcodec.hadoop.GpuSnappyCodec",
            "io.warpcodec.hadoop.GpuDeflateCodec",
            "io.warpcodec.hadoop.GpuBZip2Codec");
    private static final int PARTITIONS = 8;

    private final JavaSparkContext spark;
    private final Path scratch;
    private final int number;
    private final String codec;

    /** @param number tells this job's output and codec from those of others */
    StreamJob(JavaSparkContext spark, Path scratch, int number) {
        this.spark = spark;
        this.scratch = scratch;
        this.number = number;
        codec = HADOOP_CODECS.get(number % HADOOP_CODECS.size());
    }

    /** For {@code io.compression.codecs}. */
    static String hadoopCodecs() {
        return String.join(",", HADOOP_CODECS);
    }

    /** Writes the input files of all jobs: the notes of all orders, once for each codec. */
    static void writeInput(JavaSparkContext spark, Path folder) {
        for (String codec : HADOOP_CODECS) {
            WorkloadTables.orders(spark)
                    .map(WorkloadTables::note)
                    .saveAsTextFile(folder.resolve(codec).toString(), type(codec));
        }
    }

    /** Throws unless every answer is right. */
    void run() throws IOException {
        Path output = scratch.resolve("out-" + number);
        JavaRDD<String> notes =
                spark.textFile(scratch.resolve("in").resolve(codec).toString(), PARTITIONS);
        JavaPairRDD<Integer, String> byOrder =
                notes.mapToPair(note -> new Tuple2<>(order(note), note)).sortByKey(true, PARTITIONS);
        byOrder.values().saveAsTextFile(output.toString(), type(codec));
        JavaRDD<String> written = spark.textFile(output.toString(), PARTITIONS);
        require("rows written", written.count() == WorkloadTables.ORDERS);
        require("sum over what was written", written.map(StreamJob::checked).reduce(Long::sum) == expectedSum());
        delete(output);
    }

    private static int order(String note) {
        return Integer.parseInt(note.substring(6, note.indexOf(' ', 6)));
    }

    /** The order's number, after a look at its note. */
    private static long checked(String note) {
        int order = order(note);
        require("note of " + order, note.equals(WorkloadTables.note(order)));
        return order;
    }

    private static long expectedSum() {
        return (long) WorkloadTables.ORDERS * (WorkloadTables.ORDERS - 1) / 2;
    }

    private static void require(String what, boolean holds) {
        if (!holds) {
            throw new IllegalStateException(what + " is wrong");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static Class<? extends CompressionCodec> type(String codec) {
        try {
            return Class.forName(codec, true, Thread.currentThread().getContextClassLoader())
                    .asSubclass(CompressionCodec.class);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
