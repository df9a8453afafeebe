package io.warpcodec.cli.file.system;

import java.io.IOException;

/**
 * A file that cannot be read or written. The message is one line for a person: file, reason, and the offset where
 * there is one.
 */
public class FileProblem extends IOException {

    private static final long serialVersionUID = 1;

    /** A problem with the file as a whole. */
    public FileProblem(String file, String reason) {
        super(file + ": " + reason);
    }

    /** A problem that showed at an offset, in bytes from the file's start. */
    public FileProblem(String file, long offset, IOException cause) {
        super(file + ": " + FileReason.of(cause) + ", at offset " + offset, cause);
    }

    /** A problem that a file operation met. */
    public FileProblem(String file, IOException cause) {
        super(file + ": " + FileReason.of(cause), cause);
    }
}
