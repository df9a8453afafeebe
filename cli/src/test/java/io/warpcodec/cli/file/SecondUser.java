package io.warpcodec.cli.file;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Another user of this machine, who tries to open files. Only root can ask one. */
final class SecondUser implements AutoCloseable {

    private static final String OTHER_USER_ID = "65534";
    private static final List<String> OPEN_EACH = List.of(
            "setpriv",
            "--reuid=" + OTHER_USER_ID,
            "--regid=" + OTHER_USER_ID,
            "--clear-groups",
            "bash",
            "-c",
            "while IFS= read -r file; do if { : < \"$file\"; } 2> /dev/null; then echo yes; else echo no; fi; done");

    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    private SecondUser(Process process) {
        this.process = process;
        this.questions = process.outputWriter();
        this.answers = process.inputReader();
    }

    /** The user; null where this process may not ask one. */
    static SecondUser orNull() throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            return null;
        }
        try {
            SecondUser user = new SecondUser(new ProcessBuilder(OPEN_EACH).start());
            return user.canOpen(Path.of("/etc/passwd")) ? user : null;
        } catch (IOException noSuchCommand) {
            return null;
        }
    }

    boolean canOpen(Path file) throws IOException {
        questions.write(file + "\n");
        questions.flush();
        return "yes".equals(answers.readLine());
    }

    /** The first file in a folder or below it that this user can open; null if there is none. */
    Path firstOpenBelow(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            if (canOpen(file)) {
                return file;
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        questions.close();
        process.destroy();
    }
}
