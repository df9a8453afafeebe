package io.warpcodec.cli.file;

import java.io.IOException;

/** A place that the tool reads from or writes to. Not safe for use by several threads. */
public interface Location {

    /** What stands for standard input and output on the command line. */
    String STANDARD = "-";

    /** The place that an argument of the command line names. */
    static Location of(String argument) throws IOException {
        if (argument.equals(STANDARD)) {
            return new StandardLocation();
        }
        if (argument.startsWith("file:")) {
            return LocalLocation.ofUri(argument);
        }
        return hasScheme(argument) ? new RemoteLocation(argument) : new LocalLocation(argument);
    }

    /** How to call it in front of a person: as it was given. */
    String name();

    /** Whether it is standard input or output. */
    default boolean isStandard() {
        return false;
    }

    /**
     * Opens it for reading. Failures of the stream are {@link FileProblem}s that name the offset.
     *
     * @throws IOException if there is no such file, it is a folder, or it cannot be read
     */
    CountedInput open() throws IOException;

    /**
     * Starts to write it, under another name where it is a regular file.
     *
     * @param replace whether a file of that name may be replaced
     * @throws IOException if it exists and may not be replaced, or cannot be written
     */
    PendingOutput create(boolean replace) throws IOException;

    /** Gives this file the times and permissions of another, where both are local files; else nothing. */
    default void copyAttributes(Location from) throws IOException {}

    /** Deletes the file. */
    void delete() throws IOException;

    private static boolean hasScheme(String argument) {
        int colon = argument.indexOf("://");
        if (colon <= 0) {
            return false;
        }
        for (int i = 0; i < colon; i++) {
            char c = argument.charAt(i);
            if (!Character.isLetterOrDigit(c) && c != '+' && c != '-' && c != '.') {
                return false;
            }
        }
        return true;
    }
}
