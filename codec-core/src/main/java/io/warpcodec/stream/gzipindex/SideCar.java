package io.warpcodec.stream.gzipindex;

import io.warpcodec.stream.SplitIndex;
import java.io.Closeable;
import java.io.IOException;

/** A side-car index, opened where it lies beside the file that a split is of, and what that file is like now. */
public interface SideCar extends Closeable {
    /** What to call it in messages. */
    String name();

    /** Size of the index, in bytes. */
    long indexBytes() throws IOException;

    /** Size of the file beside it, in bytes. */
    long fileBytes() throws IOException;

    /** Fills an array with bytes of the index from this offset on; an {@link java.io.EOFException} if it has fewer. */
    void read(long offset, byte[] target) throws IOException;

    /** Looks for a side-car index. */
    @FunctionalInterface
    interface Finder {
        /**
         * Opens the index of the file that is read.
         *
         * @return null if there is none: then no task may see one
         * @throws IOException if it cannot be told, so that the task fails: another task that sees the index would
         *     not read what this task left out
         */
        SideCar find() throws IOException;

        /** The index that is found, as the rule by which a split of the gzip file begins. */
        default SplitIndex splitIndex() {
            return (split, source) -> IndexedSplit.open(this, split, source);
        }
    }
}
