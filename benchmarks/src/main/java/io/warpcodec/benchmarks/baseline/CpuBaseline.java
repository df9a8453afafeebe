package io.warpcodec.benchmarks.baseline;

import io.warpcodec.benchmarks.CodecWork;
import io.warpcodec.benchmarks.Surroundings;
import io.warpcodec.benchmarks.TpchText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures the CPU engine against stock codecs, all pairs, and writes CSV and Markdown. Every point is one JMH fork
 * in which the two codecs take turns; the files are made once before, each checked by the other side's codec.
 */
public final class CpuBaseline {
    private static final double WARM_UP_SHARE = 0.6;
    private static final String LOGGING_PROPERTY = "log4j.configuration";
    private static final String LOGGING = "warpcodec-benchmarks-log4j.properties";

    private final BaselineOptions options;
    private final Path folder;
    private final BaselineReport report;
    private final byte[] raw;

    private CpuBaseline(BaselineOptions options, Path folder) throws IOException {
        this.options = options;
        this.folder = folder;
        this.raw = TpchText.lineitem(options.megabytes() * 1_000_000);
        this.report = new BaselineReport(Surroundings.describe(options.commit()), raw.length);
    }

    public static void main(String[] arguments) throws Exception {
        BaselineOptions options;
        try {
            options = BaselineOptions.parse(arguments);
        } catch (IllegalArgumentException bad) {
            System.err.println(bad.getMessage() + "\n" + BaselineOptions.USAGE);
            System.exit(1);
            return;
        }
        System.setProperty(LOGGING_PROPERTY, LOGGING);
        Path folder = Files.createTempDirectory("warpcodec-benchmarks");
        try {
            new CpuBaseline(options, folder).run();
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void run() throws Exception {
        Files.write(folder.resolve("raw"), raw);
        for (CodecPair pair : prepareAll()) {
            for (String direction : options.directions()) {
                for (String file : direction.equals("read") ? options.files() : List.of("-")) {
                    for (int threads : options.threads()) {
                        measure(pair, direction, file, threads);
                        report.write(options.out());
                    }
                }
            }
        }
        report.write(options.out());
        System.out.println(Files.readString(Path.of(options.out() + ".md")));
    }

    /** Makes all files, as many at a time as there are processors. Returns the pairs that work. */
    private Collection<CodecPair> prepareAll() throws IOException, InterruptedException {
        ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        Map<CodecPair, List<Future<Long>>> sizes = new LinkedHashMap<>();
        for (CodecPair pair : options.pairs()) {
            sizes.put(
                    pair,
                    List.of(
                            workers.submit(() -> prepare(pair, Side.OURS, Side.STOCK)),
                            workers.submit(() -> prepare(pair, Side.STOCK, Side.OURS))));
        }
        List<CodecPair> working = new ArrayList<>();
        for (Map.Entry<CodecPair, List<Future<Long>>> entry : sizes.entrySet()) {
            CodecPair pair = entry.getKey();
            try {
                report.sizes(
                        pair,
                        entry.getValue().get(0).get(),
                        entry.getValue().get(1).get());
                working.add(pair);
            } catch (ExecutionException failed) {
                fail(pair.word() + ": " + failed.getCause());
            }
        }
        workers.shutdown();
        return working;
    }

    /** Writes one file, checks that the other side's codec reads it, returns its size in bytes. */
    private long prepare(CodecPair pair, Side writer, Side reader) throws IOException {
        byte[] compressed = CodecWork.compress(pair.codec(writer), raw);
        CodecWork.verify(pair.codec(reader), compressed, raw);
        Files.write(folder.resolve(BenchmarkFiles.name(pair, writer)), compressed);
        return compressed.length;
    }

    private void measure(CodecPair pair, String direction, String file, int threads) {
        // a slice must be long against what one step can take: compressing one bzip2 block takes about 0.1 s
        int sliceMillis = pair == CodecPair.BZ2 ? 1000 : 200;
        int slices = (int) Math.max(5, Math.round(options.seconds() * 1000 / sliceMillis));
        int warmUpSlices = (int) Math.max(2, Math.round(WARM_UP_SHARE * options.seconds() * 1000 / sliceMillis));
        OptionsBuilder jmh = new OptionsBuilder();
        jmh.include(direction.equals("read") ? CodecReadBenchmark.class.getName() : CodecWriteBenchmark.class.getName())
                .param("pair", pair.word())
                .param("side", SideInTurn.ALTERNATING)
                .param("bufferBytes", Integer.toString(options.bufferBytes()))
                .param("megabytes", Integer.toString(options.megabytes()))
                .threads(threads)
                .forks(1)
                .jvmArgsAppend(
                        "-Xmx2g",
                        "-D" + LOGGING_PROPERTY + "=" + LOGGING,
                        "-D" + BenchmarkFiles.FOLDER_PROPERTY + "=" + folder)
                .warmupIterations(2 * warmUpSlices)
                .warmupTime(TimeValue.milliseconds(sliceMillis))
                .measurementIterations(2 * slices)
                .measurementTime(TimeValue.milliseconds(sliceMillis))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        if (direction.equals("read")) {
            jmh.param("file", file);
        }
        String title = String.format(Locale.ROOT, "%s %s %s %d", pair.word(), direction, file, threads);
        try {
            RunResult result = new Runner(jmh.build()).runSingle();
            List<Double> ours = new ArrayList<>();
            List<Double> stock = new ArrayList<>();
            for (IterationResult iteration :
                    result.getBenchmarkResults().iterator().next().getIterationResults()) {
                (ours.size() > stock.size() ? stock : ours)
                        .add(iteration.getPrimaryResult().getScore());
            }
            BaselinePoint point = new BaselinePoint(pair, direction, file, threads, ours, stock);
            report.add(point);
            System.out.printf(
                    Locale.ROOT,
                    "%-28s ours %7.1f  stock %7.1f MB/s  ratio %.3f (%.3f-%.3f)%n",
                    title,
                    point.megabytesPerSecond(Side.OURS),
                    point.megabytesPerSecond(Side.STOCK),
                    point.ratio(),
                    point.ratioQuartile(1),
                    point.ratioQuartile(3));
        } catch (RunnerException failed) {
            fail(title + ": " + failed);
        }
    }

    private void fail(String what) {
        report.fail(what);
        System.out.println("not measured: " + what);
    }
}
