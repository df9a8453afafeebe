package io.warpcodec.cli.verb;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.input.FileSuffix;
import io.warpcodec.cli.option.FormatOption;
import io.warpcodec.cli.option.LevelOption;
import io.warpcodec.cli.terminal.ProgressMeter;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The verb {@code compress}. */
@Command(
        name = "compress",
        description = {
            "Compresses each FILE to FILE with the format's suffix, and deletes FILE.",
            "Without FILE it compresses standard input to standard output.",
            "The format is that of --format, else that of -o's suffix, else gzip."
        },
        modelTransformer = LevelOption.Digits.class,
        mixinStandardHelpOptions = true)
public final class CompressCommand extends TransferVerb {

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            converter = FormatOption.Converter.class,
            completionCandidates = FormatOption.Words.class,
            description = "What to write: one of ${COMPLETION-CANDIDATES}.")
    private Format format;

    @Mixin
    private LevelOption level;

    @Override
    void checkUsage() {
        super.checkUsage();
        if (!force() && isShown()) {
            throw wrongUsage("compressed data is not written to a terminal; -f does");
        }
        String complaint = level.complaint(target());
        if (complaint != null) {
            throw wrongUsage(complaint);
        }
    }

    private Format target() {
        if (format != null) {
            return format;
        }
        Format named = output() == null ? null : FileSuffix.formatOf(output());
        return named == null ? Format.GZIP : named;
    }

    /**
     * In a folder what is compressed already is left alone, also with {@code -f}: so the same call again changes
     * nothing.
     */
    @Override
    boolean takes(Format named) {
        return named == null;
    }

    @Override
    String derivedName(InputFile input) throws IOException {
        String name = input.file().fileName();
        if (FileSuffix.formatOf(name) == target() && !force()) {
            String suffix = name.substring(name.lastIndexOf('.'));
            throw new FileProblem(input.file().name(), "has the suffix " + suffix + " already, left alone without -f");
        }
        return name + target().suffix();
    }

    @Override
    void expect(InputFile input, long bytes, Workload load) {
        load.encode(target(), level.addTo(CodecOptions.DEFAULTS, target()), bytes);
    }

    @Override
    double savedShare(long readBytes, long writtenBytes) {
        return readBytes == 0 ? 0 : 1 - (double) writtenBytes / readBytes;
    }

    @Override
    Transfer prepare(Location input, CountedInput source) {
        Format target = target();
        CodecOptions options = level.addTo(CodecOptions.DEFAULTS.withMode(engine().mode()), target);
        return new Transfer() {
            @Override
            public long doneBytes() {
                return source.offset();
            }

            @Override
            public void run(PendingOutput sink, ProgressMeter progress) throws IOException {
                try (ChunkedOutputStream encoder = new ChunkedOutputStream(new Unclosed(sink), target, options)) {
                    byte[] buffer = new byte[CountedInput.BUFFER_BYTES];
                    for (int count; (count = source.read(buffer, 0, buffer.length)) >= 0; ) {
                        encoder.write(buffer, 0, count);
                        progress.update();
                    }
                    encoder.finish();
                }
            }
        };
    }
}
