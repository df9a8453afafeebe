package io.warpcodec.cli.file.publish;

import io.warpcodec.cli.file.system.FileProblem;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * An output that has no name yet. {@link #publish} makes it durable and gives it its name; closing it without that
 * leaves nothing behind. Failures are {@link FileProblem}s that name the offset.
 */
public abstract class PendingOutput extends OutputStream {

    private final String name;
    private long offset;
    private boolean published;

    /** An output that messages call by this name. */
    protected PendingOutput(String name) {
        this.name = name;
    }

    /** Bytes written so far. */
    public final long offset() {
        return offset;
    }

    @Override
    public final void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public final void write(byte[] bytes, int start, int length) throws IOException {
        try {
            writeBytes(bytes, start, length);
            offset += length;
        } catch (IOException failure) {
            throw new FileProblem(name, offset, failure);
        }
    }

    /** Makes everything durable under the final name. */
    public final void publish() throws IOException {
        publish(() -> {});
    }

    /** What must hold for an output to get its name. */
    public interface Condition {
        /** Throws if it does not hold. */
        void require() throws IOException;
    }

    /**
     * Makes everything durable under the final name.
     *
     * @param last is asked immediately before the output gets its name, when all else that takes time is done
     */
    public final void publish(Condition last) throws IOException {
        try {
            makeDurable(last);
            published = true;
        } catch (IOException failure) {
            throw failure instanceof FileProblem ? failure : new FileProblem(name, offset, failure);
        }
    }

    /** Gives up what was not published. Idempotent. */
    @Override
    public final void close() throws IOException {
        if (!published) {
            try {
                discard();
            } catch (IOException failure) {
                throw new FileProblem(name, failure);
            }
        }
    }

    /** What of the input's attributes a published output could not keep, each in a few words. */
    public List<String> lostAttributes() {
        return List.of();
    }

    /**
     * Throws unless its name still has the file that was published, as it was written.
     *
     * @throws IOException also for an output that has no file of its own, and never had
     */
    public void requireThere() throws IOException {
        throw new FileProblem(name, "is no file that could take an input's place");
    }

    abstract void writeBytes(byte[] bytes, int start, int length) throws IOException;

    /**
     * Does what {@link #publish(Condition)} says.
     *
     * @param last is asked immediately before the output gets its name
     */
    abstract void makeDurable(Condition last) throws IOException;

    abstract void discard() throws IOException;
}
