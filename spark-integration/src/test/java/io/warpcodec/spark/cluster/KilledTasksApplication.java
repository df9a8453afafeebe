package io.warpcodec.spark.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Kills tasks in the middle of our streams, in every way that Spark has, and looks whether anything else suffers.
 *
 * <p>Two threads run <em>victim</em> jobs, whose tasks are killed at random moments one by one, by the whole job
 * group with interrupts, and as losers against a speculative copy. Two others run the same jobs undisturbed. Each job
 * reads compressed files, shuffles, and writes compressed files ({@link StreamJob}), and its answer must be exactly
 * right: always for an undisturbed job, and for a victim whenever it gets to its end, since Spark runs killed tasks
 * again. It ends when as many tasks as asked for were killed, then waits until no task runs, and asks the executors
 * what was left behind.
 *
 * <p>Arguments: a scratch folder that all processes see, the number of tasks to kill, a seed, then Spark codecs, of
 * which each has its share of the kills. Prints one line {@code KILLED {json}} for each codec.
 */
public final class KilledTasksApplication {
    /** Starts the line that carries the results. */
    public static final String RESULT_PREFIX = "KILLED ";

    private static final int JOBS_AT_A_TIME = 2;

    private final JavaSparkContext spark;
    private final Path scratch;
    private final TaskKiller killer;
    private final int kills;
    private final AtomicInteger jobNumber = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();
    private final AtomicInteger victimsRight = new AtomicInteger();
    private final AtomicInteger undisturbedRight = new AtomicInteger();
    private final List<String> wrong = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();

    private KilledTasksApplication(JavaSparkContext spark, Path scratch, int kills, long seed) {
        this.spark = spark;
        this.scratch = scratch;
        this.kills = kills;
        killer = new TaskKiller(spark.sc(), new Random(seed));
        spark.sc().addSparkListener(killer);
    }

    /** Runs once for each codec. */
    public static void main(String[] args) throws Exception {
        List<String> codecs = List.of(args).subList(3, args.length);
        int kills = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        for (String codec : codecs) {
            try (JavaSparkContext spark = new JavaSparkContext(settings(codec))) {
                int share = (kills + codecs.size() - 1) / codecs.size();
                Path scratch = Path.of(args[0]).resolve(codec);
                System.out.println(
                        RESULT_PREFIX + new KilledTasksApplication(spark, scratch, share, seed).run(codec, seed));
            }
        }
    }

    private static SparkConf settings(String codec) {
        return new SparkConf()
                .setAppName("killed tasks " + codec)
                .set("spark.io.compression.codec", codec)
                .set("spark.hadoop.io.compression.codecs", StreamJob.hadoopCodecs())
                .set("spark.scheduler.mode", "FAIR")
                .set("spark.shuffle.spill.numElementsForceSpillThreshold", "2000")
                .set("spark.speculation", "true")
                .set("spark.speculation.interval", "20ms")
                .set("spark.speculation.multiplier", "1.1")
                .set("spark.speculation.quantile", "0.3");
    }

    private String run(String codec, long seed) throws Exception {
        StreamJob.writeInput(spark, scratch.resolve("in"));
        StreamCounts.Streams driverBefore = StreamCounts.Streams.here();
        ExecutorService threads = Executors.newFixedThreadPool(2 * JOBS_AT_A_TIME);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < JOBS_AT_A_TIME; i++) {
            running.add(threads.submit(() -> runJobs(true)));
            running.add(threads.submit(() -> runJobs(false)));
        }
        try {
            killer.awaitKilled(kills);
        } finally {
            over.set(true);
            killer.close();
            threads.shutdown();
        }
        for (Future<?> jobs : running) {
            jobs.get();
        }
        killer.awaitNoTask();
        Map<String, Residue> residue = Residue.ofExecutors(spark, scratch.toString());
        int left = residue.values().stream().mapToInt(Residue::size).sum();
        String details = wrong.isEmpty() && left == 0 ? "" : "\n" + String.join("\n", wrong) + "\n" + residue;
        return "{\"codec\":\"" + codec + "\",\"seed\":" + seed + ",\"killed\":" + killer.killed()
                + ",\"cancelledJobs\":"
                + cancelled + ",\"victimsRight\":" + victimsRight + ",\"undisturbedRight\":" + undisturbedRight
                + ",\"wrong\":" + wrong.size() + ",\"left\":" + left + ","
                + StreamCounts.collect(spark, driverBefore).json() + "}" + details;
    }

    private void runJobs(boolean victims) {
        while (!over.get()) {
            int number = jobNumber.incrementAndGet();
            StreamJob job = new StreamJob(spark, scratch, number);
            String group = (victims ? TaskKiller.VICTIMS : "undisturbed-") + number;
            spark.setJobGroup(group, "job " + number, true);
            try {
                job.run();
                (victims ? victimsRight : undisturbedRight).incrementAndGet();
            } catch (Exception failed) {
                if (victims && (killer.cancelled(group) || givenUpBySpark(failed))) {
                    cancelled.incrementAndGet();
                } else {
                    synchronized (wrong) {
                        wrong.add(group + ": " + failed);
                    }
                }
            }
        }
    }

    /** Spark ends a job of which a task was killed after it had been given the right to commit its file. */
    private static boolean givenUpBySpark(Exception failed) {
        return String.valueOf(failed.getMessage()).contains("Authorized committer");
    }
}
