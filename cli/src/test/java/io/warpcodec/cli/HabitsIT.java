package io.warpcodec.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import io.warpcodec.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tool beside gzip at a real terminal, that of tmux: each habit is tried with both, and what is on the screen,
 * the exit status and the files that are left are compared. The recording is {@code target/habits.txt}, the table
 * {@code docs/user/habits.md}.
 */
class HabitsIT {

    private static final Path LAUNCHER =
            Path.of("../bin/warpcodec").toAbsolutePath().normalize();
    private static final Path PAGE = Path.of("../docs/user/habits.md");
    private static final Pattern TRIED =
            Pattern.compile("@@begin (\\d+) (gzip|warpcodec)\n(.*?)\n@@end (\\d+) \\[(.*?)\\]\n", Pattern.DOTALL);
    private static final int TERMINALS = 2;
    private static final List<String> TOOLS = List.of("gzip", "warpcodec");

    @TempDir
    Path folder;

    /** How one of the tools did. */
    private record Outcome(String screen, int exit, String files) {
        boolean isSuccess() {
            return exit == 0;
        }

        /** 141 is its own kind of failure. */
        boolean isOfKind(Outcome other) {
            return isSuccess() == other.isSuccess()
                    && (exit == ExitCode.NO_READER) == (other.exit == ExitCode.NO_READER);
        }
    }

    @Test
    void eachHabitIsKeptOrRefusedOnPurpose() throws Exception {
        for (String program : List.of("tmux", "gzip", "bash")) {
            Assumptions.assumeTrue(isInstalled(program), program + " is not installed");
        }
        List<Habit> habits = Habit.all();
        Map<String, Outcome> outcomes = record(habits);
        List<Executable> checks = new ArrayList<>();
        for (int i = 0; i < habits.size(); i++) {
            Habit habit = habits.get(i);
            Outcome gzip = outcomes.get(i + "gzip");
            Outcome ours = outcomes.get(i + "warpcodec");
            checks.add(() -> check(habit, gzip, ours));
        }
        assertAll(checks);
    }

    @Test
    void theTableIsThatOfTheTest() throws IOException {
        StringBuilder page = new StringBuilder("# Habits\n\n"
                + "What people do with gzip, and what `bin/warpcodec` does when they do it. Each line was tried with both tools at a\n"
                + "terminal by a test (`HabitsIT`), which also writes this page. *Kept* means: the same files are left, and both succeed or\n"
                + "both fail.\n\n"
                + "| habit | gzip | warpcodec | |\n|---|---|---|---|\n");
        Habit.all().forEach(habit -> page.append(habit.row()));
        Path made = Files.writeString(Path.of("target/habits.md"), page);
        assertThat(Files.readString(PAGE)).as("copy " + made + " to " + PAGE).isEqualTo(page.toString());
    }

    private static void check(Habit habit, Outcome gzip, Outcome ours) {
        String both = habit.what() + "\ngzip: " + gzip + "\nwarpcodec: " + ours;
        assertThat(gzip).as(both).isNotNull();
        assertThat(ours).as(both).isNotNull();
        boolean isSame = gzip.isOfKind(ours) && gzip.files().equals(ours.files());
        assertThat(isSame).as(both).isEqualTo(habit.isKept());
        if (!habit.shows().isEmpty()) {
            assertThat(gzip.screen()).as(both).containsPattern(habit.shows());
            assertThat(ours.screen()).as(both).containsPattern(habit.shows());
        }
    }

    /** Tries all habits with both tools, side by side at several terminals; returns the outcomes by number and tool. */
    private Map<String, Outcome> record(List<Habit> habits) throws IOException, InterruptedException {
        Path socket = folder.resolve("tmux");
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path launcher = Files.writeString(bin.resolve("warpcodec"), "#!/bin/sh\nexec '" + LAUNCHER + "' \"$@\"\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        Path settings = Files.writeString(folder.resolve("settings"), "set -g history-limit 20000\n");
        List<String> shell = List.of(
                "env",
                "PATH=" + bin + ":" + System.getenv("PATH"),
                "JAVA_HOME=" + System.getProperty("java.home"),
                "WARPCODEC_BUILD=no",
                "WARPCODEC_JAVA_OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseTransparentHugePages",
                "LC_ALL=C.UTF-8",
                "bash",
                "--norc",
                "--noprofile");
        try {
            for (int terminal = 0; terminal < TERMINALS; terminal++) {
                Path script = Files.writeString(folder.resolve("script" + terminal), script(habits, terminal));
                List<Object> command =
                        new ArrayList<>(List.of("tmux", "-S", socket, "-f", settings, "new-session", "-d"));
                command.addAll(List.of("-s", "habits" + terminal, "-x", "200", "-y", "50"));
                command.addAll(shell);
                command.add(script);
                run(command.toArray());
            }
            StringBuilder screens = new StringBuilder();
            for (int terminal = 0; terminal < TERMINALS; terminal++) {
                run("tmux", "-S", socket, "wait-for", "tried" + terminal);
                screens.append(run("tmux", "-S", socket, "capture-pane", "-t", "habits" + terminal, "-pJ", "-S", "-"));
            }
            Files.writeString(Path.of("target/habits.txt"), screens);
            return outcomes(screens.toString());
        } finally {
            new ProcessBuilder("tmux", "-S", socket.toString(), "kill-server")
                    .start()
                    .waitFor();
        }
    }

    /** What a terminal's shell runs: every so many of the habits. */
    private String script(List<Habit> habits, int terminal) {
        StringBuilder script = new StringBuilder();
        for (int i = terminal; i < habits.size(); i += TERMINALS) {
            Habit habit = habits.get(i);
            for (String tool : TOOLS) {
                script.append("mkdir ")
                        .append(folder)
                        .append("/")
                        .append(i)
                        .append(tool)
                        .append(" && cd $_\n");
                script.append(habit.prepare()).append('\n');
                if (!habit.typed().isEmpty()) {
                    // waits in the terminal's queue until the tool asks
                    script.append("tmux send-keys -t $TMUX_PANE ")
                            .append(habit.typed())
                            .append(" Enter\n");
                }
                script.append("printf '@@begin ")
                        .append(i)
                        .append(' ')
                        .append(tool)
                        .append("\\n'\n");
                script.append(habit.command(tool)).append('\n');
                script.append("printf '\\n@@end %s [%s]\\n' $? \"$(ls -x)\"\n");
            }
        }
        return script.append("tmux wait-for -S tried")
                .append(terminal)
                .append("\nread forever\n")
                .toString();
    }

    private static Map<String, Outcome> outcomes(String screen) {
        Map<String, Outcome> outcomes = new HashMap<>();
        Matcher tried = TRIED.matcher(screen.replaceAll(" +\n", "\n"));
        while (tried.find()) {
            outcomes.put(
                    tried.group(1) + tried.group(2),
                    new Outcome(
                            tried.group(3),
                            Integer.parseInt(tried.group(4)),
                            tried.group(5).strip()));
        }
        return outcomes;
    }

    private static String run(Object... command) throws IOException, InterruptedException {
        List<String> words = Stream.of(command).map(Object::toString).toList();
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(300, SECONDS)).isTrue();
        assertThat(process.exitValue()).as(words + ": " + output).isZero();
        return output;
    }

    private static boolean isInstalled(String tool) {
        return Stream.of(System.getenv("PATH").split(":")).anyMatch(bin -> Files.isExecutable(Path.of(bin, tool)));
    }
}
