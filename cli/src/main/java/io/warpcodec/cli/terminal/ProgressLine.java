package io.warpcodec.cli.terminal;

/**
 * A line on the terminal that says what is going on, until the next line of output takes its place. Silent in a pipe.
 */
public final class ProgressLine {

    private static final String ERASE_LINE = "\r\u001b[K";

    private boolean shown;

    /** Shows some words in place of those before. */
    public void show(String words) {
        if (Terminal.isWatched()) {
            Terminal.err().print(ERASE_LINE + words);
            Terminal.err().flush();
            shown = true;
        }
    }

    /** Prints a line to standard output. */
    public void println(String line) {
        clear();
        Terminal.out().println(line);
        Terminal.out().flush();
    }

    /** Takes the words away. */
    public void clear() {
        if (shown) {
            Terminal.err().print(ERASE_LINE);
            Terminal.err().flush();
            shown = false;
        }
    }
}
