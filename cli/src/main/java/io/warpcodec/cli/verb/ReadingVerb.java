package io.warpcodec.cli.verb;

import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.input.DecodedSource;
import io.warpcodec.cli.option.FormatOption;
import io.warpcodec.cli.terminal.ProgressMeter;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A verb that reads compressed files and writes none. */
abstract class ReadingVerb extends FileVerb {

    @Mixin
    private FormatOption format;

    @Override
    void checkUsage() {
        requireNotTyped();
    }

    @Override
    final boolean looksFirst() {
        return false;
    }

    @Override
    void expect(InputFile input, long bytes, Workload load) {
        load.decode(format.given(), input, bytes);
    }

    @Override
    final void run(InputFile file) throws IOException {
        Location input = file.file();
        try (CountedInput source = input.open();
                ProgressMeter progress = new ProgressMeter(speech(), input.name(), source)) {
            read(input, source, format.sourceOf(input, source), progress);
        }
    }

    /**
     * Does the verb's work on one file.
     *
     * @param compressed the source, of which the format is known
     * @param progress of the source, to be closed before a result is printed
     */
    abstract void read(Location input, CountedInput source, DecodedSource compressed, ProgressMeter progress)
            throws IOException;
}
