package io.warpcodec.cli.terminal;

/** What the process ends with. */
public final class ExitCode {

    /** Everything was done. */
    public static final int DONE = 0;

    /** Wrong usage, or an input or output that could not be read or written. */
    public static final int FAILED = 1;

    /** An input is corrupt or cut short. */
    public static final int CORRUPT = 2;

    /** A file has the output's name already: whether the work was done before, a person has to look. */
    public static final int TAKEN = 2;

    /** What {@code doctor --check} asked for is not the case. */
    public static final int NOT_MET = 3;

    /** The reader of standard output has left: what a shell says of a program that SIGPIPE ends, 128 + 13. */
    public static final int NO_READER = 141;

    private ExitCode() {}
}
