package io.warpcodec.engine.gpu.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes of tests' main classes, on this one's class path, that start quickly. */
public final class ChildJava {
    private ChildJava() {}

    /** Starts one; what it writes to its error output is dropped. */
    public static Process start(Class<?> main, String... arguments) throws IOException {
        return start(256, main, arguments);
    }

    /** As {@link #start(Class, String...)}, with so many MiB of heap. */
    static Process start(int heapMebibytes, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMebibytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
