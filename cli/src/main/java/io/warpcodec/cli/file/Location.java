package io.warpcodec.cli.file;

import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.file.system.FileAttributes;
import io.warpcodec.cli.file.system.FileProblem;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** A place that the tool reads from or writes to. Not safe for use by several threads. */
public interface Location {

    /** What stands for standard input and output on the command line. */
    String STANDARD = "-";

    /** The place that an argument of the command line names. */
    static Location of(String argument) throws IOException {
        FileNameCheck.require(argument);
        if (argument.equals(STANDARD)) {
            return new StandardLocation();
        }
        if (argument.startsWith("file:")) {
            return LocalNames.ofUri(argument);
        }
        return hasScheme(argument) ? HadoopNames.of(argument) : LocalNames.of(argument);
    }

    /** How to call it in front of a person: as it was given. */
    String name();

    /** The last part of its path. */
    default String fileName() {
        return name();
    }

    /** Whether it is standard input or output. */
    default boolean isStandard() {
        return false;
    }

    /** Equal for two locations that are one place, whether a file is there or not. */
    default Object key() throws IOException {
        return name();
    }

    /**
     * Throws unless it can be opened for reading. A pipe is not opened, because what it holds can be read only once.
     */
    default void requireReadable() throws IOException {}

    /**
     * Opens it for reading. Failures of the stream are {@link FileProblem}s that name the offset.
     *
     * @throws IOException if there is no such file, it is a folder, or it cannot be read
     */
    CountedInput open() throws IOException;

    /**
     * Opens a regular file that has this name itself, and is no symbolic link. So is opened what is to be deleted.
     *
     * @throws IOException if it cannot be read, is a link or no regular file
     */
    default CountedInput openRegular() throws IOException {
        throw new FileProblem(name(), "is no regular file");
    }

    /** Throws if it is not the file any more that was opened, or has been written since. */
    default void requireUnchanged(CountedInput opened) throws IOException {}

    /**
     * Throws if it is not the file any more that was opened, has been written since, or may be open for writing: then
     * it is neither deleted nor replaced.
     */
    default void requireMayGo(CountedInput opened) throws IOException {
        throw new FileProblem(name(), "is no regular file");
    }

    /**
     * Deletes a file that was read. {@code InputRemoval} says when.
     *
     * @param opened the stream that {@link #openRegular} handed out
     * @param output what takes its place, published; null for an index, which holds nothing that its file has not
     * @throws IOException if it is kept, or cannot be deleted
     */
    default void delete(CountedInput opened, PendingOutput output) throws IOException {
        throw new FileProblem(name(), "cannot be deleted");
    }

    /** Work on a place. Until it is closed nothing but the place itself is reached through the location. */
    record Visit(Location location, Closeable held) implements Closeable {
        @Override
        public void close() throws IOException {
            held.close();
        }
    }

    /**
     * Begins to work on it.
     *
     * @throws IOException if it was found in a folder that is another one by now, or lies behind a link
     */
    default Visit visit() throws IOException {
        return new Visit(this, () -> {});
    }

    /** What an output inherits from an opened input of this place; null of what is no regular file. */
    default FileAttributes attributes(CountedInput opened) throws IOException {
        return null;
    }

    /**
     * Starts to write it, under another name where it is a regular file.
     *
     * @param replace whether a file of that name may be replaced
     * @param inherited the attributes of the file that it is made of, which can be read again; null if it is made of
     *     a pipe
     * @throws IOException if it exists and may not be replaced, or cannot be written
     */
    PendingOutput create(boolean replace, FileAttributes inherited) throws IOException;

    /** Whether it is a folder. */
    default boolean isFolder() throws IOException {
        return false;
    }

    /** Whether a file, a folder or a link has this name. */
    default boolean exists() throws IOException {
        return false;
    }

    /** Whether it is, or leads to, a pipe, a socket or a device: what takes bytes and stays what it is. */
    default boolean isDevice() throws IOException {
        return false;
    }

    /** How many names (hard links) the file has that lies here; 1 where file systems do not count them. */
    default int nameCount() throws IOException {
        return 1;
    }

    /** Whether it is a file, of those that can be read twice; a link to one is none. */
    default boolean isRegular() throws IOException {
        return false;
    }

    /** Its size, as it was when a walk met it; 0 if it is no regular file, or none is there. */
    default long bytes() throws IOException {
        return 0;
    }

    /** When the file was last written, in milliseconds since 1970. */
    default long modifiedMillis() throws IOException {
        return 0;
    }

    /** Whether both are one file on disk, under whatever names. */
    default boolean isSameFile(Location other) throws IOException {
        return false;
    }

    /** The place of this name in the same folder. */
    default Location beside(String fileName) throws IOException {
        throw new FileProblem(name(), "has no place beside it");
    }

    /** The place at the end of a path from this folder. */
    default Location below(String path) throws IOException {
        throw new FileProblem(name(), "is no folder");
    }

    /**
     * Makes the folders that a file is to lie in, from this one on. A new one is as private as the folder that it
     * stands for.
     *
     * @param path where the file is to lie
     * @param input the file that it is made of
     * @return what new folders could not keep, each in a few words
     * @throws IOException if one of them is a symbolic link: what is written here stays here
     */
    default List<String> createFoldersFor(String path, Location input) throws IOException {
        throw new FileProblem(name(), "is no folder");
    }

    /**
     * The files in this folder and those below it.
     *
     * @param except a folder to leave out; null for none
     */
    default Tree tree(Location except) throws IOException {
        return new Tree(List.of(), List.of(), List.of());
    }

    /**
     * What lies below a folder.
     *
     * @param files regular files, by path; none that hides behind a dot or an underscore, as Hadoop has it; symbolic
     *     links are neither taken nor followed
     * @param folders all folders; the first is the folder that was asked
     * @param problems folders that cannot be read
     */
    record Tree(List<Found> files, List<Location> folders, List<FileProblem> problems) {}

    /**
     * A file of a tree.
     *
     * @param path from the tree's folder, with {@code /} between
     */
    record Found(Location file, String path) {}

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
