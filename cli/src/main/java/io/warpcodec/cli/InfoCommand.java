package io.warpcodec.cli;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.stream.Survey;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "info",
        description =
                "Says of each FILE its format, chunks, segments, index, sizes and checksum; decodes all of it to know.",
        mixinStandardHelpOptions = true)
final class InfoCommand extends FileVerb {

    @Option(names = "--json", description = "Print one JSON object per file.")
    private boolean json;

    @Override
    void run(Location input) throws IOException {
        try (CountedInput source = input.open()) {
            DecodedSource compressed = DecodedSource.of(input, source, null);
            BufferedInputStream bytes = new BufferedInputStream(compressed.bytes(), FormatDetector.HEAD_BYTES);
            bytes.mark(FormatDetector.HEAD_BYTES);
            byte[] head = bytes.readNBytes(FormatDetector.HEAD_BYTES);
            bytes.reset();
            ContainerHeader header = ContainerHeader.of(compressed.format(), head);
            Survey survey = Survey.of(bytes, compressed.format(), CodecOptions.DEFAULTS.withMode(engine().mode()));
            print(facts(input, compressed, header, survey));
        }
    }

    private static Map<String, Object> facts(
            Location input, DecodedSource compressed, ContainerHeader header, Survey survey) throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("file", input.name());
        facts.put("format", compressed.format().word());
        facts.put("container", header.container());
        facts.put("compressedBytes", survey.compressedBytes());
        facts.put("rawBytes", survey.rawBytes());
        facts.put("ratio", Math.round(1000.0 * survey.rawBytes() / Math.max(1, survey.compressedBytes())) / 1000.0);
        facts.put("chunks", survey.chunkCount());
        facts.put("streamedChunks", survey.streamedChunkCount());
        // Versions 0 and 1 of the index have boundaries only.
        facts.put("segments", 0);
        boolean mayHaveIndex = !survey.hasSyncPoints() && compressed.format() == Format.GZIP && !input.isStandard();
        int places = mayHaveIndex ? IndexBeside.of(input).places() : 0;
        facts.put("index", places > 0 ? "beside the file, " + places + " places" : header.index());
        facts.put("splittable", survey.hasSyncPoints() || places > 0);
        facts.put("checksum", header.checksum());
        return facts;
    }

    private void print(Map<String, Object> facts) {
        if (json) {
            Terminal.out().println(Json.of(facts));
            return;
        }
        facts.forEach((name, value) -> Terminal.out().printf(Locale.ROOT, "%-16s %s%n", name, value));
    }
}
