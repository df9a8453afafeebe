package io.warpcodec.benchmarks.job;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Tasks as MapReduce runs them, a JVM for each, all started at once: every one reads the same file
 * ({@link TaskFile}), or its split of it. Hadoop's codec ({@code stock}; lz4-java for frames) and ours take turns in
 * every round. Ours runs in modes {@code cpu}, {@code auto}, {@code gpu}, and {@code node}, which is {@code auto}
 * beside the service in {@code -Dnode.folder}. Then one task with a long {@code .gz}, and one JVM that lives long and
 * reads on many threads.
 *
 * <pre>
 * usage: TaskProcesses [--variants stock,cpu,auto] [--jvms 1,16,32] [--rounds 3] [--formats gzip,ours,...] [--raw-mb 120] [--long-mb 1500] [--executors auto,gpu] [--threads 16] [--seconds 40]
 *                      [--folder PATH] [--java "OPTION ..."]
 * </pre>
 *
 * CSV on the standard output, times in seconds:
 *
 * <ul>
 *   <li>{@code wall_s}: from the first process's start to the last one's end
 *   <li>{@code task_s}: mean of the processes
 *   <li>{@code read_s}: of that, from the opening of the stream, on a file system used before, to its last byte
 *   <li>{@code first_s}: from the opening of the stream to its first bytes
 *   <li>{@code exit_s}: from its last bytes to the end of the process
 *   <li>{@code cpu_s}: processor seconds a process, its end included
 * </ul>
 *
 * <p>{@code --long-mb 0} leaves out the long file, {@code --seconds 0} the JVM that lives long.
 */
public final class TaskProcesses {
    private static final int TICKS_A_SECOND = 100;
    private static final int MOST_SECONDS = 180;
    /** Fields of /proc/self/stat behind the name: processor time of children that have ended, as user and as system. */
    private static final int CHILDREN_USER_FIELD = 13;

    private final Map<String, String> options = new TreeMap<>(Map.ofEntries(
            Map.entry("variants", "stock,cpu,auto"),
            Map.entry("jvms", "1,16,32"),
            Map.entry("rounds", "3"),
            Map.entry("formats", "gzip"),
            Map.entry("raw-mb", "120"),
            Map.entry("long-mb", "1500"),
            Map.entry("executors", "auto,gpu"),
            Map.entry("threads", "16"),
            Map.entry("seconds", "40"),
            Map.entry("java", ""),
            Map.entry("folder", System.getProperty("java.io.tmpdir"))));

    /** How a process ended. */
    private record Ended(
            boolean well, long rawBytes, double seconds, double readSeconds, double firstSeconds, double exitSeconds) {}

    private TaskProcesses() {}

    public static void main(String[] arguments) throws Exception {
        TaskProcesses benchmark = new TaskProcesses();
        for (int at = 0; at + 1 < arguments.length; at += 2) {
            benchmark.options.put(arguments[at].substring(2), arguments[at + 1]);
        }
        benchmark.run();
    }

    private void run() throws Exception {
        Path folder = Files.createTempDirectory(Path.of(options.get("folder")), "task-processes-");
        try {
            System.out.println("part,variant,jvms,round,wall_s,task_s,most_task_s,read_s,first_s,exit_s,cpu_s,failed");
            for (String format : options.get("formats").split(",")) {
                TaskFile file = TaskFile.in(folder, format);
                tasks(format, file, file.write(megabytes("raw-mb")), options.get("jvms"));
                file.delete();
            }
            TaskFile file = TaskFile.in(folder, "gzip");
            if (megabytes("long-mb") > 0) {
                tasks("long gzip", file, file.write(megabytes("long-mb")), "1");
            }
            if (!options.get("seconds").equals("0")) {
                executors(file, file.write(megabytes("raw-mb")));
            }
            file.delete();
        } finally {
            try (Stream<Path> left = Files.list(folder)) {
                for (Path each : left.toList()) {
                    Files.delete(each);
                }
            }
            Files.delete(folder);
        }
    }

    private long megabytes(String option) {
        return Long.parseLong(options.get(option)) * 1_000_000;
    }

    private void tasks(String part, TaskFile file, long rawBytes, String counts) throws Exception {
        for (int round = 1; round <= Integer.parseInt(options.get("rounds")); round++) {
            for (String count : counts.split(",")) {
                for (String variant : options.get("variants").split(",")) {
                    if (!file.isFor(variant)) {
                        continue;
                    }
                    measure(part, variant, Integer.parseInt(count), round, file, rawBytes);
                }
            }
        }
    }

    private void measure(String part, String variant, int count, int round, TaskFile file, long rawBytes)
            throws Exception {
        List<Ended> ended = new ArrayList<>();
        double cpuBefore = childrenSeconds();
        long start = System.nanoTime();
        ExecutorService starters = Executors.newFixedThreadPool(count);
        try {
            List<Future<Ended>> tasks = new ArrayList<>();
            for (int task = 0; task < count; task++) {
                String split = file.isSplit() ? task + "/" + count : "whole";
                tasks.add(starters.submit(() -> task(variant, file, split)));
            }
            for (Future<Ended> task : tasks) {
                ended.add(task.get());
            }
        } finally {
            starters.shutdown();
        }
        double wall = (System.nanoTime() - start) / 1e9;
        long expectedBytes = file.isSplit() ? rawBytes : count * rawBytes;
        if (ended.stream().allMatch(Ended::well)
                && ended.stream().mapToLong(Ended::rawBytes).sum() != expectedBytes) {
            throw new IOException(variant + " reads other bytes of " + part + " than were written");
        }
        double cpu = (childrenSeconds() - cpuBefore) / count;
        System.out.printf(
                Locale.ROOT,
                "%s,%s,%d,%d,%.2f,%.2f,%.2f,%.3f,%.3f,%.2f,%.2f,%d%n",
                part,
                variant,
                count,
                round,
                wall,
                ended.stream().mapToDouble(Ended::seconds).average().orElse(0),
                ended.stream().mapToDouble(Ended::seconds).max().orElse(0),
                ended.stream().mapToDouble(Ended::readSeconds).average().orElse(0),
                ended.stream().mapToDouble(Ended::firstSeconds).average().orElse(0),
                ended.stream().mapToDouble(Ended::exitSeconds).average().orElse(0),
                cpu,
                ended.stream().filter(end -> !end.well).count());
    }

    private Ended task(String variant, TaskFile file, String split) throws Exception {
        long start = System.nanoTime();
        Process process = java("512m", variant, file.format(), file.path().toString(), split)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim();
        boolean well = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        long now = System.currentTimeMillis();
        double seconds = (System.nanoTime() - start) / 1e9;
        process.destroyForcibly();
        if (!well) {
            return new Ended(false, 0, seconds, 0, 0, 0);
        }
        String[] times = said.split(" ");
        return new Ended(
                true,
                Long.parseLong(times[3]),
                seconds,
                Long.parseLong(times[1]) / 1e6,
                Long.parseLong(times[2]) / 1e6,
                (now - Long.parseLong(times[0])) / 1e3);
    }

    private ProcessBuilder java(String heap, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                // else a JVM whose process number was used before may say so on the standard output
                "-XX:-UsePerfData",
                "-Dnode.folder=" + System.getProperty("node.folder", "/run/warpcodec"),
                "-cp",
                System.getProperty("java.class.path"),
                ReadingTask.class.getName()));
        command.addAll(Arrays.asList(arguments));
        Arrays.stream(options.get("java").split(" "))
                .filter(word -> !word.isEmpty())
                .forEach(word -> command.add(1, word));
        return new ProcessBuilder(command);
    }

    /** Processor seconds of all processes that were started here and have ended. */
    private static double childrenSeconds() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long ticks = Long.parseLong(fields[CHILDREN_USER_FIELD]) + Long.parseLong(fields[CHILDREN_USER_FIELD + 1]);
            return (double) ticks / TICKS_A_SECOND;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void executors(TaskFile file, long rawBytes) throws Exception {
        System.out.println("part,variant,threads,second,gb_s,of_it_by_devices_gb_s");
        for (String variant : options.get("executors").split(",")) {
            Process process = java(
                            "4g",
                            variant,
                            file.format(),
                            file.path().toString(),
                            Long.toString(rawBytes),
                            options.get("threads"),
                            options.get("seconds"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (BufferedReader said =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
                said.lines().forEach(System.out::println);
            }
            process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
        }
    }
}
