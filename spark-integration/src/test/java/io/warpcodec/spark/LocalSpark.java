package io.warpcodec.spark;

import java.nio.file.Path;
import org.apache.spark.SparkConf;

/** Settings for Spark in this JVM: local mode, no plugin, no device, which must all work. */
final class LocalSpark {
    private LocalSpark() {}

    /** Two task threads and a scratch folder; everything else is Spark's default. */
    static SparkConf conf(Path scratch) {
        return new SparkConf(false)
                .setMaster("local[2]")
                .setAppName("warpcodec")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.local.dir", scratch.toString())
                .set("spark.sql.warehouse.dir", scratch.resolve("warehouse").toString());
    }
}
