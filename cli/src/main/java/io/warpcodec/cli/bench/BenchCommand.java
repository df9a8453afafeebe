package io.warpcodec.cli.bench;

import io.warpcodec.Engines;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.option.EngineOption;
import io.warpcodec.cli.terminal.ExitCode;
import io.warpcodec.cli.terminal.ProgressLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The verb {@code bench}: measures, prints a table, and writes the results as values and as a picture if that is asked.
 */
@Command(
        name = "bench",
        description = {
            "Compresses and decompresses each (uncompressed) FILE in memory, with our formats and with the usual libraries.",
            "threads: so many streams at once, each on a thread of its own.",
            "Of a file larger than 256 MiB the first 256 MiB are used."
        },
        mixinStandardHelpOptions = true)
public final class BenchCommand implements Callable<Integer> {

    private static final int MAX_BYTES = 256 << 20;
    private static final String HEADER = String.format(
            "%-17s %-9s %7s %7s %14s %16s", "who", "format", "threads", "ratio", "compress MB/s", "decompress MB/s");

    @Option(names = "--csv", paramLabel = "FILE", description = "Write the results as comma-separated values too.")
    private String csv;

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "Draw the results too.")
    private String plot;

    @Mixin
    private EngineOption engine;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Files with typical content.")
    private List<String> files;

    @Override
    public Integer call() throws IOException, InterruptedException {
        // what a process gets whose devices have started
        Engines.expectLongLife();
        Bench bench = new Bench(engine.mode());
        List<Measurement> measurements = new ArrayList<>();
        ProgressLine progress = new ProgressLine();
        for (String file : files) {
            byte[] raw = read(file);
            progress.println(file + ", " + raw.length + " bytes");
            progress.println(HEADER);
            progress.show("warming up");
            bench.run(file, raw, measurement -> {
                measurements.add(measurement);
                progress.println(line(measurement));
                progress.show("measuring");
            });
            progress.clear();
        }
        ChoiceLines.of(engine.mode()).forEach(progress::println);
        if (csv != null) {
            write(csv, commaSeparated(measurements));
        }
        if (plot != null) {
            write(plot, BarChart.draw(measurements));
        }
        return ExitCode.DONE;
    }

    private static byte[] read(String file) throws IOException {
        try (CountedInput source = Location.of(file).open()) {
            byte[] raw = source.readNBytes(MAX_BYTES);
            if (raw.length == 0) {
                throw new FileProblem(file, "is empty: nothing to measure");
            }
            return raw;
        }
    }

    private static String line(Measurement measurement) {
        return String.format(
                Locale.ROOT,
                "%-17s %-9s %7d %7.3f %14.1f %16.1f",
                measurement.contestant(),
                measurement.suffix(),
                measurement.threads(),
                measurement.ratio(),
                measurement.compressMegabytesPerSecond(),
                measurement.decompressMegabytesPerSecond());
    }

    private static String commaSeparated(List<Measurement> measurements) {
        StringBuilder text = new StringBuilder(
                "file,who,format,threads,raw_bytes,compressed_bytes,ratio,compress_mb_s,decompress_mb_s\n");
        for (Measurement row : measurements) {
            text.append(String.format(
                    Locale.ROOT,
                    "\"%s\",%s,%s,%d,%d,%d,%.4f,%.1f,%.1f%n",
                    row.file().replace("\"", "\"\""),
                    row.contestant(),
                    row.suffix(),
                    row.threads(),
                    row.rawBytes(),
                    row.compressedBytes(),
                    row.ratio(),
                    row.compressMegabytesPerSecond(),
                    row.decompressMegabytesPerSecond()));
        }
        return text.toString();
    }

    private static void write(String file, String text) throws IOException {
        try (PendingOutput output = Location.of(file).create(true, null)) {
            output.write(text.getBytes(StandardCharsets.UTF_8));
            output.publish();
        }
    }
}
