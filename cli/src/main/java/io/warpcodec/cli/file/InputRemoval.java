package io.warpcodec.cli.file;

import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.file.system.FileOperations;
import io.warpcodec.cli.file.system.FileOperations.Writers;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.file.system.FileReason;
import java.io.IOException;

/**
 * The only class by which a file of a user's is deleted. A call deletes only a file that it opened itself. Its own
 * output must have its name, be on the disk, and still be the file that this call wrote; an index needs no output. The
 * input at a last look must be the same file (length, times, change time), and closed where the file system knows that.
 * Where a cluster's file system cannot be asked, nothing is deleted.
 *
 * <p>No file system deletes a file on the condition that it is still the same: between the last look and the delete
 * is a window.
 */
final class InputRemoval<P> {

    private final FileOperations<P> files;
    private final P path;
    private final String name;
    private final CountedInput opened;

    /**
     * @param name what messages call the file
     * @param opened its stream, open or closed
     */
    InputRemoval(FileOperations<P> files, P path, String name, CountedInput opened) {
        this.files = files;
        this.path = path;
        this.name = name;
        this.opened = opened;
    }

    /**
     * Throws if the file may not be deleted or replaced now: it is another one, has been written since it was opened,
     * or may be open for writing.
     */
    void requireMayGo() throws IOException {
        requireClosed();
        if (opened.facts() == null || !opened.facts().equals(files.look(path, false))) {
            throw new FileProblem(name, "was written or replaced while it was read, is kept");
        }
    }

    private void requireClosed() throws IOException {
        Writers writers = files.writers(path);
        if (writers == Writers.SOME) {
            throw new FileProblem(name, "is being written, is kept");
        }
        if (writers == Writers.NOT_TOLD) {
            throw new FileProblem(
                    name,
                    "is kept: this file system does not tell whether it is being written; -k or -o keep it unsaid");
        }
    }

    /**
     * Deletes it.
     *
     * @param output what takes its place; null for an index, which holds nothing that its file has not
     */
    void run(PendingOutput output) throws IOException {
        try {
            if (files.look(path, false) == null) {
                return;
            }
            files.deleteChecksumOf(path);
            if (output != null) {
                output.requireThere();
            }
            requireMayGo();
        } catch (FileProblem problem) {
            throw problem;
        } catch (IOException failure) {
            throw new FileProblem(name, "is kept: " + FileReason.of(failure));
        }
        deleteNow();
    }

    /** Whether it is deleted is read off the disk: the answer may be lost. */
    private void deleteNow() throws IOException {
        IOException failure = new IOException("cannot be deleted");
        try {
            if (files.delete(path)) {
                return;
            }
        } catch (IOException mayHaveBeenDone) {
            failure = mayHaveBeenDone;
        }
        if (files.look(path, false) != null) {
            throw new FileProblem(name, failure);
        }
    }
}
