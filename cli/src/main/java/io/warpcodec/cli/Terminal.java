package io.warpcodec.cli;

import java.io.InputStream;
import java.io.PrintStream;

/**
 * The process's standard streams. They are looked up at each use, because tests swap {@link System#out} and its siblings.
 * Only verbs write to them; the rest of the project logs.
 */
final class Terminal {

    private static final String PROPERTY = "warpcodec.terminal";

    private Terminal() {}

    static InputStream in() {
        return System.in;
    }

    static PrintStream out() {
        return System.out;
    }

    static PrintStream err() {
        return System.err;
    }

    /**
     * The exit code of a verb that ended with a code: {@link ExitCode#FAILED} and a line on standard error if some of its standard output was lost.
     * A PrintStream throws nothing, it only remembers that a write failed.
     */
    static int requireWritten(int code) {
        if (!out().checkError()) {
            return code;
        }
        complain("(standard output): cannot be written (closed, or full), what it was to hold is lost");
        return Math.max(code, ExitCode.FAILED);
    }

    /** One line for a person, on standard error. */
    static void complain(String line) {
        err().println("warpcodec: " + line);
    }

    /** Whether a person watches standard error: the launcher knows, Java 17 does not. */
    static boolean isWatched() {
        return Boolean.getBoolean(PROPERTY);
    }
}
