package io.warpcodec.cli.verb;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Leftovers;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.file.system.FileAttributes;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.input.DecodedSource;
import io.warpcodec.cli.input.FormatDetector;
import io.warpcodec.cli.input.IndexBeside;
import io.warpcodec.cli.terminal.ProgressMeter;
import io.warpcodec.cli.terminal.SpeechOption;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexException;
import io.warpcodec.stream.gzipindex.GzipIndexer;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Puts an index beside ordinary gzip files, by which their splits begin in the middle. The gzip file is only read.
 * The index gets its name when it has been used to decode all of the file, from every place in it.
 */
@Command(
        name = "index",
        description = {
            "Writes an index beside each ordinary .gz FILE, or all of them in a FOLDER and below it, so that several tasks read it in splits.",
            "The FILE stays as it is. Its index is hidden: .FILE.wci in the same folder. One that is newer than its FILE is left alone.",
            "No job may read a FILE while it gets its index."
        },
        mixinStandardHelpOptions = true)
public final class IndexCommand extends FileVerb {

    @Option(
            names = "--spacing",
            paramLabel = "BYTES",
            description =
                    "Least distance of two places in the FILE at which a split can begin (default: ${DEFAULT-VALUE}).")
    private long spacingBytes = GzipIndexer.SPACING_BYTES;

    private final Leftovers leftovers = new Leftovers(line -> speech().note(line));
    private final SplitNotice notice = new SplitNotice();

    @Override
    void checkUsage() {
        if (spacingBytes < 1) {
            throw wrongUsage("--spacing " + spacingBytes + " is less than 1");
        }
        if (words().contains(Location.STANDARD)) {
            throw wrongUsage("- has no place beside it for an index");
        }
    }

    @Override
    String wordWithoutFiles() {
        throw wrongUsage("a FILE or FOLDER is missing");
    }

    @Override
    boolean takesFolders() {
        return true;
    }

    @Override
    boolean takes(Format named) {
        return named == Format.GZIP;
    }

    @Override
    Location.Tree treeOf(Location folder) throws IOException {
        return leftovers.treeOf(folder, null);
    }

    @Override
    void leave(Location.Tree tree) throws IOException {
        leftovers.nameOthers(tree);
    }

    @Override
    void look(InputFile file) throws IOException {
        if (file.isNamed()) {
            file.file().requireReadable();
        }
    }

    @Override
    void expect(InputFile input, long bytes, Workload load) {
        load.decode(Format.GZIP, input, bytes);
    }

    @Override
    void run(InputFile file) throws IOException {
        Location input = file.file();
        IndexBeside beside = IndexBeside.of(input);
        leftovers.settle(input);
        leftovers.settle(beside.location());
        if (splitsByItself(input)) {
            say(input, "splits as it is, needs no index");
            return;
        }
        if (!force() && isDone(input, beside)) {
            say(input, "has its index");
            return;
        }
        beside.requireReplaceable();
        boolean replaces = beside.location().exists();
        byte[] index;
        try (CountedInput opened = input.open();
                TwoPasses passes = TwoPasses.of(speech(), input)) {
            index = GzipIndexer.index(
                    passes::open, spacingBytes, CodecOptions.DEFAULTS.withMode(engine().mode()), threads());
            if (index != null) {
                write(
                        index,
                        beside.location(),
                        replaces,
                        input.attributes(opened).withoutTime(),
                        () -> {
                            input.requireUnchanged(opened);
                            beside.requireReplaceable();
                        });
            }
        }
        if (index == null) {
            beside.delete();
            say(input, "has no place to split, nothing to gain");
            return;
        }
        notice.give(speech());
        say(input, "splits at " + (parsed(index).count() - 1) + " places, index of " + index.length + " bytes");
    }

    /** An index holds some of the content, so only users that may read its file may read it. */
    private void write(
            byte[] index, Location output, boolean replaces, FileAttributes attributes, PendingOutput.Condition last)
            throws IOException {
        try (PendingOutput sink = output.create(replaces, attributes)) {
            sink.write(index);
            sink.publish(last);
            speech().noteLostAttributes(output, sink);
        }
    }

    private static boolean splitsByItself(Location input) throws IOException {
        try (CountedInput source = input.open()) {
            if (source.totalBytes() == CountedInput.UNKNOWN) {
                throw new FileProblem(input.name(), "is no regular file, but is to be read twice");
            }
            DecodedSource compressed = DecodedSource.of(input, source);
            if (compressed.format() != Format.GZIP) {
                throw new FileProblem(
                        input.name(), "is " + compressed.format().word() + ", only gzip has such an index");
            }
            byte[] head = compressed.bytes().readNBytes(FormatDetector.HEAD_BYTES);
            return FormatDetector.describe(Format.GZIP, head).hasIndex();
        }
    }

    /** Whether there is a sound index, newer than the file and of one of this size. */
    private static boolean isDone(Location input, IndexBeside beside) throws IOException {
        return beside.location().isRegular()
                && beside.location().modifiedMillis() >= input.modifiedMillis()
                && beside.places() > 0;
    }

    private static GzipIndex parsed(byte[] index) throws GzipIndexException {
        byte[] table = Arrays.copyOf(index, GzipIndex.tableBytes(index, index.length));
        return GzipIndex.parse(table, index.length);
    }

    private void say(Location file, String what) {
        speech().result(file.name() + ": " + what);
    }

    /** A file that is read twice, the second time by several threads, and shows how far. */
    private static final class TwoPasses implements AutoCloseable {
        private final Location file;
        private final AtomicLong doneBytes = new AtomicLong();
        private final ProgressMeter progress;

        private TwoPasses(SpeechOption speech, Location file, long bytes) {
            this.file = file;
            this.progress = new ProgressMeter(speech, file.name(), doneBytes::get, 2 * bytes);
        }

        static TwoPasses of(SpeechOption speech, Location file) throws IOException {
            try (CountedInput input = file.open()) {
                return new TwoPasses(speech, file, input.totalBytes());
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
