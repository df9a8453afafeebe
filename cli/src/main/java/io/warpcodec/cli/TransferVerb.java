package io.warpcodec.cli;

import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.FileProblem;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.PendingOutput;
import java.io.IOException;
import picocli.CommandLine.Option;

/**
 * What compress and decompress share: which output belongs to an input, and in which order things happen. The input is deleted last, when
 * the output is complete, durable and named; and not at all with {@code -k}, {@code -c} or {@code -o}.
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
        input.requireReadable();
        Location target = target(input);
        if (isDerived(input)) {
            if (!input.isRegular()) {
                throw new FileProblem(input.name(), "is no regular file; -c or -o says where to write");
            }
            if (target.exists()) {
                throw new FileProblem(target.name(), "exists already, not replaced");
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

    private Location target(Location input) throws IOException {
        return Location.of(isStandard(input) ? Location.STANDARD : isDerived(input) ? derivedName(input) : output);
    }

    @Override
    final void run(Location input) throws IOException {
        boolean derived = isDerived(input);
        try (CountedInput source = input.open()) {
            Transfer transfer = prepare(input, source);
            Location target = target(input);
            try (PendingOutput sink = target.create(!derived);
                    ProgressMeter progress = new ProgressMeter(input.name(), source)) {
                transfer.run(sink, progress);
                sink.publish();
            }
            if (derived) {
                target.setAttributes(input.attributes());
            }
        }
        if (derived && !keep) {
            IndexCommand.deleteWithIndex(input);
        }
    }

    /** Name of the output where none is given. */
    abstract String derivedName(Location input) throws IOException;

    /** Looks at the input and says what is to be done; nothing is created yet. */
    abstract Transfer prepare(Location input, CountedInput source) throws IOException;

    /** One input's work. */
    interface Transfer {

        /** Moves all bytes; the output is complete when this returns. */
        void run(PendingOutput sink, ProgressMeter progress) throws IOException;
    }
}
