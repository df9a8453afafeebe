package io.warpcodec.spark.cluster;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * What killed tasks left behind in one executor.
 *
 * @param dataFiles descriptors of files that tasks read or write: those of the scratch folder and of shuffles and
 *     spills
 * @param threads threads that are inside our code
 */
record Residue(List<String> dataFiles, List<String> threads) implements Serializable {
    private static final int ASKED_TASKS = 16;

    /** Asks every executor, while no other job runs. */
    static Map<String, Residue> ofExecutors(JavaSparkContext spark, String scratch) {
        Map<String, Residue> byExecutor = new TreeMap<>();
        List<Integer> tasks = IntStream.range(0, ASKED_TASKS).boxed().toList();
        for (Tuple2<String, Residue> answer : spark.parallelize(tasks, ASKED_TASKS)
                .map(task -> new Tuple2<>(SparkEnv.get().executorId(), here(scratch)))
                .collect()) {
            byExecutor.merge(answer._1, answer._2, (a, b) -> a.size() > b.size() ? a : b);
        }
        return byExecutor;
    }

    private static Residue here(String scratch) throws IOException {
        List<String> files = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                String target = target(descriptor);
                if (target.startsWith(scratch) || target.contains("/blockmgr-")) {
                    files.add(target);
                }
            }
        }
        List<String> threads = new ArrayList<>();
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            for (StackTraceElement frame : frames) {
                if (frame.getClassName().startsWith("io.warpcodec.")
                        && !frame.getClassName().contains(".cluster.")) {
                    threads.add(thread.getName() + " in " + frame);
                    break;
                }
            }
        });
        return new Residue(files, threads);
    }

    /** Where this descriptor leads; empty if it was closed meanwhile. */
    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    int size() {
        return dataFiles.size() + threads.size();
    }
}
