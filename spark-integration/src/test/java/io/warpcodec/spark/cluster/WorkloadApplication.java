package io.warpcodec.spark.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * The program that the cluster tests submit: one Spark application for each codec named on its command line. The
 * application sends data through every place where Spark compresses, and compares each answer with an answer computed
 * without Spark. Then it prints one line {@code WORKLOAD {json}}. Arguments: a scratch folder that all processes see,
 * then codecs.
 */
public final class WorkloadApplication {
    /** Starts the line that carries the results. */
    public static final String RESULT_PREFIX = "WORKLOAD ";

    /** The setting by which all codecs have as many executors as the first. */
    static final String ALL_EXECUTORS = "spark.workload.allExecutors";

    private static final int BROADCAST_VALUES = 200_000;
    private static final int GROUPS = 500;

    private final JavaSparkContext spark;
    private final SparkSession session;
    private final Path scratch;
    private final AtomicLong spilledBytes = new AtomicLong();
    private final StreamCounts.Streams driverBefore = StreamCounts.Streams.here();

    private WorkloadApplication(SparkSession session, Path scratch) {
        this.session = session;
        this.scratch = scratch;
        spark = JavaSparkContext.fromSparkContext(session.sparkContext());
        session.sparkContext().addSparkListener(new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd taskEnd) {
                spilledBytes.addAndGet(taskEnd.taskMetrics().diskBytesSpilled());
            }
        });
    }

    /**
     * Runs the workload once for each codec. The first runs on as many executors as the cluster has room for, which
     * fetch blocks from each other. Without {@link #ALL_EXECUTORS} the others run on a single executor: a JVM and its
     * first tasks cost the most. Spark gives a codec the same bytes wherever they come from.
     */
    public static void main(String[] args) throws IOException {
        Path scratch = Path.of(args[0]);
        List<String> codecs = List.of(args).subList(1, args.length);
        for (String codec : codecs) {
            SparkConf settings = settings(codec);
            if (!codec.equals(codecs.get(0)) && !settings.getBoolean(ALL_EXECUTORS, false)) {
                settings.set("spark.executor.cores", "2").set("spark.cores.max", "2");
            }
            try (SparkSession session = SparkSession.builder().config(settings).getOrCreate()) {
                String json = new WorkloadApplication(session, scratch.resolve(codec)).run(codec);
                System.out.println(RESULT_PREFIX + json);
            }
        }
    }

    private static SparkConf settings(String codec) {
        return new SparkConf()
                .setAppName("workload " + codec)
                .set("spark.io.compression.codec", codec)
                .set("spark.rdd.compress", "true")
                .set("spark.checkpoint.compress", "true")
                .set("spark.shuffle.spill.numElementsForceSpillThreshold", "4000")
                // three shuffle partitions take the bypass writer, eight the unsafe one
                .set("spark.shuffle.sort.bypassMergeThreshold", "4");
    }

    private String run(String codec) throws IOException {
        WorkloadTables.register(session, spark);
        List<String> expected = WorkloadTables.expectedAnswer();
        session.sql("SET spark.sql.shuffle.partitions=3");
        require("bypass shuffle and join", expected.equals(WorkloadTables.answer(session, false)));
        session.sql("SET spark.sql.shuffle.partitions=8");
        require("unsafe shuffle and join", expected.equals(WorkloadTables.answer(session, false)));
        require("broadcast join", expected.equals(WorkloadTables.answer(session, true)));
        require("grouping", WorkloadTables.ORDERS == groupedOrders());
        require("broadcast", sumOfAmounts() == sumOfBroadcast());
        long cachedBytes = cachedBytes();
        String magic = checkpointMagic();
        StreamCounts counts = StreamCounts.collect(spark, driverBefore);
        return "{\"codec\":\"" + codec + "\",\"spilledBytes\":" + spilledBytes + ",\"cachedBytes\":" + cachedBytes
                + ",\"plainBytes\":" + plainBytesOfNotes()
                + ",\"checkpointMagic\":\"" + magic + "\"," + counts.json() + "}";
    }

    private static void require(String what, boolean right) {
        if (!right) {
            throw new IllegalStateException("wrong answer: " + what);
        }
    }

    /** Group by key keeps every value, so that both its sides spill. Returns how many values came back right. */
    private int groupedOrders() {
        JavaPairRDD<Integer, Integer> keyed =
                WorkloadTables.orders(spark).mapToPair(order -> new Tuple2<>(order % GROUPS, order));
        return keyed.mapValues(WorkloadTables::note)
                .groupByKey(5)
                .map(WorkloadApplication::notesOfGroup)
                .reduce(Integer::sum);
    }

    private static int notesOfGroup(Tuple2<Integer, Iterable<String>> group) {
        int right = 0;
        for (String note : group._2) {
            int order = Integer.parseInt(note.substring(6, note.indexOf(' ', 6)));
            if (order % GROUPS == group._1 && note.equals(WorkloadTables.note(order))) {
                right++;
            }
        }
        return right;
    }

    private long sumOfBroadcast() {
        long[] values = new long[BROADCAST_VALUES];
        for (int i = 0; i < values.length; i++) {
            values[i] = WorkloadTables.amount(i % WorkloadTables.ORDERS);
        }
        Broadcast<long[]> broadcast = spark.broadcast(values);
        return WorkloadTables.orders(spark)
                .map(order -> broadcast.value()[order])
                .reduce(Long::sum);
    }

    private static long sumOfAmounts() {
        long sum = 0;
        for (int order = 0; order < WorkloadTables.ORDERS; order++) {
            sum += WorkloadTables.amount(order);
        }
        return sum;
    }

    /** Caches the notes serialised and compressed, reads them back twice, and returns the bytes they take. */
    private long cachedBytes() {
        JavaRDD<String> notes =
                WorkloadTables.orders(spark).map(WorkloadTables::note).persist(StorageLevel.MEMORY_AND_DISK_SER());
        int first = notes.map(String::hashCode).reduce(Integer::sum);
        int second = notes.map(String::hashCode).reduce(Integer::sum);
        require("cached rows", first == hashOfNotes() && second == first);
        long bytes = 0;
        for (RDDInfo info : spark.sc().getRDDStorageInfo()) {
            bytes += info.memSize() + info.diskSize();
        }
        notes.unpersist(true);
        return bytes;
    }

    private static long plainBytesOfNotes() {
        long bytes = 0;
        for (int order = 0; order < WorkloadTables.ORDERS; order++) {
            bytes += WorkloadTables.note(order).length();
        }
        return bytes;
    }

    private static int hashOfNotes() {
        int hash = 0;
        for (int order = 0; order < WorkloadTables.ORDERS; order++) {
            hash += WorkloadTables.note(order).hashCode();
        }
        return hash;
    }

    /** Writes a reliable checkpoint, reads it back, and returns the first bytes of one of its files in hexadecimal. */
    private String checkpointMagic() throws IOException {
        spark.setCheckpointDir(Files.createDirectories(scratch).toString());
        JavaRDD<String> notes = WorkloadTables.orders(spark).map(WorkloadTables::note);
        notes.checkpoint();
        require("rows before the checkpoint", notes.count() == WorkloadTables.ORDERS);
        require("checkpointed rows", notes.map(String::hashCode).reduce(Integer::sum) == hashOfNotes());
        Path folder = Path.of(URI.create(notes.getCheckpointFile().get()).getPath());
        try (Stream<Path> files = Files.list(folder)) {
            Path part = files.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .findFirst()
                    .orElseThrow();
            try (InputStream in = Files.newInputStream(part)) {
                return HexFormat.of().formatHex(in.readNBytes(8));
            }
        }
    }
}
