package com.example;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.length;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The reader's own job, as pages about Spark call it: reads text, counts its lines by length in a shuffle, writes it,
 * reads it back.
 */
public final class Job {

    private Job() {}

    public static void main(String[] arguments) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        Dataset<Row> lines = spark.read().text(arguments[0]);
        long count = lines.groupBy(length(col("value"))).count().count();
        lines.write().text(arguments[1]);
        Dataset<Row> again = spark.read().text(arguments[1]);
        System.out.println("lines: " + again.count() + ", lengths: " + count);
        System.out.println("codec of shuffles: " + spark.conf().get("spark.io.compression.codec", "Spark's own"));
        spark.stop();
    }
}
