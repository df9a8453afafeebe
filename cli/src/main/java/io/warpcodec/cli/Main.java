package io.warpcodec.cli;

import java.util.function.IntSupplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** Starts the command line tool. */
public final class Main {

    private static final String END_OF_OPTIONS = "--";

    private Main() {}

    /** Runs one verb and exits with its code: 0 done, 1 usage or input/output, 2 corrupt data. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs one verb in this process and returns the exit code. */
    static int run(String... arguments) {
        CommandLine commandLine = new CommandLine(new WarpcodecCommand());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        // A FILE named @list is a file, not a list of more words.
        commandLine.setExpandAtFiles(false);
        commandLine.setUnmatchedOptionsAllowedAsOptionParameters(false);
        commandLine.setParameterExceptionHandler((wrong, given) -> complainOfUsage(wrong));
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            Terminal.complain(Complaint.of(failure));
            return Complaint.exitCode(failure);
        });
        commandLine.setExecutionStrategy(parsed -> {
            refuseNumbersAsFiles(parsed);
            return linked(() -> new RunLast().execute(parsed));
        });
        return Terminal.requireWritten(commandLine.execute(arguments));
    }

    /**
     * Refuses a word such as {@code -23} or {@code -1.5}, which the parser takes for a negative number, hence for a FILE or for several options of
     * one digit. Behind {@code --} every word is a FILE.
     */
    private static void refuseNumbersAsFiles(ParseResult parsed) {
        ParseResult verb = parsed;
        while (verb.hasSubcommand()) {
            verb = verb.subcommand();
        }
        for (String word : parsed.originalArgs()) {
            if (word.equals(END_OF_OPTIONS)) {
                return;
            }
            if (isNegativeNumber(word) && !verb.commandSpec().optionsMap().containsKey(word)) {
                throw new UnmatchedArgumentException(
                        verb.commandSpec().commandLine(),
                        "Unknown option: '" + word + "'; a file of this name is ./" + word);
            }
        }
    }

    private static boolean isNegativeNumber(String word) {
        if (!word.startsWith("-") || word.length() == 1) {
            return false;
        }
        try {
            Double.parseDouble(word);
            return true;
        } catch (NumberFormatException notDecimal) {
            return word.matches("-(0[xX]|#).*");
        }
    }

    /** Does what a verb does; code that cannot be linked becomes a line, as any other failure. */
    private static int linked(IntSupplier verb) {
        try {
            return verb.getAsInt();
        } catch (LinkageError failure) {
            Terminal.complain(Complaint.of(failure));
            return Complaint.exitCode(failure);
        }
    }

    private static int complainOfUsage(ParameterException wrong) {
        Terminal.complain(wrong.getMessage());
        Terminal.complain("try '" + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.FAILED;
    }
}
