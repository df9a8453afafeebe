package io.warpcodec.cli;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.FileProblem;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.PendingOutput;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexException;
import io.warpcodec.stream.GzipIndexer;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Puts an index beside ordinary gzip files, by which their splits begin in the middle. The gzip file is only read. The index gets its name when it has been
 * used to decode all of the file, from every place in it.
 */
@Command(
        name = "index",
        description = {
            "Writes an index beside each ordinary .gz FILE, or all of them in a FOLDER and below it, so that several tasks read it in splits.",
            "The FILE stays as it is. Its index is hidden: .FILE.wci in the same folder. One that is newer than its FILE is left alone.",
            "No job may read a FILE while it gets its index."
        },
        mixinStandardHelpOptions = true)
final class IndexCommand extends FileVerb {

    @Option(
            names = {"-f", "--force"},
            description = "Make the index again where there is one.")
    private boolean force;

    @Option(
            names = "--spacing",
            paramLabel = "BYTES",
            description =
                    "Least distance of two places in the FILE at which a split can begin (default: ${DEFAULT-VALUE}).")
    private long spacingBytes = GzipIndexer.SPACING_BYTES;

    @Override
    void checkUsage() {
        if (spacingBytes < 1) {
            throw wrongUsage("--spacing " + spacingBytes + " is less than 1");
        }
        if (files().contains(Location.STANDARD)) {
            throw wrongUsage("- has no place beside it for an index");
        }
    }

    @Override
    void look(Location argument) throws IOException {
        if (!argument.isFolder()) {
            argument.requireReadable();
        }
    }

    @Override
    int runAll(Location argument) throws IOException {
        if (!argument.isFolder()) {
            return super.runAll(argument);
        }
        int worst = ExitCode.DONE;
        for (String path : argument.filesBelow()) {
            if (Format.ofFileName(path) == Format.GZIP) {
                String name = argument.name().endsWith("/") ? argument.name() + path : argument.name() + "/" + path;
                worst = Math.max(worst, guarded(name, () -> {
                    run(Location.of(name));
                    return ExitCode.DONE;
                }));
            }
        }
        return worst;
    }

    @Override
    void run(Location input) throws IOException {
        if (splitsByItself(input)) {
            say(input, "splits as it is, needs no index");
            return;
        }
        Location output = Location.of(nameBeside(input.name()));
        if (!force && isDone(input, output)) {
            say(input, "has its index");
            return;
        }
        byte[] index;
        try (TwoPasses passes = TwoPasses.of(input)) {
            index = GzipIndexer.index(
                    passes::open, spacingBytes, CodecOptions.DEFAULTS.withMode(engine().mode()), threads());
        }
        if (index == null) {
            if (output.exists()) {
                output.delete();
            }
            say(input, "has no place to split, nothing to gain");
            return;
        }
        try (PendingOutput sink = output.create(true)) {
            sink.write(index);
            sink.publish();
        }
        say(input, "splits at " + (parsed(index).count() - 1) + " places, index of " + index.length + " bytes");
    }

    /** Name of the index of a file of this name. */
    static String nameBeside(String file) {
        int slash = file.lastIndexOf('/');
        return file.substring(0, slash + 1) + GzipIndex.nameFor(file.substring(slash + 1));
    }

    /** Deletes a file, and first the index beside it, which is of no use without it. */
    static void deleteWithIndex(Location file) throws IOException {
        Location index = Location.of(nameBeside(file.name()));
        if (index.exists()) {
            index.delete();
        }
        file.delete();
    }

    private static boolean splitsByItself(Location input) throws IOException {
        try (CountedInput source = input.open()) {
            if (source.totalBytes() == CountedInput.UNKNOWN) {
                throw new FileProblem(input.name(), "is no regular file, but is to be read twice");
            }
            DecodedSource compressed = DecodedSource.of(input, source, null);
            if (compressed.format() != Format.GZIP) {
                throw new FileProblem(
                        input.name(), "is " + compressed.format().word() + ", only gzip has such an index");
            }
            byte[] head = compressed.bytes().readNBytes(FormatDetector.HEAD_BYTES);
            return ContainerHeader.of(Format.GZIP, head).hasIndex();
        }
    }

    /** Whether there is a sound index, newer than the file and of one of this size. */
    private static boolean isDone(Location input, Location output) throws IOException {
        return output.exists() && output.modifiedMillis() >= input.modifiedMillis() && placesBeside(input) > 0;
    }

    /** At how many places a file splits by the index beside it; 0 if there is none, or one that is damaged or of a file of another size. */
    static int placesBeside(Location file) throws IOException {
        Location beside = Location.of(nameBeside(file.name()));
        if (file.isStandard() || !beside.exists()) {
            return 0;
        }
        try (CountedInput input = file.open();
                CountedInput source = beside.open()) {
            GzipIndex index = parsed(source.readAllBytes());
            return index.fileBytes() == input.totalBytes() ? index.count() - 1 : 0;
        } catch (GzipIndexException unusable) {
            return 0;
        }
    }

    private static GzipIndex parsed(byte[] index) throws GzipIndexException {
        byte[] table = Arrays.copyOf(index, GzipIndex.tableBytes(index, index.length));
        return GzipIndex.parse(table, index.length);
    }

    private static void say(Location file, String what) {
        Terminal.out().println(file.name() + ": " + what);
    }

    /** A file that is read twice, the second time by several threads, and shows how far. */
    private static final class TwoPasses implements AutoCloseable {
        private final Location file;
        private final AtomicLong doneBytes = new AtomicLong();
        private final ProgressMeter progress;

        private TwoPasses(Location file, long bytes) {
            this.file = file;
            this.progress = new ProgressMeter(file.name(), doneBytes::get, 2 * bytes);
        }

        static TwoPasses of(Location file) throws IOException {
            try (CountedInput input = file.open()) {
                return new TwoPasses(file, input.totalBytes());
            }
        }

        InputStream open() throws IOException {
            return new FilterInputStream(file.open()) {
                @Override
                public int read(byte[] target, int start, int length) throws IOException {
                    int count = super.read(target, start, length);
                    doneBytes.addAndGet(Math.max(0, count));
                    show();
                    return count;
                }
            };
        }

        private synchronized void show() {
            progress.update();
        }

        @Override
        public synchronized void close() {
            progress.close();
        }
    }
}
