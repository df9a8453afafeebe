package io.warpcodec.cli.file.system;

/**
 * An output's name that another file has already, which was not replaced. The message says how the work is finished.
 */
public final class NameTaken extends FileProblem {

    private static final long serialVersionUID = 1;

    /** @param remedy what to do about it */
    public NameTaken(String output, String remedy) {
        super(output, "exists already, nothing was replaced or deleted; " + remedy);
    }
}
