package io.warpcodec.cli;

import io.warpcodec.SettingWords;
import io.warpcodec.cli.file.StandardOutput;
import io.warpcodec.cli.terminal.ErrorText;
import io.warpcodec.cli.terminal.ExitCode;
import io.warpcodec.cli.terminal.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** Starts the command line tool. */
public final class Main {

    private static final String END_OF_OPTIONS = "--";
    private static final int SHORTEST_MISSPELT = 3;
    private static final Set<String> VERSION = Set.of("-V", "--version");

    private Main() {}

    /** Runs one verb and exits with its code: 0 done, 1 usage or input/output, 2 corrupt data. */
    public static void main(String[] arguments) {
        System.setOut(StandardOutput.ofProcess());
        int code = run(arguments);
        if (code == ExitCode.NO_READER) {
            StandardOutput.endBySignal();
        }
        System.exit(code);
    }

    /** Runs one verb in this process and returns the exit code. */
    static int run(String... arguments) {
        if (arguments.length == 0 && (Terminal.isTyped() || Terminal.isShown())) {
            commandLine().usage(Terminal.err());
            return ExitCode.FAILED;
        }
        String[] words = Shorthand.verbFirst(arguments);
        return Terminal.requireWritten(commandLineFor(words).execute(words));
    }

    /** The parser of the command line with all verbs. */
    static CommandLine commandLine() {
        return commandLine(Verbs.NAMES);
    }

    /** A parser that knows what these words need: to read the description of all verbs takes longer than most calls. */
    static CommandLine commandLineFor(String... words) {
        if (words.length == 1 && VERSION.contains(words[0])) {
            return commandLine(List.of());
        }
        boolean isVerb = words.length > 0 && Verbs.NAMES.contains(words[0]);
        return commandLine(isVerb ? List.of(words[0]) : Verbs.NAMES);
    }

    private static CommandLine commandLine(List<String> verbs) {
        CommandLine commandLine = new CommandLine(new WarpcodecCommand());
        for (String verb : verbs) {
            // as an object alone it would be without the options that a verb adds to its description
            commandLine.addSubcommand(verb, new CommandLine(Verbs.named(verb)));
        }
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        // A FILE named @list is a file, not a list of more words.
        commandLine.setExpandAtFiles(false);
        // as with gzip an option may be given twice, and the last one counts
        commandLine.setOverwrittenOptionsAllowed(true);
        commandLine.setUnmatchedOptionsAllowedAsOptionParameters(false);
        Conduct conduct = new Conduct();
        commandLine.setParameterExceptionHandler(conduct);
        commandLine.setExecutionExceptionHandler(conduct);
        commandLine.setExecutionStrategy(conduct);
        return commandLine;
    }

    /**
     * How a verb is started, and what becomes of its failures. Lambdas of these types would be made anew by each
     * process: no archive of classes takes them.
     */
    private static final class Conduct
            implements IExecutionStrategy, IExecutionExceptionHandler, IParameterExceptionHandler {

        /** Code that cannot be linked becomes a line, as any other failure. */
        @Override
        public int execute(ParseResult parsed) {
            refuseNumbersAsFiles(parsed);
            try {
                return new RunLast().execute(parsed);
            } catch (LinkageError failure) {
                return complainOf(failure);
            }
        }

        @Override
        public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
            return complainOf(failure);
        }

        @Override
        public int handleParseException(ParameterException wrong, String[] given) {
            return complainOfUsage(wrong);
        }
    }

    /**
     * Refuses a word such as {@code -23} or {@code -1.5}, which the parser takes for a negative number, hence for a
     * FILE or for several options of one digit. Behind {@code --} every word is a FILE.
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
                        isLevel(word)
                                ? "Unknown option: '" + word + "'; no format has this level, -1 to -22 are known"
                                : "Unknown option: '" + word + "'; a file of this name is ./" + word);
            }
        }
    }

    private static boolean isLevel(String word) {
        return word.matches("-[0-9]+");
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

    private static int complainOf(Throwable failure) {
        Terminal.complain(ErrorText.of(failure));
        return ErrorText.exitCode(failure);
    }

    private static int complainOfUsage(ParameterException wrong) {
        Terminal.complain(messageOf(wrong) + suggestion(wrong));
        Terminal.complain("try '" + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.FAILED;
    }

    /** A word in the place of the verb that is neither a verb nor an option has a message of its own. */
    private static String messageOf(ParameterException wrong) {
        boolean isWord = wrong instanceof UnmatchedArgumentException unmatched
                && isTool(wrong)
                && !unmatched.getUnmatched().isEmpty()
                && !unmatched.getUnmatched().get(0).startsWith("-");
        if (!isWord) {
            return wrong.getMessage();
        }
        String word = ((UnmatchedArgumentException) wrong).getUnmatched().get(0);
        return word + (Files.exists(Path.of(word)) ? ": no such verb" : ": no such verb or file");
    }

    /** What may have been meant, in words that end a sentence; empty if nothing is near. */
    private static String suggestion(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return "";
        }
        String word = unmatched.getUnmatched().get(0);
        if (word.startsWith("-")) {
            String hint = ForeignWords.hint(word);
            return hint == null ? near(word, unmatched) : "; " + hint;
        }
        return isTool(wrong) && Files.exists(Path.of(word))
                ? "; 'warpcodec compress " + word + "' compresses the file of this name"
                : near(word, unmatched);
    }

    private static boolean isTool(ParameterException wrong) {
        return wrong.getCommandLine().getParent() == null;
    }

    /** Only long words can be told from others that were meant. */
    private static String near(String word, UnmatchedArgumentException unmatched) {
        List<String> near = unmatched.getSuggestions();
        String nearest = near.isEmpty() ? "" : SettingWords.nearest(word, near);
        return word.length() < SHORTEST_MISSPELT || !isNear(word, nearest) ? "" : "; did you mean " + nearest + "?";
    }

    /** Whether the words have most of their letters at the same places, from the front or from the end. */
    private static boolean isNear(String word, String meant) {
        int front = Arrays.mismatch(word.toCharArray(), meant.toCharArray());
        String wordReversed = new StringBuilder(word).reverse().toString();
        String meantReversed = new StringBuilder(meant).reverse().toString();
        int end = Arrays.mismatch(wordReversed.toCharArray(), meantReversed.toCharArray());
        int same = Math.max(0, front) + Math.max(0, end);
        return 2 * same >= meant.length();
    }
}
