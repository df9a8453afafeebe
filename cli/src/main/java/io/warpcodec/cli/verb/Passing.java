package io.warpcodec.cli.verb;

import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.terminal.ProgressMeter;
import java.io.IOException;
import java.io.InputStream;

/**
 * Hands out an input as it is.
 *
 * @param bytes all of the input
 * @param source counts them
 */
record Passing(InputStream bytes, CountedInput source) implements Transfer {

    @Override
    public void run(PendingOutput sink, ProgressMeter progress) throws IOException {
        byte[] buffer = new byte[CountedInput.BUFFER_BYTES];
        for (int count; (count = bytes.read(buffer, 0, buffer.length)) >= 0; ) {
            sink.write(buffer, 0, count);
            progress.update();
        }
    }

    @Override
    public long doneBytes() {
        return source.offset();
    }
}
