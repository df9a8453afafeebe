package io.warpcodec.cli.terminal;

import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.publish.PendingOutput;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/**
 * How much a verb says: errors always, notes, results and progress unless {@code -q} is given, details with
 * {@code -v} only.
 */
public final class SpeechOption {

    @Option(
            names = {"-q", "--quiet"},
            description = "Say nothing but errors, and show no progress.")
    private boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            description = "Say of each FILE what was done.")
    private boolean verbose;

    /** Whether {@code -q} was given. */
    public boolean isQuiet() {
        return quiet;
    }

    /** What a person may want to know, on standard error. */
    public void note(String line) {
        if (!quiet) {
            Terminal.complain(line);
        }
    }

    /** What a verb has found out or done, on standard output. */
    public void result(String line) {
        if (!quiet) {
            Terminal.out().println(line);
        }
    }

    /**
     * What only {@code -v} tells, on standard error; the line is made where it is told, for it takes the tables of
     * the locale.
     */
    public void detail(Supplier<String> line) {
        if (verbose && !quiet) {
            Terminal.complain(line.get());
        }
    }

    /** Whether progress may be shown. */
    boolean showsProgress() {
        return !quiet && Terminal.isWatched();
    }

    /** Says which attributes of its input an output has not, because this user may not give them. */
    public void noteLostAttributes(Location output, PendingOutput published) {
        noteLost(output, published.lostAttributes());
    }

    /** Says which attributes of its original a file or folder could not keep. */
    public void noteLost(Location output, List<String> lost) {
        if (!lost.isEmpty()) {
            note(output.name() + ": cannot keep " + String.join(", ", lost));
        }
    }
}
