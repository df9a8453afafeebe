package io.warpcodec.cli.verb;

import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Leftovers;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.file.system.FileAttributes;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.input.IndexBeside;
import io.warpcodec.cli.terminal.ProgressMeter;
import io.warpcodec.cli.terminal.Terminal;
import io.warpcodec.format.gzip.GzipIndexException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Option;

/**
 * What compress and decompress share: which output belongs to an input, and in which order things happen. The input
 * is deleted last, when the output is complete, durable and named; and not at all with {@code -k}, {@code -c} or
 * {@code -o}.
 *
 * <p>An output that is there already is not replaced, unless {@code -f} says so or the person at the terminal does.
 * Then nothing is deleted either: what is there may be this call's work of before, or another file.
 */
abstract class TransferVerb extends FileVerb {

    @Option(
            names = {"-k", "--keep"},
            description = "Keep the input.")
    private boolean keep;

    @Option(
            names = {"-c", "--stdout", "--to-stdout"},
            description = "Write to standard output, keep the input.")
    private boolean toStandardOutput;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            description = "Write to this file, keep the input.")
    private String output;

    @Option(names = "--rm", hidden = true, description = "Delete the input, as without it.")
    private boolean removes;

    private final Leftovers leftovers = new Leftovers(line -> speech().note(line));
    private final Claims claims = new Claims();
    /** Outputs that exist and that the person at the terminal allows to be replaced. */
    private final Set<Object> replaceable = new HashSet<>();

    @Override
    void checkUsage() {
        if (removes && (keep || toStandardOutput || output != null)) {
            throw wrongUsage("--rm deletes FILE, and " + (keep ? "-k" : output != null ? "-o" : "-c") + " keeps it");
        }
        if (output != null && toStandardOutput) {
            throw wrongUsage("-o and -c exclude each other");
        }
        if (output != null && words().size() > 1) {
            throw wrongUsage("-o takes one FILE, not " + words().size());
        }
        if (output != null && recursive()) {
            throw wrongUsage("-o takes one FILE, and -r a FOLDER of them");
        }
    }

    /** The name given with {@code -o}, or null. */
    final String output() {
        return output;
    }

    /** Whether what is written goes to a screen. */
    final boolean isShown() {
        boolean hasStandardOutput = toStandardOutput
                || Location.STANDARD.equals(output)
                || output == null && words().contains(Location.STANDARD);
        return hasStandardOutput && Terminal.isShown();
    }

    @Override
    final Location.Tree treeOf(Location folder) throws IOException {
        return leftovers.treeOf(folder, null);
    }

    @Override
    final void leave(Location.Tree tree) throws IOException {
        leftovers.nameOthers(tree);
    }

    @Override
    final void look(InputFile file) throws IOException {
        Location input = file.file();
        leftovers.settle(input);
        input.requireReadable();
        if (isStandard(input)) {
            return;
        }
        Location target = target(file);
        leftovers.settle(target);
        if (isDerived(input)) {
            claims.claim(target, input);
        }
        // what is wrong with a file of a folder by now may be right with the next call: there it fails alone
        if (file.isNamed()) {
            requireUsable(input, target);
        }
    }

    private void requireUsable(Location input, Location target) throws IOException {
        if (goes(input)) {
            open(input).close();
            requireOneName(input);
        }
        if (isTaken(input, target)) {
            requireReplaceable(input, target);
        }
    }

    /**
     * Whether a file would lose its name to the output. With {@code -o} a pipe or device may be named, which takes
     * bytes and stays.
     */
    private boolean isTaken(Location input, Location target) throws IOException {
        return target.exists() && (isDerived(input) || !target.isDevice());
    }

    private void requireReplaceable(Location input, Location target) throws IOException {
        requireOther(target, input);
        if (isDerived(input)) {
            requireRegular(target);
        }
        if (target.isFolder()) {
            throw new FileProblem(target.name(), "is a folder");
        }
        if (mayReplace(target)) {
            return;
        }
        boolean mayAsk = !words().contains(Location.STANDARD);
        if (!mayAsk || !Terminal.isAllowed(target.name() + " exists already; replace it")) {
            throw taken(target, input);
        }
        replaceable.add(target.key());
    }

    private boolean mayReplace(Location target) throws IOException {
        return force() || replaceable.contains(target.key());
    }

    /** Whether the output is standard output. */
    final boolean isStandard(Location input) {
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

    private Location target(InputFile file) throws IOException {
        if (isDerived(file.file())) {
            return file.file().beside(derivedName(file));
        }
        return Location.of(isStandard(file.file()) ? Location.STANDARD : output);
    }

    @Override
    final void run(InputFile file) throws IOException {
        Location input = file.file();
        Location target = target(file);
        if (target.isSameFile(input)) {
            throw new FileProblem(input.name(), "cannot be its own output");
        }
        if (goes(input)) {
            requireOneName(input);
        }
        boolean isTaken = isTaken(input, target);
        if (isTaken) {
            // asked again: a device that takes the bytes is no place for those of an input that goes
            requireReplaceable(input, target);
        }
        try (CountedInput source = open(input)) {
            PendingOutput written = write(input, source, target, isTaken);
            if (goes(input)) {
                IndexBeside.deleteWithFile(input, source, written);
            }
        }
    }

    private PendingOutput write(Location input, CountedInput source, Location target, boolean replaces)
            throws IOException {
        Transfer transfer = prepare(input, source);
        try {
            return write(input, source, target, transfer, replaces);
        } catch (GzipIndexException wrong) {
            if (target.isStandard() || target.isDevice()) {
                throw wrong;
            }
            // what has been written has no name yet, and is gone
            speech().note(input.name() + ": decoded again without its index: " + wrong.getMessage());
            transfer.mistrustIndex();
            return write(input, source, target, transfer, replaces);
        }
    }

    private PendingOutput write(
            Location input, CountedInput source, Location target, Transfer transfer, boolean replaces)
            throws IOException {
        try (ProgressMeter progress =
                        new ProgressMeter(speech(), input.name(), transfer::doneBytes, source.totalBytes());
                PendingOutput sink = target.create(replaces, attributesFor(target, input, source))) {
            transfer.run(sink, progress);
            sink.publish(() -> input.requireUnchanged(source));
            speech().noteLostAttributes(target, sink);
            speech().detail(() -> lineOf(input, target, transfer.doneBytes(), sink.offset()));
            return sink;
        }
    }

    /** What the output inherits: nothing in a pipe or on a screen, where the input is not asked either. */
    private static FileAttributes attributesFor(Location target, Location input, CountedInput source)
            throws IOException {
        return target.isStandard() ? null : input.attributes(source);
    }

    private String lineOf(Location input, Location target, long readBytes, long writtenBytes) {
        return String.format(
                Locale.ROOT,
                "%s: %d -> %d bytes (%.1f%% saved), %s %s",
                input.isStandard() ? "(standard input)" : input.name(),
                readBytes,
                writtenBytes,
                100 * savedShare(readBytes, writtenBytes),
                goes(input) ? "replaced with" : "written to",
                target.isStandard() ? "(standard output)" : target.name());
    }

    /** What share of the raw bytes compression saves; less than 0 if it adds some. */
    abstract double savedShare(long readBytes, long writtenBytes);

    /** Last part of the name of the output where none is given. */
    abstract String derivedName(InputFile input) throws IOException;

    /** Looks at the input and says what is to be done; nothing is created yet. */
    abstract Transfer prepare(Location input, CountedInput source) throws IOException;
}
