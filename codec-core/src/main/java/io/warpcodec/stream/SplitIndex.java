package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.UnitReader;
import java.io.IOException;
import java.io.InputStream;

/** Says where a split of a file that has no sync points of its own may begin, as an index beside the file or in it. */
@FunctionalInterface
public interface SplitIndex {
    /**
     * Looks for the index, and reads of it what the split needs. All tasks of a job must come to the same answer.
     *
     * @param source what the split's seeker moves
     * @return null if there is none, it cannot be used, or the split is the whole file
     * @throws IOException if that cannot be told
     */
    Points open(SplitRange split, InputStream source) throws IOException;

    /** The seek points that a split owns, by an index. */
    interface Points {
        /** Whether there are none. */
        boolean isEmpty();

        /** Absolute offset of the byte that the first one lies in. */
        long offset();

        /** Reads from the first one on. */
        UnitReader read(CodecOptions options, EngineSelector engines, Windows windows) throws IOException;
    }

    /** Opens windows of the file. */
    @FunctionalInterface
    interface Windows {
        /**
         * A window that begins at an absolute offset, which the caller releases. It moves the source: the one before
         * it is of no more use.
         */
        SourceWindow at(long offset) throws IOException;
    }
}
