package io.warpcodec.stream;

import java.lang.ref.Cleaner;

/**
 * Gives back what streams hold that nobody closed: SequenceFile, IFile, Parquet and Spark's revert path all drop streams open.
 * Only an accelerator's memory is worth it; the heap needs no help. Thread-safe.
 */
final class Abandoned {
    private static final Cleaner CLEANER = Cleaner.create();

    private Abandoned() {}

    /**
     * Releases when the holder has become unreachable.
     *
     * @param mayHoldMemory whether an accelerator's memory may be held
     * @param release must not refer to the holder; runs on the cleaner's thread, after or instead of a proper close
     */
    static void onAbandon(Object holder, boolean mayHoldMemory, Runnable release) {
        if (mayHoldMemory) {
            CLEANER.register(holder, release);
        }
    }
}
