package io.warpcodec.spark;

import io.warpcodec.Settings;
import io.warpcodec.doctor.ClusterDoctor;
import io.warpcodec.doctor.NodeReport;
import io.warpcodec.doctor.SettingsExamination;
import io.warpcodec.hadoop.SuffixResolution;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Asks each executor of this application what {@code doctor} finds there, and prints a table of nodes.
 *
 * <p>Spark does not let a job choose its executors, so jobs of many small tasks are run until every executor that
 * Spark knows has answered; a free executor gets a task of each job. Where it is known how many executors there will
 * be, that many are waited for, else until none has come for some seconds.
 */
public final class ClusterExamination implements ClusterDoctor {
    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Between two jobs, for executors that are still to come. */
    private static final long PAUSE_MILLIS = 200;

    private static final int TASKS_FOR_A_CORE = 2;
    /** What Spark calls Hadoop's keys with. */
    private static final String HADOOP_KEYS = "spark.hadoop.";

    private static final String MASTER = "spark.master";

    private final Map<String, ExecutorAnswer> answers = new TreeMap<>();
    private JavaSparkContext spark;

    /** Called by {@link io.warpcodec.Doctor}, by name. */
    public ClusterExamination() {}

    @Override
    public boolean isSubmitted() {
        return new SparkConf().contains(MASTER);
    }

    /** Examines all executors and the driver's node; as many as {@code spark.executor.instances} says if not told. */
    @Override
    public boolean run(int executors, int waitSeconds, String check, PrintStream out) {
        SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "warpcodec doctor");
        try (JavaSparkContext application = new JavaSparkContext(conf)) {
            spark = application;
            int expected = executors > 0 ? executors : spark.getConf().getInt("spark.executor.instances", 0);
            int known = askAll(expected, TimeUnit.SECONDS.toNanos(waitSeconds));
            ClusterTable table = new ClusterTable(answers.values(), known);
            if (check != null) {
                out.println(table.verdict(check));
                return table.holds(check);
            }
            ExecutorAnswer driver = ExecutorAnswer.ofThisProcess();
            examineSettings(driver.report());
            out.print(table.text(driver));
            return true;
        }
    }

    /**
     * Returns how many executors there should have been: the expected ones, or those that Spark knows if these are
     * more.
     */
    private int askAll(int expected, long waitNanos) {
        long begin = System.nanoTime();
        long lastNews = begin;
        while (true) {
            int before = answers.size();
            boolean asked = askOnce(waitNanos - (System.nanoTime() - begin));
            long now = System.nanoTime();
            lastNews = answers.size() > before ? now : lastNews;
            int known = Math.max(expected, knownExecutors());
            boolean settled = spark.isLocal() || expected > 0 || now - lastNews > SETTLE_NANOS;
            if (answers.size() >= known && settled || now - begin > waitNanos || !asked) {
                return Math.max(known, answers.size());
            }
        }
    }

    /**
     * One job, of so many tasks that every free executor gets one. Returns false if none has taken them in time, or
     * the thread is interrupted.
     */
    private boolean askOnce(long waitNanos) {
        int tasks = TASKS_FOR_A_CORE * Math.max(spark.defaultParallelism(), knownExecutors());
        JavaFutureAction<List<byte[]>> job = spark.parallelize(Collections.nCopies(tasks, 0), tasks)
                .map(task -> ExecutorAnswer.ofThisProcess().toBytes())
                .collectAsync();
        try {
            for (byte[] bytes : job.get(waitNanos, TimeUnit.NANOSECONDS)) {
                ExecutorAnswer answer = ExecutorAnswer.fromBytes(bytes);
                answers.put(answer.executor(), answer);
            }
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (TimeoutException noExecutor) {
            job.cancel(true);
            return false;
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a task of doctor failed: " + failed.getCause(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The driver is among those that Spark tells of; in local mode it is the executor. */
    private int knownExecutors() {
        int processes = spark.sc().statusTracker().getExecutorInfos().length;
        return spark.isLocal() ? processes : processes - 1;
    }

    private void examineSettings(NodeReport report) {
        SparkConf conf = spark.getConf();
        Map<String, String> words = Arrays.stream(conf.getAllWithPrefix(Settings.SPARK_PREFIX))
                .collect(Collectors.toMap(Tuple2::_1, Tuple2::_2));
        SettingsExamination.examine(report, Settings.SPARK_PREFIX, words);
        for (String key : List.of("spark.io.compression.codec", "spark.plugins")) {
            report.fact(key, conf.get(key, "not set"));
        }
        SuffixResolution.examine(report, spark.hadoopConfiguration(), HADOOP_KEYS);
    }
}
