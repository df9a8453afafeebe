package io.warpcodec.cli.file.publish;

import io.warpcodec.cli.file.system.FileFacts;
import io.warpcodec.cli.file.system.FileOperations;
import io.warpcodec.cli.file.system.FileReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;

/**
 * Replaces a file where no rename takes another file's name in one step, and where a rename may be a copy and a
 * delete, as on object stores.
 *
 * <pre>
 *   step                                  R = .NAME.replaced-ID   NAME            P = .NAME.partial-ID
 *   0                                     -                       old             new
 *   1  rename NAME to R                   part of old, then old   old, then -     new
 *   2  rename P to NAME                   old                     part of new     new
 *   3  (P goes when the copy is whole)    old                     new             -
 *   4  NAME is there and of P's size: delete R
 * </pre>
 *
 * <p>{@link #settle} takes up what stopped anywhere in between, in this process after a failure or in the next one.
 * It goes by the bytes: nothing is deleted that is not all of it, or the beginning of, another of the three. If
 * another process has put a file of its own there meanwhile, nothing is touched.
 */
public final class SteppedReplacement<P> {

    /** What {@link #settle} came to. */
    public enum Outcome {
        /** NAME is the old file. */
        RESTORED,
        /** NAME is the new file. */
        FINISHED,
        /** NAME is something else; R may be the only copy of the old file. */
        UNDECIDED
    }

    private static final int COMPARED_BYTES = 1 << 20;

    private final FileOperations<P> files;
    private final P target;
    private final P partial;
    private final P aside;

    /**
     * @param target NAME, whose file is replaced
     * @param partial P, the new file
     * @param aside R, the name that the old file has meanwhile
     */
    public SteppedReplacement(FileOperations<P> files, P target, P partial, P aside) {
        this.files = files;
        this.target = target;
        this.partial = partial;
        this.aside = aside;
    }

    /**
     * Does all steps.
     *
     * @param bytes size of the partial, which is complete
     * @param last is asked immediately before the first step
     */
    void run(long bytes, PendingOutput.Condition last) throws IOException {
        FileFacts old = files.look(target, false);
        last.require();
        if (old == null) {
            takeFreeName(bytes);
            return;
        }
        try {
            Publication.rename(files, target, aside, old.bytes(), false);
            Publication.rename(files, partial, target, bytes, false);
        } catch (IOException failure) {
            if (settleAfter(failure) != Outcome.FINISHED) {
                throw failure;
            }
        }
        files.delete(aside);
    }

    /** Gives the partial a name that no file has; what a copy left half done under it goes again. */
    void takeFreeName(long bytes) throws IOException {
        try {
            Publication.rename(files, partial, target, bytes, false);
        } catch (FileAlreadyExistsException taken) {
            throw taken;
        } catch (IOException failure) {
            if (!files.renamesAtomically()) {
                dropIncompleteCopy();
            }
            throw failure;
        }
    }

    /** Deletes NAME if it is the first part of P, and not all of it; returns whether it was. */
    private boolean dropIncompleteCopy() throws IOException {
        FileFacts named = files.look(target, false);
        FileFacts written = files.look(partial, false);
        return named != null
                && written != null
                && named.bytes() < written.bytes()
                && isBeginningOf(target, partial)
                && files.delete(target);
    }

    private Outcome settleAfter(IOException failure) throws IOException {
        try {
            Outcome outcome = settle();
            if (outcome == Outcome.UNDECIDED) {
                throw new IOException(
                        FileReason.of(failure) + "; the file as it was is " + files.nameOf(aside) + ", the new one is "
                                + files.nameOf(partial),
                        failure);
            }
            return outcome;
        } catch (IOException again) {
            if (again.getCause() != failure) {
                again.addSuppressed(failure);
            }
            throw again;
        }
    }

    /** Completes or takes back what was interrupted. */
    public Outcome settle() throws IOException {
        FileFacts moved = files.look(aside, false);
        FileFacts named = files.look(target, false);
        if (moved == null) {
            return named == null ? Outcome.UNDECIDED : Outcome.RESTORED;
        }
        if (named == null) {
            return putBack(moved);
        }
        if (isBeginningOf(aside, target)) {
            files.delete(aside);
            return Outcome.RESTORED;
        }
        FileFacts written = files.look(partial, false);
        if (written != null && isBeginningOf(target, partial)) {
            if (named.bytes() == written.bytes()) {
                files.delete(aside);
                files.delete(partial);
                return Outcome.FINISHED;
            }
            files.delete(target);
            return putBack(moved);
        }
        if (isBeginningOf(target, aside)) {
            files.delete(target);
            return putBack(moved);
        }
        return Outcome.UNDECIDED;
    }

    private Outcome putBack(FileFacts moved) throws IOException {
        Publication.rename(files, aside, target, moved.bytes(), false);
        return Outcome.RESTORED;
    }

    /** Whether a file holds nothing but the first bytes of another one, or all of them. */
    private boolean isBeginningOf(P part, P whole) throws IOException {
        FileFacts partFacts = files.look(part, false);
        FileFacts wholeFacts = files.look(whole, false);
        if (partFacts == null
                || wholeFacts == null
                || !partFacts.isRegular()
                || !wholeFacts.isRegular()
                || partFacts.bytes() > wholeFacts.bytes()) {
            return false;
        }
        try (InputStream left = files.open(part, false);
                InputStream right = files.open(whole, false)) {
            while (true) {
                byte[] some = left.readNBytes(COMPARED_BYTES);
                if (!Arrays.equals(some, right.readNBytes(some.length))) {
                    return false;
                }
                if (some.length < COMPARED_BYTES) {
                    return true;
                }
            }
        }
    }
}
