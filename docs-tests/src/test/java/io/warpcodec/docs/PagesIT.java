package io.warpcodec.docs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.warpcodec.docs.Page.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs the commands of README and docs/user as a reader types them: those of one page in one shell and one folder,
 * from top to bottom. Each command must succeed, and each line that the page shows as printed must be printed
 * ({@code ...} in it stands for anything). A block of commands that cannot run here carries a comment that says why
 * ({@link Page}).
 */
class PagesIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final boolean SLOW = Boolean.getBoolean("warpcodec.test.docs.slow");

    /** Part of the names of the pages that are run. */
    private static final String PAGE = System.getProperty("warpcodec.test.docs.page", "");

    private static final AtomicInteger RUN = new AtomicInteger();
    private static final AtomicInteger SLOW_ONES = new AtomicInteger();
    private static final AtomicInteger NOT_RUN = new AtomicInteger();

    @AfterAll
    static void say() {
        System.out.printf(
                "docs: %d blocks of commands run, %d not run because they are slow, %d not run because they need what is not here%n",
                RUN.get(), SLOW_ONES.get(), NOT_RUN.get());
    }

    /** One test for each page. Two run at once: a page is mostly one process behind the other. */
    @Execution(ExecutionMode.CONCURRENT)
    @TestFactory
    List<DynamicTest> commandsDoWhatPagesSay() throws IOException {
        Installation installation = Installation.in(Path.of("target/pages").toAbsolutePath());
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : Page.forUsers(ROOT)) {
            String name = ROOT.relativize(file).toString();
            if (name.contains(PAGE)) {
                tests.add(dynamicTest(name, () -> runCommandsOf(Page.read(file), name, installation)));
            }
        }
        return tests;
    }

    @Test
    void blocksAreRunOrSayWhyNot() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : Page.forUsers(ROOT)) {
            for (Block block : Page.read(file).blocks()) {
                if (!block.isAccountedFor()) {
                    wrong.add(ROOT.relativize(file) + ":" + block.line() + " (" + block.language() + ")");
                }
            }
        }
        assertThat(wrong)
                .as("blocks that are neither run nor say why not, as in <!-- not run: REASON -->")
                .isEmpty();
    }

    private static void runCommandsOf(Page page, String name, Installation installation) throws Exception {
        StringBuilder script = new StringBuilder("set -e\n");
        List<Block> expected = new ArrayList<>();
        for (Block block : page.blocks()) {
            if (block.marker().equals(Page.FILE)) {
                script.append(
                        "mkdir -p \"$(dirname '" + block.reason() + "')\"\ncat >'" + block.reason() + "' <<'@@@@'\n");
                script.append(installation.atHome(block.text())).append("@@@@\n");
            } else if (isRun(block)) {
                script.append("echo; echo '@@@@ line ").append(block.line()).append("'\n");
                commandsOf(block)
                        .forEach(command ->
                                script.append(installation.atHome(command)).append('\n'));
                expected.add(block);
            }
        }
        if (expected.isEmpty()) {
            return;
        }
        Path scratch = installation.scratchFolder(name.replace('/', '-'));
        String printed = run(script.toString(), scratch, installation);
        for (Block block : expected) {
            for (String line : block.language().equals(Page.COMMANDS) ? block.output() : List.<String>of()) {
                assertThat(printedBy(block, printed))
                        .as("%s:%d", name, block.line())
                        .containsPattern(asPattern(line, installation));
            }
        }
    }

    /** Statements become one command: a session that runs them and looks at what they did. */
    private static List<String> commandsOf(Block block) {
        return block.language().equals(Page.STATEMENTS)
                ? List.of(Installation.hiveSession(block.text()))
                : block.commands();
    }

    private static boolean isRun(Block block) {
        if (block.marker().equals(Page.NOT_RUN)) {
            NOT_RUN.incrementAndGet();
            return false;
        }
        if (!block.isToRun()) {
            return false;
        }
        if (block.marker().equals(Page.SLOW) && !SLOW) {
            SLOW_ONES.incrementAndGet();
            return false;
        }
        RUN.incrementAndGet();
        return true;
    }

    private static String run(String script, Path scratch, Installation installation) throws Exception {
        Path commands = Files.writeString(scratch.resolve("tmp/commands"), script);
        Path printed = scratch.resolve("tmp/printed");
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", commands.toString())
                .directory(scratch.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        builder.environment().putAll(installation.environment(scratch));
        Process shell = builder.start();
        boolean ended = shell.waitFor(600, SECONDS);
        if (!ended) {
            // what the page has started does not outlive its test
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
        String text = Files.readString(printed);
        assertThat(ended)
                .as("ended within 600 s; printed until then:%n%s", text)
                .isTrue();
        assertThat(shell.exitValue()).as("exit status; printed:%n%s", text).isZero();
        return text;
    }

    private static String printedBy(Block block, String printed) {
        String mark = "@@@@ line " + block.line() + "\n";
        int begin = printed.indexOf(mark) + mark.length();
        int end = printed.indexOf("\n@@@@ line ", begin);
        return end < 0 ? printed.substring(begin) : printed.substring(begin, end);
    }

    private static Pattern asPattern(String line, Installation installation) {
        StringBuilder pattern = new StringBuilder();
        for (String part : installation.atHome(line).split("\\.\\.\\.", -1)) {
            if (pattern.length() > 0) {
                pattern.append(".*");
            }
            for (String word : part.split("\\s+", -1)) {
                pattern.append(word.isEmpty() ? "" : Pattern.quote(word)).append("\\s*");
            }
        }
        return Pattern.compile(pattern.toString());
    }
}
