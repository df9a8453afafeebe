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

    /** One line for a person, on standard error. */
    static void complain(String line) {
        err().println("warpcodec: " + line);
    }

    /** Whether a person watches standard error: the launcher knows, Java 17 does not. */
    static boolean isWatched() {
        return Boolean.getBoolean(PROPERTY);
    }
}
