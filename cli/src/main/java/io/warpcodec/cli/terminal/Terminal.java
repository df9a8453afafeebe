package io.warpcodec.cli.terminal;

import io.warpcodec.cli.file.StandardOutput;
import io.warpcodec.cli.file.system.FileReason;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;

/**
 * The process's standard streams. They are looked up at each use, because tests swap {@link System#out} and its
 * siblings. Only verbs write to them; the rest of the project logs.
 */
public final class Terminal {

    /**
     * Which of {@code in}, {@code out} and {@code err} are terminals, with commas between: the launcher knows, Java
     * 17 does not.
     */
    public static final String PROPERTY = "warpcodec.terminal";

    private Terminal() {}

    static InputStream in() {
        return System.in;
    }

    /** Standard output. */
    public static PrintStream out() {
        return System.out;
    }

    /** Standard error. */
    public static PrintStream err() {
        return System.err;
    }

    /**
     * The exit code of a verb that ended with a code: {@link ExitCode#FAILED} and a line on standard error if some of
     * its standard output was lost, and {@link ExitCode#NO_READER} without a word if its reader has left.
     */
    public static int requireWritten(int code) {
        IOException failure = StandardOutput.failure();
        if (failure == null) {
            return code;
        }
        if (StandardOutput.hasNoReader()) {
            return ExitCode.NO_READER;
        }
        complain("(standard output): cannot be written: " + FileReason.of(failure));
        return Math.max(code, ExitCode.FAILED);
    }

    /** One line for a person, on standard error. */
    public static void complain(String line) {
        err().println("warpcodec: " + line);
    }

    /** Whether standard input comes from a keyboard. */
    public static boolean isTyped() {
        return isTerminal("in");
    }

    /** Whether standard output goes to a screen. */
    public static boolean isShown() {
        return isTerminal("out");
    }

    /** Whether standard error goes to a screen. */
    static boolean isWatched() {
        return isTerminal("err");
    }

    private static boolean isTerminal(String stream) {
        return Arrays.asList(System.getProperty(PROPERTY, "").split(",")).contains(stream);
    }

    /** Asks the person at the terminal; false without asking if there is none. */
    public static boolean isAllowed(String question) {
        if (!isTyped() || !isWatched()) {
            return false;
        }
        err().print("warpcodec: " + question + " (y or n)? ");
        err().flush();
        return typedLine().strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    /** One line of standard input, byte by byte, so that what follows it stays there; empty at its end. */
    private static String typedLine() {
        StringBuilder line = new StringBuilder();
        try {
            for (int typed; (typed = in().read()) >= 0 && typed != '\n'; ) {
                line.append((char) typed);
            }
        } catch (IOException unreadable) {
            return "";
        }
        return line.toString();
    }
}
