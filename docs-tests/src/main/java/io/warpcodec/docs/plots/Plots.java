package io.warpcodec.docs.plots;

import static io.warpcodec.docs.plots.BarChart.Codec.OTHER;
import static io.warpcodec.docs.plots.BarChart.Codec.OURS;

import io.warpcodec.docs.plots.BarChart.Bar;
import io.warpcodec.docs.plots.BarChart.Panel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws the plots of {@code docs/plots} from the files of {@code benchmarks/results}. All bars of a panel are of one
 * machine and one commit, which the panel names. {@code docs/plots/make} runs it.
 */
public final class Plots {

    private static final String H200 = "NVIDIA H200, 16 cores of an Intel Xeon";

    private final Path results;

    private Plots(Path results) {
        this.results = results;
    }

    /** Writes every plot; {@code arguments} are the folder of results and the folder of plots. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        for (Map.Entry<String, String> plot : drawAll(Path.of(arguments[0])).entrySet()) {
            Files.writeString(folder.resolve(plot.getKey()), plot.getValue());
            System.out.println(folder.resolve(plot.getKey()));
        }
    }

    /** File names with the SVG documents that belong in them. */
    static Map<String, String> drawAll(Path results) throws IOException {
        Plots plots = new Plots(results);
        Map<String, String> documents = new LinkedHashMap<>();
        documents.put("one-gzip-file.svg", plots.oneGzipFile());
        documents.put("threads.svg", plots.threads());
        documents.put("sizes.svg", plots.sizes());
        return documents;
    }

    private String oneGzipFile() throws IOException {
        Results tools =
                Results.read(results, "2026-11-22-h200-first-stream.csv").says("16 processors of an Intel Xeon");
        List<Bar> commands = List.of(
                new Bar("gzip -dc", OTHER, tools.number("wall_s", Map.of("what", "gzip -dc"))),
                new Bar("pigz -dc", OTHER, tools.number("wall_s", Map.of("what", "pigz -dc"))),
                new Bar("igzip -dc", OTHER, tools.number("wall_s", Map.of("what", "igzip -dc"))),
                new Bar(
                        "warpcodec decompress -c",
                        OURS,
                        tools.number("wall_s", Map.of("what", "warpcodec decompress -c", "commit", "1125d3c"))));
        Results splits =
                Results.read(results, "2026-11-22-h200-side-car-splits.csv").says("3,707,609,813 raw");
        List<Bar> readers = List.of(
                new Bar("Hadoop's GzipCodec", OTHER, lineReader(splits, "stock GzipCodec", 1)),
                new Bar("GpuGzipCodec", OURS, lineReader(splits, "GpuGzipCodec", 1)),
                new Bar("with an index, 8 splits", OURS, lineReader(splits, "GpuGzipCodec", 8)),
                new Bar("with an index, 16 splits", OURS, lineReader(splits, "GpuGzipCodec", 16)));
        return BarChart.draw(
                "One ordinary .gz of 1.09 GB, 3.7 GB of text: seconds, less is better",
                List.of(
                        new Panel(
                                "Decompressed on the command line, and thrown away",
                                1,
                                commands,
                                List.of(
                                        H200
                                                + "; TPC-H lineitem from the page cache to /dev/null; one run each, the start of JVM and GPU included.",
                                        "Commit 1125d3c, 2026-11-22 (" + tools.name() + ")")),
                        new Panel(
                                "On another machine: read line by line by Hadoop's LineRecordReader",
                                1,
                                readers,
                                List.of(
                                        H200
                                                + "; the same file; one round after one that warms up."
                                                + " More work than above: compare within a panel.",
                                        "Commit 43eab14, 2026-11-22 (" + splits.name() + ")"))));
    }

    private static double lineReader(Results splits, String reader, int count) {
        return splits.number(
                "wall_s", Map.of("commit", "43eab14", "reader", reader, "splits", Integer.toString(count)));
    }

    private String threads() throws IOException {
        Results gzip = Results.read(results, "2026-11-22-h200-gzip-files-host-to-host.csv")
                .says("# commit: f6a65d4", "# date: 2026-11-22");
        Results blocks = Results.read(results, "2026-11-22-h200-host-to-host.csv")
                .says("# commit: 6f40818", "# date: 2026-11-22");
        return BarChart.draw(
                "Decompressing through Hadoop's codecs: GB/s of raw bytes, more is better",
                List.of(
                        new Panel(
                                ".gz, one ordinary member for each thread",
                                1,
                                codecs(gzip, List.of(1, 16), "400031744", "Hadoop GzipCodec", "GpuGzipCodec"),
                                List.of(
                                        H200 + "; 400 MB of TPC-H lineitem, heap to heap, mode=auto.",
                                        "Commit f6a65d4, 2026-11-22 (" + gzip.name() + ")")),
                        new Panel(
                                ".snappy, Hadoop's framing",
                                1,
                                codecs(
                                        blocks,
                                        List.of(1, 4, 16),
                                        "128057344",
                                        "Hadoop SnappyCodec",
                                        "GpuSnappyCodec hadoop"),
                                List.of()),
                        new Panel(
                                ".lz4, Hadoop's framing",
                                1,
                                codecs(blocks, List.of(1, 4, 16), "128057344", "Hadoop Lz4Codec", "GpuLz4Codec hadoop"),
                                List.of(
                                        "Both: " + H200
                                                + "; 128 MB of TPC-H lineitem, heap to heap, mode=auto; each codec reads its own file.",
                                        "Commit 6f40818, 2026-11-22 (" + blocks.name() + ")"))));
    }

    private static List<Bar> codecs(
            Results results, List<Integer> threads, String rawBytes, String stock, String ours) {
        List<Bar> bars = new ArrayList<>();
        for (int count : threads) {
            String noun = count == 1 ? " thread" : " threads";
            Map<String, String> row =
                    Map.of("direction", "decode", "threads", Integer.toString(count), "raw_bytes", rawBytes);
            bars.add(new Bar(
                    stock.replace("Hadoop ", "Hadoop's ") + ", " + count + noun,
                    OTHER,
                    results.number("gb_s", with(with(row, "codec", stock), "mode", "-"))));
            bars.add(new Bar(
                    ours.replace(" hadoop", "") + ", " + count + noun,
                    OURS,
                    results.number("gb_s", with(with(row, "codec", ours), "mode", "auto"))));
        }
        return bars;
    }

    private static Map<String, String> with(Map<String, String> values, String column, String value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(column, value);
        return more;
    }

    private String sizes() throws IOException {
        Results baseline = Results.read(results, "2026-11-20-cpu-baseline.csv")
                .says("# commit: aff8794", "# date: 2026-11-20", "mode=cpu, all else default");
        Map<String, String> formats = new LinkedHashMap<>();
        formats.put("bz2", ".bz2");
        formats.put("gz", ".gz");
        formats.put("zst", ".zst");
        formats.put("snappy", ".snappy");
        formats.put("lz4-frame", ".lz4, frames");
        List<Bar> bars = new ArrayList<>();
        for (Map.Entry<String, String> format : formats.entrySet()) {
            Map<String, String> row = Map.of("format", format.getKey(), "direction", "write", "threads", "1");
            double raw = baseline.number("raw_bytes", row);
            bars.add(new Bar(
                    format.getValue() + ", the usual encoder", OTHER, 100 * baseline.number("stock_bytes", row) / raw));
            bars.add(new Bar(format.getValue() + ", ours", OURS, 100 * baseline.number("ours_bytes", row) / raw));
        }
        return BarChart.draw(
                "Compressed sizes: percent of the text, less is better",
                List.of(new Panel(
                        "Defaults of each; ours can be split but for .snappy",
                        1,
                        bars,
                        List.of(
                                "100 MB of TPC-H lineitem; mode=cpu. The usual encoders: Hadoop's codecs, lz4-java's frames, zstd-jni's streams.",
                                "Commit aff8794, 2026-11-20 (" + baseline.name() + ")"))));
    }
}
