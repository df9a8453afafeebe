package io.warpcodec.cli;

import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.FileProblem;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.PendingOutput;
import java.io.IOException;
import java.io.InputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "decompress",
        description = {
            "Decompresses each FILE to FILE without its suffix, and deletes FILE.",
            "Without FILE it decompresses standard input to standard output.",
            "The format is that of --format, else what the content says, else what the suffix says."
        },
        mixinStandardHelpOptions = true)
final class DecompressCommand extends TransferVerb {

    @Mixin
    private FormatOption format;

    @Override
    void checkUsage() {
        super.checkUsage();
        requireNotTyped();
    }

    @Override
    String derivedName(InputFile input) throws IOException {
        String name = input.file().fileName();
        Format named = Format.ofFileName(name);
        if (named == null) {
            throw new FileProblem(input.file().name(), "has no suffix to take away; -o or -c says where to write");
        }
        return name.substring(0, name.length() - named.suffix().length());
    }

    @Override
    double savedShare(long readBytes, long writtenBytes) {
        return writtenBytes == 0 ? 0 : 1 - (double) readBytes / writtenBytes;
    }

    @Override
    Transfer prepare(Location input, CountedInput source) throws IOException {
        DecodedSource compressed = format.sourceOf(input, source);
        return new Transfer() {
            @Override
            public Format targetFormat() {
                return null;
            }

            @Override
            public InputStream content() {
                return compressed.decode(engine().mode());
            }

            @Override
            public long doneBytes() {
                return source.offset();
            }

            @Override
            public void run(PendingOutput sink, ProgressMeter progress) throws IOException {
                try (InputStream decoder = content()) {
                    byte[] buffer = new byte[BUFFER_BYTES];
                    for (int count; (count = decoder.read(buffer, 0, buffer.length)) >= 0; ) {
                        sink.write(buffer, 0, count);
                        progress.update();
                    }
                }
            }
        };
    }
}
