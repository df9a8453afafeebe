package io.warpcodec.benchmarks.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A Java process, with its outputs in a log. Its standard input stays open for as long as this process lives. Closing
 * ends it and the processes that it started.
 */
final class JavaProcess implements AutoCloseable {
    private static final long END_SECONDS = 20;
    private static final long LOOK_MILLIS = 50;

    private final Process process;
    private final Path log;

    private JavaProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** @param command what stands behind {@code java}: options, main class, arguments */
    static JavaProcess start(Path log, Map<String, String> environment, String classPath, List<String> command)
            throws IOException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(command);
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
        Map<String, String> inherited = builder.environment();
        inherited.remove("HADOOP_CONF_DIR");
        inherited.put("CLASSPATH", classPath);
        inherited.putAll(environment);
        Process process = builder.start();
        // also if a signal ends this process
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        return new JavaProcess(process, log);
    }

    long id() {
        return process.pid();
    }

    Process process() {
        return process;
    }

    /** Waits until the log has these words. */
    void awaitInLog(String words, long mostSeconds) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(mostSeconds);
        while (true) {
            boolean alive = process.isAlive();
            if (log().contains(words)) {
                return;
            }
            if (!alive || System.nanoTime() > end) {
                throw new IOException("no \"" + words + "\" in " + log);
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    String log() throws IOException {
        return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
    }

    @Override
    public void close() {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroy();
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
    }
}
