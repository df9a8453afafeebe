package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.choice.EngineSelector;
import java.lang.ref.Cleaner;

/**
 * Gives back the accelerator's memory of a stream that is never closed: SequenceFile, IFile, Parquet and Spark's
 * revert path all drop streams open.
 *
 * <p>The cleaner's action keeps what it refers to in memory until the cleaner's thread runs it, and that thread may
 * come late: streams that are dropped faster filled a small heap. So the action is empty until the stream meets the
 * accelerator; a stream that only ever works on the CPU is the garbage collector's at once. One object for each
 * stream, used by the thread that is inside the stream.
 */
final class LeakCleaner {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Action action = new Action();
    private boolean registered;
    private boolean hasMetAccelerator;
    private Runnable release = () -> {};

    /** What the cleaner holds. */
    private static final class Action implements Runnable {
        private volatile Runnable release = () -> {};

        @Override
        public void run() {
            release.run();
        }
    }

    /**
     * These engines. If the stream may use the accelerator, this cleaner notices when they hand it out.
     *
     * @param holder the stream; it is not remembered
     */
    EngineSelector watched(Object holder, EngineSelector engines, CodecOptions options) {
        if (!registered && engines.mayUseAccelerator(options)) {
            CLEANER.register(holder, action);
            registered = true;
        }
        return registered ? engines.observed(this::meetAccelerator) : engines;
    }

    private void meetAccelerator() {
        hasMetAccelerator = true;
        action.release = release;
    }

    /**
     * Says how memory is given back from now on.
     *
     * @param release must not refer to the holder; runs on the cleaner's thread, after or instead of a proper close
     */
    void releasedBy(Runnable release) {
        this.release = release;
        if (hasMetAccelerator) {
            action.release = release;
        }
    }
}
