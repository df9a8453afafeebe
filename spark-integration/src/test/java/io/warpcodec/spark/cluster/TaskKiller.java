package io.warpcodec.spark.cluster;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskKilled;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/**
 * Kills tasks of the job groups whose names begin with {@link #VICTIMS}, each at a moment drawn from the time that
 * such tasks take, and counts all tasks that Spark reports as killed, the losers against a speculative copy too.
 * Thread-safe: Spark's listener thread tells what starts and ends, a thread of its own kills.
 */
final class TaskKiller extends SparkListener implements AutoCloseable {
    /** How the names of job groups begin whose tasks may be killed. */
    static final String VICTIMS = "victim-";

    /** Of so many tasks, one is left alone. */
    private static final int TASKS_A_SURVIVOR = 3;
    /** Of so many kills, one takes the whole job. */
    private static final int KILLS_A_CANCEL = 40;

    private final SparkContext spark;
    private final Random random;
    private final ScheduledExecutorService schedule = Executors.newSingleThreadScheduledExecutor();
    private final Map<Integer, String> groupOfStage = new HashMap<>();
    private final Set<String> cancelled = new HashSet<>();
    private long finishedMillis = 200;
    private int finishedTasks = 1;
    private int runningTasks;
    private int killed;

    TaskKiller(SparkContext spark, Random random) {
        this.spark = spark;
        this.random = random;
    }

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
        Properties properties = stage.properties();
        String group = properties == null ? null : properties.getProperty("spark.jobGroup.id");
        groupOfStage.put(stage.stageInfo().stageId(), group == null ? "" : group);
    }

    /** A kill that fails is missed by {@link #awaitKilled}. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public synchronized void onTaskStart(SparkListenerTaskStart start) {
        runningTasks++;
        String group = groupOfStage.getOrDefault(start.stageId(), "");
        if (group.startsWith(VICTIMS) && random.nextInt(TASKS_A_SURVIVOR) > 0 && !schedule.isShutdown()) {
            long task = start.taskInfo().taskId();
            boolean wholeJob = random.nextInt(KILLS_A_CANCEL) == 0;
            long millis = (long) (random.nextDouble() * finishedMillis / finishedTasks);
            schedule.schedule(() -> kill(task, wholeJob ? group : null), millis, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        runningTasks--;
        if (end.reason() instanceof TaskKilled) {
            killed++;
        } else {
            finishedMillis += end.taskInfo().duration();
            finishedTasks++;
        }
        notifyAll();
    }

    /** @param group the job group to cancel; null to kill the task alone */
    private void kill(long task, String group) {
        if (group == null) {
            spark.killTaskAttempt(task, true, "chosen by lot");
            return;
        }
        synchronized (this) {
            cancelled.add(group);
        }
        spark.cancelJobGroup(group);
    }

    /** Waits until so many tasks were killed. */
    synchronized void awaitKilled(int count) throws InterruptedException {
        while (killed < count) {
            wait();
        }
    }

    /** Kills nothing more. */
    @Override
    public void close() {
        schedule.shutdownNow();
    }

    /** Waits until no task of any job runs. */
    synchronized void awaitNoTask() throws InterruptedException {
        while (runningTasks > 0) {
            wait();
        }
    }

    synchronized int killed() {
        return killed;
    }

    /** Whether this job group was cancelled. */
    synchronized boolean cancelled(String group) {
        return cancelled.contains(group);
    }
}
