package io.warpcodec.cli;

import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import java.io.IOException;
import java.io.InputStream;
import picocli.CommandLine.Command;

@Command(
        name = "verify",
        description = {
            "Decodes each FILE and checks every checksum in it; writes nothing.",
            "Exits with 2 if one is corrupt."
        },
        mixinStandardHelpOptions = true)
final class VerifyCommand extends FileVerb {

    @Override
    void run(Location input) throws IOException {
        try (CountedInput source = input.open();
                ProgressMeter progress = new ProgressMeter(input.name(), source)) {
            DecodedSource compressed = DecodedSource.of(input, source, null);
            long rawBytes = 0;
            try (InputStream decoder = compressed.decode(engine().mode())) {
                byte[] buffer = new byte[TransferVerb.BUFFER_BYTES];
                for (int count; (count = decoder.read(buffer, 0, buffer.length)) >= 0; ) {
                    rawBytes += count;
                    progress.update();
                }
            }
            progress.close();
            Terminal.out().println(input.name() + ": ok, " + compressed.format().word() + ", " + rawBytes + " bytes");
        }
    }
}
