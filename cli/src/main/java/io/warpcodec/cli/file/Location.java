package io.warpcodec.cli.file;

import java.io.IOException;
import java.util.List;

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

    /** Throws unless it can be opened for reading. A pipe is not opened, because what it holds can be read only once. */
    default void requireReadable() throws IOException {}

    /** Whether it is a regular file, and no folder, pipe or device. */
    default boolean isRegular() throws IOException {
        return true;
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

    /** Whether it is a folder. */
    default boolean isFolder() throws IOException {
        return false;
    }

    /** Whether there is a file of this name. */
    default boolean exists() throws IOException {
        return false;
    }

    /**
     * The files in this folder and those below it, by name, each as a path from here with {@code /} between; none that hides behind a dot or an
     * underscore, as Hadoop has it.
     */
    default List<String> filesBelow() throws IOException {
        return List.of();
    }

    /** When the file was last written, in milliseconds since 1970. */
    default long modifiedMillis() throws IOException {
        return 0;
    }

    /** Makes the folder that this file is to lie in, and those above it. */
    default void createParents() throws IOException {}

    /** Times and permissions of a local file; null of others. */
    default FileAttributes attributes() throws IOException {
        return null;
    }

    /** Gives a local file these times and permissions; others stay as they are, as all do with null. */
    default void setAttributes(FileAttributes attributes) throws IOException {}

    /** Whether a path from a folder hides behind a dot or an underscore. */
    static boolean isHidden(String path) {
        for (String word : path.split("/")) {
            if (word.startsWith(".") || word.startsWith("_")) {
                return true;
            }
        }
        return false;
    }

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
