package io.warpcodec.cli.file.system;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Predicate;

/**
 * The primitive operations of one file system, and nothing built of them: what may happen in which order is written in {@code Publication} and
 * {@code Leftovers}. So a test that makes each of these fail, answer false, stall or be overtaken has met every way in which a file system can disturb
 * the tool ({@code Volumes}).
 *
 * <p>No operation follows a symbolic link in the last part of a path unless it has a parameter that says so. Instances are safe for use by several
 * threads.
 *
 * @param <P> the file system's own type of paths: a name from a listing is never written as text and parsed again
 */
public interface FileOperations<P> {

    // Paths: no access to the file system.

    /** A path below a folder. */
    P resolve(P folder, String name);

    /** The folder that a path lies in. */
    P parent(P path);

    /** The last part of a path; empty of a root. */
    String nameOf(P path);

    /** Equal for two spellings of one path. */
    Object key(P path) throws IOException;

    /** Whether {@link #rename} moves all or nothing in one step. Where it copies, a target may be seen that is not complete. */
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

    /** Opens a pipe or device for writing. */
    OutputStream openDevice(P path) throws IOException;

    /**
     * Makes a new file.
     *
     * @param isPrivate whether only this process's user may read it until it is given other attributes; else the system's default
     * @throws IOException if something is there already, a link for example
     */
    Sink create(P path, boolean isPrivate) throws IOException;

    /** The attributes of a file. */
    FileAttributes attributes(P path, boolean followLinks) throws IOException;

    /**
     * Gives a file that is closed these attributes. At no moment may more people read it than may read a file with all of them.
     *
     * @return what could not be kept, each in a few words
     */
    List<String> giveAttributes(P path, FileAttributes attributes) throws IOException;

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

    /** Makes the names in a folder durable, where there is such an operation and this user may call it. */
    void syncFolder(P folder) throws IOException;

    /** Whether a process is writing this file, as far as can be told; false where it cannot. */
    boolean isBeingWritten(P path) throws IOException;

    /** Deletes what another program keeps beside a file to check its content, and what would be wrong for new content. */
    void deleteChecksumOf(P path) throws IOException;

    /** A name in a folder and what lies there; links are not followed. */
    record Listed<P>(P path, FileFacts facts) {}

    /** A file that is being written. */
    interface Sink extends Closeable {

        void write(byte[] bytes, int start, int length) throws IOException;

        /** Makes the bytes durable, as far as the file system can. */
        void sync() throws IOException;
    }
}
