package io.warpcodec.cli.file.system;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Predicate;

/**
 * The primitive operations of one file system, and nothing built of them: what may happen in which order is written
 * in {@code Publication} and {@code Leftovers}. So a test that makes each of these fail, answer false, stall or be
 * overtaken has met every way in which a file system can disturb the tool ({@code Volumes}).
 *
 * <p>No operation follows a symbolic link in the last part of a path unless it has a parameter that says so.
 * Instances are safe for use by several threads.
 *
 * @param <P> the file system's own type of paths: a name from a listing is never written as text and parsed again
 */
public interface FileOperations<P> {

    // Paths: no access to the file system.

    /** A path below a folder. */
    P resolve(P folder, String name);

    /** The folder that a path lies in. */
    P parent(P path);

    /** The folder that a folder lies in, also where its path does not say. */
    default P above(P folder) {
        return parent(folder);
    }

    /** The last part of a path; empty of a root. */
    String nameOf(P path);

    /** Equal for two spellings of one path. */
    Object key(P path) throws IOException;

    /**
     * Whether {@link #rename} moves all or nothing in one step. Where it copies, a target may be seen that is not
     * complete.
     */
    boolean renamesAtomically();

    /** Whether {@link #replace} exists. */
    boolean replacesAtomically();

    // Operations.

    /** What lies at a path, or null if nothing does. */
    FileFacts look(P path, boolean followLinks) throws IOException;

    /** How many names a file has; 1 where the file system does not count them. */
    default int nameCount(P path) throws IOException {
        return 1;
    }

    /** What lies in a folder under names that are wanted, in no order. */
    List<Listed<P>> list(P folder, Predicate<String> wanted) throws IOException;

    /** Opens a regular file, or a pipe or device. */
    InputStream open(P path, boolean followLinks) throws IOException;

    /**
     * Opens a regular file that was looked at before, and does not wait if it has become a pipe.
     *
     * @param seen what that look said
     * @throws IOException if another file has this name now, and the file system can tell
     */
    default Opened openSeen(P path, boolean followLinks, FileFacts seen) throws IOException {
        InputStream bytes = open(path, followLinks);
        return new Opened() {
            @Override
            public InputStream bytes() {
                return bytes;
            }

            @Override
            public FileAttributes attributes() throws IOException {
                return FileOperations.this.attributes(path, followLinks);
            }
        };
    }

    /** A regular file that is open for reading. */
    interface Opened {

        InputStream bytes();

        /** The attributes of the file, while it is open. */
        FileAttributes attributes() throws IOException;
    }

    /** What is known of the programs that write a file. */
    enum Writers {
        /** The file is closed, or the file system keeps no record of writers: then size and times tell. */
        NONE,
        /** A program has it open, and may write more than size and times say. */
        SOME,
        /** It is the file system of a cluster, which knows and does not tell. */
        NOT_TOLD
    }

    /** What the file system knows of a file's writers. */
    default Writers writers(P path) throws IOException {
        return Writers.NONE;
    }

    /** A folder that is held open. While it is, its path leads there, whatever becomes of its names. */
    interface Held<P> extends Closeable {
        P path();
    }

    /**
     * Holds a folder below another one. No link is followed below that.
     *
     * @param names the folders from there to it
     * @param identity the folder's, when it was listed
     * @throws IOException if a link is met, or another folder
     */
    Held<P> hold(P from, List<String> names, Object identity) throws IOException;

    /** Opens a pipe or device for writing. */
    OutputStream openDevice(P path) throws IOException;

    /**
     * Makes a new file.
     *
     * @param isPrivate whether only this process's user may read it until it is given other attributes; else the
     *     system's default
     * @throws IOException if something is there already, a link for example
     */
    Sink create(P path, boolean isPrivate) throws IOException;

    /** The attributes of a file or folder. */
    FileAttributes attributes(P path, boolean followLinks) throws IOException;

    /**
     * Gives a file another name in the same folder, which must be free.
     *
     * @return false if nothing was renamed, for a reason that the file system keeps to itself
     * @throws java.nio.file.FileAlreadyExistsException if the name is not free
     */
    boolean rename(P from, P to) throws IOException;

    /** Gives a file a name in the same folder and takes it away from the file that had it, in one step. */
    boolean replace(P from, P to) throws IOException;

    /** Deletes a file, a link or an empty folder; returns whether there was one. */
    boolean delete(P path) throws IOException;

    /** Makes a folder and those above it. */
    void createFolders(P folder) throws IOException;

    /**
     * Makes one folder, which at no moment is open to more people than one with these attributes. Its owner may
     * always use it.
     *
     * @return what could not be kept, each in a few words
     */
    List<String> createFolder(P folder, FileAttributes attributes) throws IOException;

    /** Makes the name of a file durable, where there is such an operation. */
    void syncName(P path) throws IOException;

    /**
     * Whether a process is known to write this file. True also for a local file that this user may not write; false
     * where the file system does not tell.
     */
    boolean isBeingWritten(P path) throws IOException;

    /**
     * Deletes what another program keeps beside a file to check its content, and what would be wrong for new content.
     */
    void deleteChecksumOf(P path) throws IOException;

    /** A name in a folder and what lies there; links are not followed. */
    record Listed<P>(P path, FileFacts facts) {}

    /** A file that is being written. */
    interface Sink extends Closeable {

        void write(byte[] bytes, int start, int length) throws IOException;

        /**
         * Gives the file these attributes, when all bytes are written. At no moment may more people read it than may
         * read a file with all of them.
         *
         * @return what could not be kept, each in a few words
         */
        List<String> giveAttributes(FileAttributes attributes) throws IOException;

        /** Which file it is, as {@link FileFacts#identity} has it; null where that is known by its name only. */
        Object identity() throws IOException;

        /** Makes bytes and attributes durable, where there is such an operation. */
        void sync() throws IOException;
    }
}
