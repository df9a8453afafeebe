package io.warpcodec.spark.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * A Java process that runs one Spark main class from the jars of a {@link SparkHome}, with its output in a log file.
 * Closing it ends the process.
 */
final class ChildJvm implements AutoCloseable {
    /** A process that says nothing for this long is stuck; no assertion depends on the value. */
    private static final long STUCK_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Process process;
    private final Path log;

    private ChildJvm(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static ChildJvm start(
            SparkHome home,
            Path log,
            int heapMebibytes,
            Map<String, String> environment,
            List<String> javaOptions,
            String mainClass,
            List<String> arguments)
            throws IOException {
        List<String> options = new ArrayList<>(
                List.of(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+")));
        options.addAll(javaOptions);
        String classPath = home.conf() + File.pathSeparator + home.jars() + "/*";
        List<String> command = command(heapMebibytes, options, classPath, mainClass, arguments);
        Files.createDirectories(log.getParent());
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.directory(log.getParent().toFile());
        builder.environment().remove("CLASSPATH");
        builder.environment().remove("HADOOP_CONF_DIR");
        builder.environment().putAll(home.environment());
        builder.environment().putAll(environment);
        return new ChildJvm(builder.start(), log);
    }

    private static List<String> command(
            int heapMebibytes, List<String> options, String classPath, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heapMebibytes + "m");
        command.add("-XX:+UseSerialGC");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+UseTransparentHugePages");
        command.add("-XX:+UnlockDiagnosticVMOptions");
        command.add("-XX:-BytecodeVerificationRemote");
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        return command;
    }

    /** The first match of this pattern in the log, waited for as long as the process lives. */
    Matcher awaitInLog(Pattern pattern) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (true) {
            boolean alive = process.isAlive();
            Matcher matcher = pattern.matcher(log());
            if (matcher.find()) {
                return matcher;
            }
            if (!alive || System.nanoTime() - start > STUCK_NANOS) {
                throw new IOException("no \"" + pattern + "\" from the process; its log:\n" + log());
            }
            Thread.sleep(50);
        }
    }

    /** Waits for the process to end by itself and returns its exit status. */
    int awaitExit() throws IOException, InterruptedException {
        if (!process.waitFor(12 * STUCK_NANOS, TimeUnit.NANOSECONDS)) {
            throw new IOException("the process does not end; its log:\n" + log());
        }
        return process.exitValue();
    }

    String log() throws IOException {
        return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
    }

    /** Ends the process and its children. */
    @Override
    public void close() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
