package io.warpcodec.cli;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One call of the tool in a JVM of its own, on the class path of this test.
 *
 * @param exit exit code
 * @param out bytes on standard output
 * @param err text on standard error
 */
public record ToolProcess(int exit, byte[] out, String err) {

    private static final int SECONDS_AT_MOST = 120;

    /** How to start the JVM. */
    record Start(List<String> options, Map<String, String> environment) {

        Start withEnvironment(String name, String value) {
            Map<String, String> more = new HashMap<>(environment);
            more.put(name, value);
            return new Start(options, more);
        }

        /** Runs one verb to its end. */
        ToolProcess run(Object... arguments) throws IOException, InterruptedException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseTransparentHugePages",
                    "-Xshare:auto"));
            command.addAll(moduleOptions());
            command.addAll(options);
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.warpcodec.cli.Main"));
            for (Object argument : arguments) {
                command.add(argument.toString());
            }
            return ToolProcess.run(command, environment);
        }
    }

    /** What this JVM was told of modules: newer ones warn of native libraries otherwise. */
    public static List<String> moduleOptions() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--enable-native-access="))
                .toList();
    }

    /** A JVM with these options. */
    static Start with(List<String> options) {
        return new Start(options, Map.of());
    }

    /** Runs a command to its end. */
    static ToolProcess run(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("tool-", ".out");
        Path err = Files.createTempFile("tool-", ".err");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS_AT_MOST, SECONDS)) {
                process.destroyForcibly();
            }
            process.waitFor();
            return new ToolProcess(
                    process.exitValue(), Files.readAllBytes(out), Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    String text() {
        return new String(out, StandardCharsets.UTF_8);
    }
}
