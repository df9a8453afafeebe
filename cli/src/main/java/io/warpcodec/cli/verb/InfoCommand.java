package io.warpcodec.cli.verb;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.input.DecodedSource;
import io.warpcodec.cli.input.FormatDetector;
import io.warpcodec.cli.input.IndexBeside;
import io.warpcodec.cli.input.SeekTableWithin;
import io.warpcodec.cli.input.WatchedInput;
import io.warpcodec.cli.terminal.Json;
import io.warpcodec.cli.terminal.ProgressMeter;
import io.warpcodec.cli.terminal.SizeTable;
import io.warpcodec.cli.terminal.Terminal;
import io.warpcodec.format.ContainerHeader;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.stream.StreamStatistics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Says what a file is. From its first bytes and its index alone, unless more is asked: {@code --decode} decodes all
 * of it, and {@code --list} does where nothing else says how large the content is.
 */
@Command(
        name = "info",
        description = {
            "Says of each FILE its format, container, index and checksum; reads its first bytes and its index, and decodes nothing.",
            "'warpcodec -l FILE' is 'warpcodec info --list FILE'."
        },
        mixinStandardHelpOptions = true)
public final class InfoCommand extends ReadingVerb {

    @Option(names = "--json", description = "Print one JSON object per file.")
    private boolean json;

    @Option(names = "--decode", description = "Decode all of the FILE, to count its chunks and raw bytes too.")
    private boolean decode;

    @Option(
            names = {"-l", "--list"},
            description =
                    "Print a line per FILE with both sizes; decodes what has no index beside it that says the size.")
    private boolean list;

    private SizeTable sizes;

    @Override
    void checkUsage() {
        super.checkUsage();
        if (list && json) {
            throw wrongUsage("--list and --json exclude each other");
        }
        sizes = new SizeTable(!speech().isQuiet());
    }

    @Override
    void expect(InputFile input, long bytes, Workload load) {
        if (decode) {
            super.expect(input, bytes, load);
        }
    }

    @Override
    void read(Location input, CountedInput source, DecodedSource compressed, ProgressMeter progress)
            throws IOException {
        byte[] head = compressed.bytes().readNBytes(FormatDetector.HEAD_BYTES);
        Facts facts = new Facts(input, source, compressed.format(), head);
        boolean isDecoded = decode || list && facts.rawBytes() == CountedInput.UNKNOWN;
        StreamStatistics survey = isDecoded ? survey(compressed, head, progress) : null;
        progress.close();
        if (list) {
            sizes.add(
                    survey == null ? source.totalBytes() : survey.compressedBytes(),
                    survey == null ? facts.rawBytes() : survey.rawBytes(),
                    input.name());
        } else {
            print(facts.with(survey));
        }
    }

    @Override
    void finish() {
        if (list) {
            sizes.finish();
        }
    }

    private StreamStatistics survey(DecodedSource compressed, byte[] head, ProgressMeter progress) throws IOException {
        InputStream whole = new SequenceInputStream(
                new ByteArrayInputStream(head), new WatchedInput(compressed.bytes(), progress::update));
        return StreamStatistics.of(whole, compressed.format(), options());
    }

    private CodecOptions options() {
        return CodecOptions.DEFAULTS.withMode(engine().mode());
    }

    private void print(Map<String, Object> facts) {
        if (json) {
            Terminal.out().println(Json.of(facts));
            return;
        }
        facts.forEach((name, value) -> Terminal.out().printf(Locale.ROOT, "%-16s %s%n", name, value));
    }

    /** What the first bytes and the index of a file say. */
    private final class Facts {
        private final Location input;
        private final long compressedBytes;
        private final Format format;
        private final ContainerHeader header;
        private final boolean hasSyncPoints;
        private final GzipIndex beside;
        private final int placesOfTable;

        Facts(Location input, CountedInput source, Format format, byte[] head) throws IOException {
            this.input = input;
            this.compressedBytes = source.totalBytes();
            this.format = format;
            this.header = FormatDetector.describe(format, head);
            this.hasSyncPoints = StreamStatistics.hasSyncPoints(head, format, options());
            boolean mayHaveIndex = !hasSyncPoints && format == Format.GZIP && !input.isStandard();
            this.beside = mayHaveIndex ? IndexBeside.of(input).table() : null;
            boolean mayHaveTable = !hasSyncPoints && format == Format.ZSTD && !input.isStandard();
            this.placesOfTable = mayHaveTable ? SeekTableWithin.places(input) : 0;
        }

        /** Size of the content, or {@link CountedInput#UNKNOWN}. */
        long rawBytes() {
            return beside == null ? CountedInput.UNKNOWN : beside.end().rawOffset();
        }

        private String index() {
            if (beside != null) {
                return "beside the file, " + (beside.count() - 1) + " places";
            }
            return placesOfTable > 0 ? "seek table, " + placesOfTable + " places" : header.index();
        }

        /** All facts by name, and those of a survey if there is one. */
        Map<String, Object> with(StreamStatistics survey) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("file", input.name());
            facts.put("format", format.word());
            facts.put("container", header.container());
            long compressed = survey == null ? compressedBytes : survey.compressedBytes();
            long raw = survey == null ? rawBytes() : survey.rawBytes();
            if (compressed != CountedInput.UNKNOWN) {
                facts.put("compressedBytes", compressed);
            }
            if (raw != CountedInput.UNKNOWN) {
                facts.put("rawBytes", raw);
                facts.put("ratio", Math.round(1000.0 * raw / Math.max(1, compressed)) / 1000.0);
            }
            if (survey != null) {
                facts.put("chunks", survey.chunkCount());
                facts.put("streamedChunks", survey.streamedChunkCount());
            }
            facts.put("index", index());
            facts.put("splittable", hasSyncPoints || beside != null || placesOfTable > 0);
            facts.put("checksum", header.checksum());
            return facts;
        }
    }
}
