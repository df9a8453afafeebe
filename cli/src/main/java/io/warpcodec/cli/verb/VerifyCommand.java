package io.warpcodec.cli.verb;

import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.input.DecodedSource;
import io.warpcodec.cli.terminal.ProgressMeter;
import java.io.IOException;
import java.io.InputStream;
import picocli.CommandLine.Command;

/** The verb {@code verify}. */
@Command(
        name = "verify",
        description = {
            "Decodes each FILE and checks every checksum in it; writes nothing.",
            "Exits with 2 if one is corrupt. 'warpcodec -t FILE' is 'warpcodec verify -q FILE'."
        },
        mixinStandardHelpOptions = true)
public final class VerifyCommand extends ReadingVerb {

    @Override
    void read(Location input, CountedInput source, DecodedSource compressed, ProgressMeter progress)
            throws IOException {
        long rawBytes = 0;
        try (InputStream decoder = compressed.decode(engine().mode())) {
            byte[] buffer = new byte[CountedInput.BUFFER_BYTES];
            for (int count; (count = decoder.read(buffer, 0, buffer.length)) >= 0; ) {
                rawBytes += count;
                progress.update();
            }
        }
        progress.close();
        speech().result(input.name() + ": ok, " + compressed.format().word() + ", " + rawBytes + " bytes");
    }
}
