package io.warpcodec.cli.file.publish;

import io.warpcodec.cli.file.system.FileAttributes;
import io.warpcodec.cli.file.system.FileFacts;
import io.warpcodec.cli.file.system.FileOperations;
import io.warpcodec.cli.file.system.FileReason;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A file on its way to its name. It is written under a hidden name in the same folder, {@code .NAME.partial-ID}, and
 * gets its own when it is complete; so a reader sees the old file, none, or all of the new one. The input, if it is
 * to go, is deleted by the caller after {@link #publish}.
 *
 * <pre>
 *            create            write            publish: attributes, sync, close, length
 *   (none) ----------> WRITING -----------------------------------------------+
 *                         |                                                   v
 *            close, exit  |                        rename fails            COMPLETE
 *                         v                   +-------------------------------+
 *                     DISCARDED &lt;-------------+                               | rename to a free name, or onto the old file
 *                                                                             v
 *                      (deleting the input) &lt;---------- sync of the name PUBLISHED
 *
 *   state      on disk                                  if the process ends here, the next call
 *   WRITING    input; partial of this user alone        names the partial; works on the input again
 *   COMPLETE   input; partial, whole, with attributes   the same
 *   PUBLISHED  input; NAME, whole                       finds that NAME is taken, and says which call finishes the work
 * </pre>
 *
 * <p>What a rename did is read off the disk, not off its answer ({@link #rename}). Where no rename takes another
 * file's name in one step, a file is replaced by {@link SteppedReplacement}, whose states lie between COMPLETE and
 * PUBLISHED.
 *
 * <p>Invariants. In every state the input, or the file that is replaced, or NAME is complete: a partial is never the
 * only copy. The exception is a partial of bytes that cannot be read again (standard input). Such a partial is kept
 * once it is complete, and the failure says where. From COMPLETE on only {@link #publish} and {@link #close} touch the
 * partial. When the process is asked to end, a hook takes the partials that are still being written, no others.
 *
 * @param <P> paths of the file system
 */
public final class Publication<P> extends PendingOutput {

    private enum State {
        WRITING,
        COMPLETE,
        PUBLISHED,
        DISCARDED
    }

    private static final Set<Publication<?>> BEING_WRITTEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Publication::discardAll, "warpcodec-partial-output-remover"));
    }

    private final FileOperations<P> files;
    private final P target;
    private final boolean replace;
    private final FileAttributes attributes;
    private final boolean isOnlyCopy;
    private final P partial;
    private final P aside;
    private final FileOperations.Sink sink;
    private final AtomicReference<State> state = new AtomicReference<>(State.WRITING);
    private List<String> lost = List.of();
    /** What the file system says of the output when it has its name; null until then. */
    private FileFacts published;

    /**
     * Creates the partial.
     *
     * @param name what messages call the output
     * @param replace whether a file of this name may be replaced
     * @param attributes what the output inherits; null for the system's defaults
     * @param isOnlyCopy whether its bytes come from where they cannot be read again
     */
    public Publication(
            FileOperations<P> files,
            P target,
            String name,
            boolean replace,
            FileAttributes attributes,
            boolean isOnlyCopy)
            throws IOException {
        super(name);
        this.files = files;
        this.target = target;
        this.replace = replace;
        this.attributes = attributes;
        this.isOnlyCopy = isOnlyCopy;
        String id = Leftover.newId();
        this.partial = Leftover.Kind.PARTIAL.of(files, target, id);
        this.aside = Leftover.Kind.REPLACED.of(files, target, id);
        this.sink = files.create(partial, attributes != null);
        BEING_WRITTEN.add(this);
    }

    @Override
    void writeBytes(byte[] bytes, int start, int length) throws IOException {
        sink.write(bytes, start, length);
    }

    @Override
    void makeDurable(Condition last) throws IOException {
        if (attributes != null) {
            lost = sink.giveAttributes(attributes);
        }
        Object identity = sink.identity();
        sink.sync();
        sink.close();
        requireOurs(partial, identity);
        if (!state.compareAndSet(State.WRITING, State.COMPLETE)) {
            throw new IOException("interrupted");
        }
        BEING_WRITTEN.remove(this);
        try {
            takeName(last);
        } catch (IOException failure) {
            throw isOnlyCopy
                    ? new IOException(
                            FileReason.of(failure) + "; all of it is in " + files.nameOf(partial)
                                    + ", and nowhere else",
                            failure)
                    : failure;
        }
        state.set(State.PUBLISHED);
        files.syncName(target);
        published = requireOurs(target, identity);
    }

    /**
     * Returns what lies at a path, which must be the file of this output: whole, and where files have numbers of this
     * one.
     */
    private FileFacts requireOurs(P path, Object identity) throws IOException {
        FileFacts there = requireBytes(files, path, offset());
        if (identity != null && files.renamesAtomically() && !identity.equals(there.identity())) {
            throw new IOException(files.nameOf(path) + " is another file than was written");
        }
        return there;
    }

    @Override
    public void requireThere() throws IOException {
        if (published == null || !published.equals(files.look(target, false))) {
            throw new IOException(files.nameOf(target) + " is gone, or another file by now");
        }
    }

    private void takeName(Condition last) throws IOException {
        files.deleteChecksumOf(target);
        SteppedReplacement<P> steps = new SteppedReplacement<>(files, target, partial, aside);
        if (replace && !files.replacesAtomically()) {
            steps.run(offset(), last);
            return;
        }
        last.require();
        if (replace) {
            rename(files, partial, target, offset(), true);
        } else {
            steps.takeFreeName(offset());
        }
    }

    @Override
    public List<String> lostAttributes() {
        return lost;
    }

    @Override
    void discard() throws IOException {
        boolean isWriting = state.compareAndSet(State.WRITING, State.DISCARDED);
        BEING_WRITTEN.remove(this);
        if (isWriting) {
            try (sink) {
                files.delete(partial);
            }
        } else if (state.compareAndSet(State.COMPLETE, State.DISCARDED)
                && !isOnlyCopy
                && files.look(aside, false) == null) {
            files.delete(partial);
        }
    }

    /** What can be done when the process is asked to end, while the thread that writes goes on. */
    private static void discardAll() {
        for (Publication<?> publication : BEING_WRITTEN) {
            publication.discardAtExit();
        }
    }

    private void discardAtExit() {
        if (state.compareAndSet(State.WRITING, State.DISCARDED)) {
            try {
                files.delete(partial);
            } catch (IOException failure) {
                // the next call names it
            }
        }
    }

    /**
     * Renames a file and looks whether it has the other name: an answer may be lost, a call may have been repeated on
     * the way, and a file system may answer false for any reason.
     *
     * @param onto whether another file may lose that name
     * @throws IOException if it has not been renamed, or is not of this size afterwards
     */
    static <P> void rename(FileOperations<P> files, P from, P to, long bytes, boolean onto) throws IOException {
        IOException failure = null;
        boolean done = false;
        try {
            done = onto ? files.replace(from, to) : files.rename(from, to);
        } catch (IOException mayHaveBeenDone) {
            failure = mayHaveBeenDone;
        }
        if (!done && files.look(from, false) != null) {
            throw failure != null ? failure : new IOException("cannot be renamed from " + files.nameOf(from));
        }
        try {
            requireBytes(files, to, bytes);
        } catch (IOException notThere) {
            if (failure != null) {
                notThere.addSuppressed(failure);
            }
            throw notThere;
        }
    }

    private static <P> FileFacts requireBytes(FileOperations<P> files, P path, long bytes) throws IOException {
        FileFacts there = files.look(path, false);
        if (there == null || !there.isRegular()) {
            throw new IOException(files.nameOf(path) + " is not there");
        }
        if (there.bytes() != bytes) {
            throw new IOException(files.nameOf(path) + " has " + there.bytes() + " bytes, not " + bytes);
        }
        return there;
    }
}
