package io.warpcodec.cli;

import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.FileProblem;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.PendingOutput;
import java.io.IOException;
import java.io.InputStream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What compress and decompress share: which output belongs to an input, and in which order things happen. The input is deleted last, when
 * the output is complete, durable and named; and not at all with {@code -k}, {@code -c} or {@code -o}. An output that is there already is neither replaced nor
 * an error if it is what the call would write: then the call before was interrupted, and the input goes now.
 */
abstract class TransferVerb extends FileVerb {

    /** Copy buffer, in bytes. */
    static final int BUFFER_BYTES = 128 << 10;

    @Option(
            names = {"-f", "--format"},
            paramLabel = "FORMAT",
            converter = FormatOption.Converter.class,
            completionCandidates = FormatOption.Words.class,
            description = "One of ${COMPLETION-CANDIDATES}.")
    private Format format;

    @Option(
            names = {"-k", "--keep"},
            description = "Keep the input.")
    private boolean keep;

    @Option(
            names = {"-c", "--stdout"},
            description = "Write to standard output, keep the input.")
    private boolean toStandardOutput;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            description = "Write to this file (replaced when there is one), keep the input.")
    private String output;

    @Mixin
    private CleanOption clean;

    private final Claims claims = new Claims();

    @Override
    void checkUsage() {
        if (output != null && toStandardOutput) {
            throw wrongUsage("-o and -c exclude each other");
        }
        if (output != null && files().size() > 1) {
            throw wrongUsage("-o takes one FILE, not " + files().size());
        }
    }

    /** The format given with {@code -f}, or null. */
    final Format format() {
        return format;
    }

    /** The name given with {@code -o}, or null. */
    final String output() {
        return output;
    }

    @Override
    final void look(Location input) throws IOException {
        clean.settle(input);
        input.requireReadable();
        if (isStandard(input)) {
            return;
        }
        Location target = target(input);
        clean.settle(target, input);
        if (!isDerived(input)) {
            return;
        }
        claims.claim(target, input);
        if (goes(input) || target.exists()) {
            try (CountedInput source = open(input)) {
                if (target.exists()) {
                    requireDone(input, target, prepare(input, source));
                }
            }
        }
    }

    private boolean isStandard(Location input) {
        return toStandardOutput || output == null && input.isStandard() || Location.STANDARD.equals(output);
    }

    /** Whether the output lies beside the input, which then goes unless it is to be kept. */
    private boolean isDerived(Location input) {
        return !isStandard(input) && output == null;
    }

    /** Whether the input is deleted when its output is complete. */
    private boolean goes(Location input) {
        return isDerived(input) && !keep;
    }

    private CountedInput open(Location input) throws IOException {
        return goes(input) ? input.openRegular() : input.open();
    }

    /** Throws unless the output, which is there already, is what this call would write. */
    private void requireDone(Location input, Location target, Transfer transfer) throws IOException {
        DoneBefore.require(target, transfer.targetFormat(), engine().mode(), input, transfer::content);
    }

    private Location target(Location input) throws IOException {
        if (isDerived(input)) {
            return input.beside(derivedName(input));
        }
        return Location.of(isStandard(input) ? Location.STANDARD : output);
    }

    @Override
    final void run(Location input) throws IOException {
        try (CountedInput source = open(input);
                ProgressMeter progress = new ProgressMeter(input.name(), source)) {
            Transfer transfer = prepare(input, source);
            Location target = target(input);
            if (isDerived(input) && target.exists()) {
                requireDone(input, target, transfer);
                Terminal.complain(target.name() + ": was done before");
            } else if (target.isSameFile(input)) {
                throw new FileProblem(input.name(), "cannot be its own output");
            } else {
                write(input, source, target, transfer, progress);
            }
            if (goes(input)) {
                IndexBeside.deleteWithFile(input, source);
            }
        }
    }

    private void write(Location input, CountedInput source, Location target, Transfer transfer, ProgressMeter progress)
            throws IOException {
        try (PendingOutput sink = target.create(!isDerived(input), input.attributes(source))) {
            transfer.run(sink, progress);
            sink.publish(() -> input.requireUnchanged(source));
            sayWhatWasLost(target, sink);
        }
    }

    /** Last part of the name of the output where none is given. */
    abstract String derivedName(Location input) throws IOException;

    /** Looks at the input and says what is to be done; nothing is created yet. */
    abstract Transfer prepare(Location input, CountedInput source) throws IOException;

    /** One input's work. */
    interface Transfer {

        /** The format that the output gets; null if it gets the raw bytes. */
        Format targetFormat();

        /** The raw bytes of the input; in the place of {@link #run}. */
        InputStream content() throws IOException;

        /** Moves all bytes; the output is complete when this returns. */
        void run(PendingOutput sink, ProgressMeter progress) throws IOException;
    }
}
