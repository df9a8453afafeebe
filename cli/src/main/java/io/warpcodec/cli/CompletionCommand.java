package io.warpcodec.cli;

import io.warpcodec.cli.terminal.ExitCode;
import io.warpcodec.cli.terminal.Terminal;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Prints the script by which a shell completes the tool's verbs and options; it is made from the command line's own
 * description.
 */
@Command(
        name = "completion",
        description = {
            "Prints a script that completes verbs and options in a shell.",
            "bash: eval \"$$(warpcodec completion bash)\" in ~/.bashrc. zsh: the same with zsh in ~/.zshrc, behind compinit."
        },
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {

    /** Shells that read the script. */
    private enum Shell {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
    private Shell shell;

    @Override
    public Integer call() {
        // one script for both: in zsh it loads bashcompinit
        Terminal.out().print(AutoComplete.bash("warpcodec", Main.commandLine()));
        return ExitCode.DONE;
    }
}
