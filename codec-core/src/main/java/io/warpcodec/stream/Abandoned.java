package io.warpcodec.stream;

import io.warpcodec.engine.Engine;
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
     * @param accelerator whose memory may be held; null for none
     * @param release must not refer to the holder; runs on the cleaner's thread, after or instead of a proper close
     */
    static void onAbandon(Object holder, Engine accelerator, Runnable release) {
        if (accelerator != null) {
            CLEANER.register(holder, release);
        }
    }
}
