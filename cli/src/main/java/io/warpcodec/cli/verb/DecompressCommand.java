package io.warpcodec.cli.verb;

import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.input.DecodedSource;
import io.warpcodec.cli.input.FileSuffix;
import io.warpcodec.cli.input.ForeignFormat;
import io.warpcodec.cli.input.FormatDetector;
import io.warpcodec.cli.option.FormatOption;
import java.io.BufferedInputStream;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The verb {@code decompress}. */
@Command(
        name = "decompress",
        description = {
            "Decompresses each FILE to FILE without its suffix, and deletes FILE.",
            "Without FILE it decompresses standard input to standard output.",
            "With -cf what is not compressed is passed as it is.",
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
        FileSuffix suffix = FileSuffix.of(input.file().fileName());
        if (suffix == null) {
            throw new FileProblem(input.file().name(), reasonWithoutSuffix(input.file()));
        }
        return suffix.stem();
    }

    private String reasonWithoutSuffix(Location file) throws IOException {
        if (!file.isRegular()) {
            return "has no suffix to take away; -o or -c says where to write";
        }
        try (CountedInput source = file.open();
                BufferedInputStream head = new BufferedInputStream(source)) {
            Format recognised = FormatDetector.detect(head, "");
            return recognised == null && !format.isGiven()
                    ? ForeignFormat.reason(head)
                    : "has no suffix to take away; -o or -c says where to write";
        }
    }

    @Override
    void expect(InputFile input, long bytes, Workload load) {
        load.decode(format.given(), input, bytes);
    }

    @Override
    double savedShare(long readBytes, long writtenBytes) {
        return writtenBytes == 0 ? 0 : 1 - (double) readBytes / writtenBytes;
    }

    @Override
    Transfer prepare(Location input, CountedInput source) throws IOException {
        if (force() && isStandard(input) && !format.isGiven()) {
            BufferedInputStream head = new BufferedInputStream(source, FormatDetector.HEAD_BYTES);
            return FormatDetector.isPlain(head, input.name())
                    ? new Passing(head, source)
                    : decompression(input, source, DecodedSource.of(input, head));
        }
        return decompression(input, source, format.sourceOf(input, source));
    }

    private Transfer decompression(Location input, CountedInput source, DecodedSource compressed) {
        return new Decompression(input, source, compressed, engine().mode(), threads());
    }
}
