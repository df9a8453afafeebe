package io.warpcodec.hadoop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class of the tests in a JVM of its own, with little memory. */
public final class ForkedJvm {
    private ForkedJvm() {}

    /** The output of the process, which has to end with status 0 within the time. */
    public static String run(Class<?> main, List<String> jvmFlags, String... arguments)
            throws IOException, InterruptedException {
        return runOn(
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main,
                jvmFlags,
                arguments);
    }

    /** As {@link #run}, but on another class path than that of the tests. */
    static String runOn(String classPath, Class<?> main, List<String> jvmFlags, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        command.add("-cp");
        command.add(classPath);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        Thread watchdog = new Thread(() -> {
            try {
                if (!process.waitFor(5, TimeUnit.MINUTES)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException done) {
                Thread.currentThread().interrupt();
            }
        });
        watchdog.setDaemon(true);
        watchdog.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new AssertionError(main.getSimpleName() + " " + String.join(" ", arguments) + " ended with " + status
                    + ":\n" + output);
        }
        return output;
    }
}
