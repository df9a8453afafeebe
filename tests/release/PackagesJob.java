import org.apache.spark.sql.SparkSession;

/**
 * A Spark job for tests/release/check and docker/check: reads a .gz, shuffles, writes .zst with our codec, reads that
 * back and counts.
 */
public final class PackagesJob {

    private PackagesJob() {}

    /** Takes the input file and the folder to write. */
    public static void main(String[] arguments) throws Exception {
        try (SparkSession session = SparkSession.builder().appName("packages").getOrCreate()) {
            long rows = session.read().textFile(arguments[0]).repartition(4).count();
            session.read()
                    .textFile(arguments[0])
                    .repartition(4)
                    .write()
                    .option("compression", "io.warpcodec.hadoop.GpuZstdCodec")
                    .text(arguments[1]);
            long back = session.read().textFile(arguments[1] + "/*.zst").distinct().count();
            System.out.println(rows + " rows, " + (rows == back ? "the same" : back) + " back from .zst");
        }
    }
}
