package io.warpcodec.cli;

/** What the process ends with. */
final class ExitCode {

    /** Everything was done. */
    static final int DONE = 0;

    /** Wrong usage, or an input or output that could not be read or written. */
    static final int FAILED = 1;

    /** An input is corrupt or cut short. */
    static final int CORRUPT = 2;

    /** What {@code doctor --check} asked for is not the case. */
    static final int NOT_MET = 3;

    /** The reader of standard output has left: what a shell says of a program that SIGPIPE ends, 128 + 13. */
    static final int NO_READER = 141;

    private ExitCode() {}
}
