package io.warpcodec.benchmarks.cluster;

import io.warpcodec.benchmarks.job.FlagCounts;
import io.warpcodec.benchmarks.job.LinesInputFormat;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * What Spark does with the files.
 *
 * @param codec of files that are written
 * @param output a folder that does not exist yet
 */
record SparkWork(SparkSession session, TextFolders input, String codec, Path output) {
    private static final String FLAG = "substring_index(substring_index(value, '|', 9), '|', -1)";
    private static final int SHUFFLE_PARTITIONS = 64;

    /** Does it; the answer, but for {@code write}, whose output has to be looked at. */
    String run(String work) {
        return switch (work) {
            case "read" -> read();
            case "sql" -> sql();
            case "write" -> write();
            case "shuffle" -> shuffle();
            default -> throw new IllegalArgumentException("no work is called " + work);
        };
    }

    /** Lines by flag, with as little work beside reading as may be. */
    private String read() {
        FlatMapFunction<Iterator<Tuple2<LongWritable, Text>>, Map<String, Long>> count = records -> {
            FlagCounts flags = new FlagCounts();
            while (records.hasNext()) {
                Text lines = records.next()._2();
                flags.add(lines.getBytes(), lines.getLength());
            }
            return List.<Map<String, Long>>of(new TreeMap<>(flags.byFlag())).iterator();
        };
        JavaSparkContext context = new JavaSparkContext(session.sparkContext());
        Map<String, Long> flags = context.newAPIHadoopFile(
                        input.compressed().toString(),
                        LinesInputFormat.class,
                        LongWritable.class,
                        Text.class,
                        context.hadoopConfiguration())
                .mapPartitions(count)
                .reduce(CodecCounters::sum);
        StringJoiner answer = new StringJoiner(" ");
        flags.forEach((flag, lines) -> answer.add(flag + "/" + lines));
        return answer.toString();
    }

    /** As {@link #read}, but by a query. */
    private String sql() {
        StringJoiner answer = new StringJoiner(" ");
        for (Row row : session.read()
                .text(input.compressed().toString())
                .selectExpr(FLAG + " as flag")
                .groupBy("flag")
                .count()
                .orderBy("flag")
                .collectAsList()) {
            answer.add(row.mkString("/"));
        }
        return answer.toString();
    }

    private String write() {
        session.read()
                .text(input.text().toString())
                .write()
                .option("compression", codec)
                .text(output.toString());
        return "";
    }

    /** All lines to other tasks. */
    private String shuffle() {
        return session.read()
                .text(input.text().toString())
                .repartition(SHUFFLE_PARTITIONS)
                .selectExpr("sum(crc32(value))", "count(*)")
                .first()
                .mkString("/");
    }
}
