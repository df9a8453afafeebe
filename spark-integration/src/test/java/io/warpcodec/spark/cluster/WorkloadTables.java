package io.warpcodec.spark.cluster;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Two tables whose every cell is a function of the row number, so that any process can make them and the answers can be
 * computed without Spark.
 */
public final class WorkloadTables {
    static final int ORDERS = Integer.getInteger("warpcodec.test.spark.orders", 30_000);
    static final int CUSTOMERS = 3_000;
    private static final int PARTITIONS = 4;
    private static final String[] WORDS = {
        "carefully", "final", "packages", "haggle", "quickly", "among", "the", "deposits"
    };

    private WorkloadTables() {}

    /** Which customer gave this order. */
    static int customer(int order) {
        return Math.floorMod(mix(order), CUSTOMERS);
    }

    /** The amount of this order, in cents. */
    static long amount(int order) {
        return Math.floorMod(mix(order + 0x5bd1), 100_000);
    }

    /** A sentence that compresses about as well as real comments do. */
    static String note(int order) {
        StringBuilder text = new StringBuilder("order ").append(order);
        int bits = mix(order * 31 + 7);
        for (int i = 0; i < 8; i++) {
            text.append(' ').append(WORDS[bits & 7]);
            bits >>>= 3;
        }
        return text.toString();
    }

    /** Where this customer lives. */
    static String region(int customer) {
        return "region-" + mix(customer) % 5;
    }

    private static int mix(int value) {
        int h = value * 0x9E3779B1;
        h = (h ^ (h >>> 15)) * 0x85EBCA6B;
        return h ^ (h >>> 13);
    }

    /** All order numbers, spread over the executors. */
    static JavaRDD<Integer> orders(JavaSparkContext spark) {
        List<Integer> parts = IntStream.range(0, PARTITIONS).boxed().toList();
        return spark.parallelize(parts, PARTITIONS).flatMap(WorkloadTables::ordersOfPart);
    }

    private static Iterator<Integer> ordersOfPart(int part) {
        return IntStream.range(part * (ORDERS / PARTITIONS), (part + 1) * (ORDERS / PARTITIONS))
                .iterator();
    }

    /** Registers the tables {@code orders} and {@code customers}. */
    static void register(SparkSession session, JavaSparkContext spark) {
        JavaRDD<Row> orderRows =
                orders(spark).map(order -> RowFactory.create(order, customer(order), amount(order), note(order)));
        session.createDataFrame(
                        orderRows,
                        new StructType()
                                .add("id", DataTypes.IntegerType)
                                .add("customer", DataTypes.IntegerType)
                                .add("amount", DataTypes.LongType)
                                .add("note", DataTypes.StringType))
                .createOrReplaceTempView("orders");
        List<Row> customers = new ArrayList<>();
        for (int customer = 0; customer < CUSTOMERS; customer++) {
            customers.add(RowFactory.create(customer, region(customer)));
        }
        session.createDataFrame(
                        spark.parallelize(customers, 2),
                        new StructType().add("id", DataTypes.IntegerType).add("region", DataTypes.StringType))
                .createOrReplaceTempView("customers");
    }

    /** The answer to {@link #query}, one line a region, computed in this thread without Spark. */
    static List<String> expectedAnswer() {
        TreeMap<String, long[]> sums = new TreeMap<>();
        TreeMap<String, String> lastNotes = new TreeMap<>();
        for (int order = 0; order < ORDERS; order++) {
            String region = region(customer(order));
            long[] sum = sums.computeIfAbsent(region, r -> new long[2]);
            sum[0]++;
            sum[1] += amount(order);
            lastNotes.merge(region, note(order), (a, b) -> a.compareTo(b) > 0 ? a : b);
        }
        List<String> lines = new ArrayList<>();
        sums.forEach((region, sum) -> lines.add(region + "," + sum[0] + "," + sum[1] + "," + lastNotes.get(region)));
        return lines;
    }

    /** A join and an aggregation. The hint chooses a sort-merge join (both sides shuffled) or a broadcast join. */
    static String query(boolean broadcast) {
        return "SELECT /*+ " + (broadcast ? "BROADCAST" : "MERGE")
                + "(c) */ c.region, count(*), sum(o.amount), max(o.note)"
                + " FROM orders o JOIN customers c ON o.customer = c.id GROUP BY c.region ORDER BY c.region";
    }

    /** Runs {@link #query} and returns its rows in the form of {@link #expectedAnswer}. */
    static List<String> answer(SparkSession session, boolean broadcast) {
        List<String> lines = new ArrayList<>();
        for (Row row : session.sql(query(broadcast)).collectAsList()) {
            lines.add(row.getString(0) + "," + row.getLong(1) + "," + row.getLong(2) + "," + row.getString(3));
        }
        return lines;
    }
}
