package io.warpcodec.cli.verb;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Leftovers;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.input.DecodedSource;
import io.warpcodec.cli.input.FileSuffix;
import io.warpcodec.cli.input.FormatDetector;
import io.warpcodec.cli.input.IndexBeside;
import io.warpcodec.cli.option.FormatOption;
import io.warpcodec.cli.option.LevelOption;
import io.warpcodec.cli.terminal.ProgressMeter;
import io.warpcodec.stream.ChunkedOutputStream;
import io.warpcodec.stream.Containers;
import io.warpcodec.stream.StreamStatistics;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Rewrites compressed files in another format, or in their own with chunks and an index.
 *
 * <p>An input goes when its output is complete, decoded again chunk by chunk, durable and named; nothing else is
 * state. So a call that was interrupted is simply repeated: it goes on with the files that have no output yet, and
 * names those that have both. All outputs are known before the first one is written.
 */
@Command(
        name = "recompress",
        description = {
            "Rewrites each compressed FILE, or all of them in a FOLDER and below it, in another format, and deletes it.",
            "In its own format a file is rewritten if it has no index yet. Every chunk that is written is decoded again and compared.",
            "Repeat the same call after an interruption: it goes on with the files that are left."
        },
        modelTransformer = LevelOption.Digits.class,
        mixinStandardHelpOptions = true)
public final class RecompressCommand extends FileVerb {
    /** Raw bytes of a compressed one, about. */
    private static final int RAW_BYTES_PER_BYTE = 3;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            required = true,
            converter = FormatOption.Converter.class,
            completionCandidates = FormatOption.Words.class,
            description = "What to write: one of ${COMPLETION-CANDIDATES}.")
    private Format target;

    @Mixin
    private LevelOption level;

    @Option(
            names = {"-k", "--keep"},
            description = "Keep the inputs.")
    private boolean keep;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FOLDER",
            description = "Write to this folder, a FOLDER's files with the same path below it, and keep the inputs.")
    private String outputFolder;

    private final Leftovers leftovers = new Leftovers(line -> speech().note(line));
    private final Claims claims = new Claims();
    private final SplitNotice notice = new SplitNotice();

    @Override
    void checkUsage() {
        String complaint = level.complaint(target);
        if (complaint != null) {
            throw wrongUsage(complaint);
        }
        if (words().contains(Location.STANDARD)) {
            throw wrongUsage("- cannot be rewritten; decompress - | compress - can");
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
    Location.Tree treeOf(Location folder) throws IOException {
        return leftovers.treeOf(folder, outputFolder == null ? null : Location.of(outputFolder));
    }

    @Override
    void leave(Location.Tree tree) throws IOException {
        leftovers.nameOthers(tree);
    }

    @Override
    void look(InputFile file) throws IOException {
        Location input = file.file();
        if (file.isNamed()) {
            leftovers.settle(input);
            input.requireReadable();
            requireOneNameOf(input);
        }
        Location output = output(input, file.path());
        if (!output.key().equals(input.key())) {
            claims.claim(output, input);
        }
    }

    @Override
    void expect(InputFile input, long bytes, Workload load) {
        load.decode(null, input, bytes);
        load.encode(target, level.addTo(CodecOptions.DEFAULTS, target), RAW_BYTES_PER_BYTE * bytes);
    }

    private void requireOneNameOf(Location input) throws IOException {
        if (!stays()) {
            requireOneName(input);
        }
    }

    private boolean stays() {
        return keep || outputFolder != null;
    }

    @Override
    void run(InputFile file) throws IOException {
        requireOneNameOf(file.file());
        rewrite(file.file(), file.path());
    }

    /**
     * Where the output of an input lies.
     *
     * @param path where it goes below the output folder, but for its suffix
     */
    private Location output(Location input, String path) throws IOException {
        return outputFolder == null
                ? input.beside(renamed(input.fileName()))
                : Location.of(outputFolder).below(renamed(path));
    }

    private String renamed(String name) throws IOException {
        FileSuffix suffix = FileSuffix.of(name);
        if (suffix == null) {
            throw new FileProblem(name, "has no suffix to replace");
        }
        return suffix.format() == target ? name : suffix.stem() + target.suffix();
    }

    private void rewrite(Location input, String path) throws IOException {
        Location output = output(input, path);
        leftovers.settle(input);
        boolean hasOlder = leftovers.settle(output);
        boolean inPlace = output.key().equals(input.key());
        boolean stays = stays();
        if (inPlace && !isWorthIt(input)) {
            if (hasOlder) {
                requireSound(input);
            }
            if (!stays) {
                // of the file as it was before a call that was interrupted
                IndexBeside.of(input).deleteIfUnusable();
            }
            say(input, "has nothing to gain, left alone");
            return;
        }
        if (inPlace && stays) {
            throw new FileProblem(input.name(), "would take its own place; -o says where else to write");
        }
        try (CountedInput source = stays ? input.open() : input.openRegular();
                ProgressMeter progress = new ProgressMeter(speech(), input.name(), source)) {
            DecodedSource compressed = DecodedSource.of(input, source);
            boolean isTaken = !inPlace && output.exists();
            if (isTaken) {
                requireReplaceable(output, input);
            }
            if (outputFolder != null) {
                Location folder = Location.of(outputFolder);
                speech().noteLost(folder, folder.createFoldersFor(path, input));
            }
            boolean splitsAsNew = splitsAsNew(compressed);
            PendingOutput written = write(input, source, compressed, output, inPlace, isTaken, progress);
            if (splitsAsNew) {
                notice.give(speech());
            }
            if (inPlace) {
                IndexBeside.of(output).delete();
            } else if (!stays) {
                IndexBeside.deleteWithFile(input, source, written);
            }
        }
    }

    /** Whether an output splits where its input did not: Hadoop's codecs split bzip2, ours what has sync points. */
    private boolean splitsAsNew(DecodedSource input) throws IOException {
        return Containers.of(target).syncPoints() != null
                && target != Format.BZIP2
                && input.format() != Format.BZIP2
                && !hasSyncPoints(input);
    }

    private static boolean hasSyncPoints(DecodedSource input) throws IOException {
        return StreamStatistics.hasSyncPoints(head(input), input.format(), CodecOptions.DEFAULTS);
    }

    private static byte[] head(DecodedSource input) throws IOException {
        InputStream bytes = input.bytes();
        bytes.mark(FormatDetector.HEAD_BYTES);
        byte[] head = bytes.readNBytes(FormatDetector.HEAD_BYTES);
        bytes.reset();
        return head;
    }

    private void requireReplaceable(Location output, Location input) throws IOException {
        requireOther(output, input);
        requireRegular(output);
        if (!force()) {
            throw outputFolder == null ? taken(output, input) : taken(output, input, "-o", folderOf(output.name()));
        }
    }

    private static String folderOf(String name) {
        return name.substring(0, Math.max(1, name.lastIndexOf('/')));
    }

    /** Decodes all of a file beside which an older version lies: if this one is damaged, that is the only copy. */
    private void requireSound(Location input) throws IOException {
        try (CountedInput source = input.open();
                InputStream decoder = DecodedSource.of(input, source).decode(engine().mode())) {
            decoder.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** Whether a file with the target's suffix is of another format, or would get chunks that it has not. */
    private boolean isWorthIt(Location input) throws IOException {
        try (CountedInput source = input.open()) {
            DecodedSource compressed = DecodedSource.of(input, source);
            if (compressed.format() != target) {
                return true;
            }
            return Containers.of(target).syncPoints() != null && !StreamStatistics.hasChunks(head(compressed), target);
        }
    }

    private PendingOutput write(
            Location input,
            CountedInput source,
            DecodedSource compressed,
            Location output,
            boolean inPlace,
            boolean isTaken,
            ProgressMeter progress)
            throws IOException {
        CodecOptions options =
                level.addTo(CodecOptions.DEFAULTS.withMode(engine().mode()).withVerifyWrites(1), target);
        try (PendingOutput sink = output.create(inPlace || isTaken, input.attributes(source));
                InputStream decoder = compressed.decode(engine().mode());
                ChunkedOutputStream encoder = new ChunkedOutputStream(new Unclosed(sink), target, options)) {
            byte[] buffer = new byte[CountedInput.BUFFER_BYTES];
            for (int count; (count = decoder.read(buffer, 0, buffer.length)) >= 0; ) {
                encoder.write(buffer, 0, count);
                progress.update();
            }
            encoder.finish();
            sink.publish(inPlace ? () -> input.requireMayGo(source) : () -> input.requireUnchanged(source));
            speech().noteLostAttributes(output, sink);
            say(output, sink.offset() + " bytes of " + source.offset());
            return sink;
        }
    }

    private void say(Location file, String what) {
        speech().result(file.name() + ": " + what);
    }
}
