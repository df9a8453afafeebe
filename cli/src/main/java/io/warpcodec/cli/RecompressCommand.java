package io.warpcodec.cli;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.FileProblem;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.PendingOutput;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.CRC32;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Rewrites compressed files in another format, or in their own with chunks and an index.
 *
 * <p>An input goes when its output is complete, decoded again chunk by chunk, durable and named; nothing else is state. So a call that was interrupted is
 * simply repeated: an output that is there already counts as done if it is not older than an input that stays, and if it decodes to the same bytes as
 * one that is to go.
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
final class RecompressCommand extends FileVerb {

    @Option(
            names = {"-f", "--format"},
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

    /** How much a file decodes to, and to what. */
    private record Content(long bytes, long crc32) {}

    @Override
    void checkUsage() {
        String complaint = level.complaint(target);
        if (complaint != null) {
            throw wrongUsage(complaint);
        }
        if (files().contains(Location.STANDARD)) {
            throw wrongUsage("- cannot be rewritten; decompress - | compress - can");
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
        for (String path : compressed(argument.filesBelow())) {
            String name = inFolder(argument.name(), path);
            worst = Math.max(worst, guarded(name, () -> {
                rewrite(Location.of(name), path);
                return ExitCode.DONE;
            }));
        }
        return worst;
    }

    private static List<String> compressed(List<String> paths) {
        return paths.stream().filter(path -> Format.ofFileName(path) != null).toList();
    }

    private static String inFolder(String folder, String path) {
        return folder.endsWith("/") ? folder + path : folder + "/" + path;
    }

    @Override
    void run(Location input) throws IOException {
        rewrite(input, input.name().substring(input.name().lastIndexOf('/') + 1));
    }

    /**
     * Rewrites one file.
     *
     * @param path where it goes below the output folder, but for its suffix
     */
    private void rewrite(Location input, String path) throws IOException {
        Format named = Format.ofFileName(input.name());
        if (named == null) {
            throw new FileProblem(input.name(), "has no suffix to replace");
        }
        String beside = outputFolder == null ? input.name() : inFolder(outputFolder, path);
        Location output = Location.of(withSuffix(beside, named));
        boolean inPlace = output.name().equals(input.name());
        boolean stays = keep || outputFolder != null;
        if (inPlace && stays) {
            throw new FileProblem(input.name(), "would take its own place; -o says where else to write");
        }
        if (inPlace && !isWorthIt(input)) {
            say(input, "has nothing to gain, left alone");
            return;
        }
        if (!inPlace && output.exists()) {
            requireDone(input, output, stays);
            say(output, "was done before");
        } else {
            write(input, output, inPlace);
        }
        if (!inPlace && !stays) {
            IndexCommand.deleteWithIndex(input);
        }
    }

    private String withSuffix(String name, Format before) {
        return name.substring(0, name.length() - before.suffix().length()) + target.suffix();
    }

    /** Whether a file of the target's format would get an index that it has not. */
    private static boolean isWorthIt(Location input) throws IOException {
        try (CountedInput source = input.open()) {
            DecodedSource compressed = DecodedSource.of(input, source, null);
            byte[] head = compressed.bytes().readNBytes(FormatDetector.HEAD_BYTES);
            return switch (compressed.format()) {
                case GZIP, LZ4, ZSTD ->
                    !ContainerHeader.of(compressed.format(), head).hasIndex();
                default -> false;
            };
        }
    }

    /** Throws unless the output that is there already is what this call would make of the input. */
    private void requireDone(Location input, Location output, boolean stays) throws IOException {
        boolean done = stays
                ? output.modifiedMillis() >= input.modifiedMillis()
                : contentOf(output).equals(contentOf(input));
        if (!done) {
            throw new FileProblem(
                    output.name(),
                    stays ? "exists already and is older than " + input.name() : "exists already with other content");
        }
    }

    private Content contentOf(Location file) throws IOException {
        try (CountedInput source = file.open();
                ProgressMeter progress = new ProgressMeter(file.name(), source);
                InputStream decoder = DecodedSource.of(file, source, null).decode(engine().mode())) {
            CRC32 crc = new CRC32();
            byte[] buffer = new byte[TransferVerb.BUFFER_BYTES];
            long bytes = 0;
            for (int count; (count = decoder.read(buffer, 0, buffer.length)) >= 0; bytes += count) {
                crc.update(buffer, 0, count);
                progress.update();
            }
            return new Content(bytes, crc.getValue());
        }
    }

    private void write(Location input, Location output, boolean inPlace) throws IOException {
        CodecOptions options =
                level.addTo(CodecOptions.DEFAULTS.withMode(engine().mode()).withVerifyWrites(1));
        output.createParents();
        long readBytes;
        long writtenBytes;
        var attributes = input.attributes();
        try (CountedInput source = input.open();
                PendingOutput sink = output.create(inPlace);
                ProgressMeter progress = new ProgressMeter(input.name(), source);
                InputStream decoder = DecodedSource.of(input, source, null).decode(engine().mode());
                ChunkedOutputStream encoder = new ChunkedOutputStream(new Unclosed(sink), target, options)) {
            byte[] buffer = new byte[TransferVerb.BUFFER_BYTES];
            for (int count; (count = decoder.read(buffer, 0, buffer.length)) >= 0; ) {
                encoder.write(buffer, 0, count);
                progress.update();
            }
            encoder.finish();
            readBytes = source.offset();
            writtenBytes = sink.offset();
            sink.publish();
        }
        output.setAttributes(attributes);
        say(output, writtenBytes + " bytes of " + readBytes);
    }

    private static void say(Location file, String what) {
        Terminal.out().println(file.name() + ": " + what);
    }
}
