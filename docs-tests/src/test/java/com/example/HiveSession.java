package com.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.spark.sql.SparkSession;

/**
 * The reader's Hive session, as pages about Hive call it: runs the statements of a file, in Spark SQL with Hive's
 * classes and an embedded metastore, where the table {@code staging} has rows and {@code logs} is to get them. Fails
 * unless {@code logs} then has these rows in files of the codec that was set.
 */
public final class HiveSession {
    private static final int ROWS = 20_000;
    private static final String CODEC = "mapreduce.output.fileoutputformat.compress.codec";

    private HiveSession() {}

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Path home = Path.of("hive").toAbsolutePath();
        System.setProperty("derby.stream.error.file", home + ".log");
        SparkSession spark = SparkSession.builder()
                .config("spark.sql.warehouse.dir", home.resolve("warehouse").toString())
                .config(
                        "spark.hadoop.javax.jdo.option.ConnectionURL",
                        "jdbc:derby:" + home.resolve("metastore") + ";create=true")
                .config(
                        "spark.hadoop.hive.exec.scratchdir",
                        home.resolve("scratch").toString())
                .enableHiveSupport()
                .getOrCreate();
        for (String table : List.of("staging", "logs")) {
            spark.sql("CREATE TABLE " + table + " (id BIGINT) STORED AS TEXTFILE");
        }
        spark.sql("INSERT INTO staging SELECT id FROM range(" + ROWS + ")");
        for (String statement : Files.readString(Path.of(arguments[0])).split(";")) {
            if (!statement.isBlank()) {
                spark.sql(statement);
            }
        }
        require(spark.table("logs").except(spark.table("staging")).isEmpty(), "logs has rows that staging has not");
        require(spark.table("logs").count() == ROWS, "logs has not as many rows as staging");
        Class<?> codec = Class.forName(
                spark.conf().get(CODEC), true, Thread.currentThread().getContextClassLoader());
        String suffix =
                ((CompressionCodec) ReflectionUtils.newInstance(codec, new Configuration(false))).getDefaultExtension();
        try (Stream<Path> files = Files.list(home.resolve("warehouse/logs"))) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("part-"))
                    .toList();
            require(
                    !names.isEmpty() && names.stream().allMatch(name -> name.endsWith(suffix)),
                    "not all " + suffix + ": " + names);
        }
        spark.stop();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
