package io.warpcodec.cli.verb;

import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.option.FormatOption;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The verb {@code decompress}. */
@Command(
        name = "decompress",
        description = {
            "Decompresses each FILE to FILE without its suffix, and deletes FILE.",
            "Without FILE it decompresses standard input to standard output.",
            "A .gz that has an index beside it is decoded by several threads at once.",
            "The format is that of --format, else what the content says, else what the suffix says."
        },
        mixinStandardHelpOptions = true)
public final class DecompressCommand extends TransferVerb {

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
        return new Decompression(input, source, format.sourceOf(input, source), engine().mode(), threads());
    }
}
