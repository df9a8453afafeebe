package io.warpcodec.serve;

import java.util.ArrayList;
import java.util.List;

/** Supervises a command of a test's own where the product starts {@link ServeMain}. */
public final class CommandSupervisor {
    private CommandSupervisor() {}

    /** Starts it. */
    public static Supervisor start(List<String> command) {
        return Supervisor.start(command, 100);
    }

    /** Starts a line of the shell, which becomes the process that is supervised where it says {@code exec}. */
    public static Supervisor startShell(String line, String... words) {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", line));
        command.addAll(List.of(words));
        return start(command);
    }
}
