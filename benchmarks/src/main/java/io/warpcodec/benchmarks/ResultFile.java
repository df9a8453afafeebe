package io.warpcodec.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A benchmark's CSV: where and with what it ran, then a line for each point. The file is written anew with every
 * line, so that an interrupted run leaves its part.
 */
public final class ResultFile {
    private final Path path;
    private final StringBuilder text = new StringBuilder();

    /**
     * @param options of the run: {@code out} names the file, {@code commit}, if there, what was run
     * @param header names of the columns
     */
    public ResultFile(Map<String, String> options, String header) throws IOException {
        path = Path.of(options.get("out"));
        Surroundings.describe(options.get("commit")).forEach((name, value) -> {
            if (!name.equals("settings")) {
                text.append("# " + name + ": " + value + "\n");
            }
        });
        text.append("# options: " + options + "\n" + header + "\n");
    }

    /** Adds what the CPU was given and what the pool did, if anything. */
    public void note(CountedFallbacks counted) throws IOException {
        if (!counted.toString().isEmpty()) {
            note("# by the CPU: " + counted);
        }
        if (!counted.ofPool().isEmpty()) {
            note("# by the pool: " + counted.ofPool());
        }
    }

    /** Adds a line and prints it. */
    public void note(String line) throws IOException {
        System.out.println(line);
        text.append(line).append('\n');
        Files.writeString(path, text);
    }
}
