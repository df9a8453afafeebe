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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "compress",
        description = {
            "Compresses each FILE to FILE with the format's suffix, and deletes FILE.",
            "The format is that of -f, else that of -o's suffix, else gzip."
        },
        modelTransformer = LevelOption.Digits.class,
        mixinStandardHelpOptions = true)
final class CompressCommand extends TransferVerb {

    @Mixin
    private LevelOption level;

    @Override
    void checkUsage() {
        super.checkUsage();
        String complaint = level.complaint(target());
        if (complaint != null) {
            throw wrongUsage(complaint);
        }
    }

    private Format target() {
        if (format() != null) {
            return format();
        }
        Format named = output() == null ? null : Format.ofFileName(output());
        return named == null ? Format.GZIP : named;
    }

    @Override
    String derivedName(Location input) throws IOException {
        if (input.fileName().endsWith(target().suffix())) {
            throw new FileProblem(input.name(), "has the suffix " + target().suffix() + " already, left alone");
        }
        return input.fileName() + target().suffix();
    }

    @Override
    Transfer prepare(Location input, CountedInput source) {
        Format target = target();
        CodecOptions options = level.addTo(CodecOptions.DEFAULTS.withMode(engine().mode()));
        return new Transfer() {
            @Override
            public Format targetFormat() {
                return target;
            }

            @Override
            public InputStream content() {
                return source;
            }

            @Override
            public void run(PendingOutput sink, ProgressMeter progress) throws IOException {
                try (ChunkedOutputStream encoder = new ChunkedOutputStream(new Unclosed(sink), target, options)) {
                    byte[] buffer = new byte[BUFFER_BYTES];
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
