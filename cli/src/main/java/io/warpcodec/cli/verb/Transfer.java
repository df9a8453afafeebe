package io.warpcodec.cli.verb;

import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.terminal.ProgressMeter;
import java.io.IOException;

/** What compress or decompress does with one input. */
interface Transfer {

    /** Moves all bytes; the output is complete when this returns. */
    void run(PendingOutput sink, ProgressMeter progress) throws IOException;

    /** Has the next {@link #run} use no index, because that is of another file. */
    default void mistrustIndex() {}

    /** How many bytes of the input have been worked on. */
    long doneBytes();
}
