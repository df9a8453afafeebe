package io.warpcodec.stream;

import com.sun.management.OperatingSystemMXBean;
import io.warpcodec.Engines;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.Scanner;
import io.warpcodec.stream.LyingFile.Container;
import io.warpcodec.stream.LyingFile.Lie;
import io.warpcodec.stream.unit.ChunkReader;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.SourceWindows;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Prints what reading costs where size hints lie, beside the honest file and beside the honest file read without
 * hints: a main class. Arguments: units of a file, raw bytes of a unit, {@code cpu.threads} of the tool and, to print
 * no others, a container. Processor seconds of the whole process, because other work on the machine does not change
 * them much: for each file the least and the median of {@link #ROUNDS}, in which the files take turns. A figure is as
 * many reads of the file as the honest one needs for {@link #LEAST_SECONDS}.
 */
final class LyingHintsTable {
    private static final int ROUNDS = 5;
    private static final double LEAST_SECONDS = 0.3;
    private static final double WARM_UP_SECONDS = 8;
    private static final double CLOCK_STEP_SECONDS = 0.01;
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private LyingHintsTable() {}

    /** One file, read one way, and its seconds of all rounds. */
    private record Row(String lie, LyingFile file, boolean withHints, double[] seconds) {
        Row(String lie, LyingFile file, boolean withHints) {
            this(lie, file, withHints, new double[ROUNDS]);
        }

        double least() {
            return Arrays.stream(seconds).min().orElseThrow();
        }

        double median() {
            return Arrays.stream(seconds).sorted().skip(ROUNDS / 2).findFirst().orElseThrow();
        }
    }

    public static void main(String[] arguments) throws IOException {
        int units = Integer.parseInt(arguments[0]);
        int unitRawBytes = Integer.parseInt(arguments[1]);
        System.out.printf("%d units of %d raw bytes; processor seconds, least and median%n", units, unitRawBytes);
        System.out.println(
                "| container | path | reads | honest | no hints | worst lie | seconds | to honest | to no hints |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        for (Container container : Container.values()) {
            if (arguments.length > 3 && container != Container.valueOf(arguments[3])) {
                continue;
            }
            List<Row> rows = rows(container, units, unitRawBytes);
            for (int threads : new int[] {1, Integer.parseInt(arguments[2])}) {
                Engines.useCpuThreads(threads);
                print(container, threads, rows);
            }
        }
        Engines.useCpuThreads(1);
    }

    private static void print(Container container, int threads, List<Row> rows) throws IOException {
        Row honest = rows.get(0);
        Row withoutHints = rows.get(1);
        int reads = reads(honest);
        for (int round = 0; round < ROUNDS; round++) {
            for (Row row : rows) {
                row.seconds()[round] = seconds(row, reads);
            }
        }
        Row worst = rows.subList(2, rows.size()).stream()
                .max(Comparator.comparingDouble(Row::least))
                .orElseThrow();
        System.out.printf(
                "| %s | %s | %d | %.2f, %.2f | %.2f, %.2f | %s | %.2f, %.2f | %.1f | %.1f |%n",
                container,
                threads == 1 ? "codec" : "tool, " + threads + " threads",
                reads,
                honest.least(),
                honest.median(),
                withoutHints.least(),
                withoutHints.median(),
                worst.lie(),
                worst.least(),
                worst.median(),
                worst.least() / honest.least(),
                worst.least() / withoutHints.least());
    }

    private static List<Row> rows(Container container, int units, int unitRawBytes) throws IOException {
        LyingFile honest = container.file(units, unitRawBytes, Lie.NONE, index -> false);
        List<Row> rows = new ArrayList<>();
        rows.add(new Row("honest", honest, true));
        rows.add(new Row("no hints", honest, false));
        for (Lie lie : Lie.values()) {
            if (lie == Lie.NONE || !container.tells(lie)) {
                continue;
            }
            IntPredicate each = index -> true;
            IntPredicate aThousandth = index -> index % 1000 == 500;
            rows.add(new Row(lie + ", each", container.file(units, unitRawBytes, lie, each), true));
            if (units > 500) {
                rows.add(new Row(lie + ", a thousandth", container.file(units, unitRawBytes, lie, aThousandth), true));
            }
        }
        return rows;
    }

    /** How often the file must be read for a figure, by the quickest read once its code is compiled. */
    private static int reads(Row honest) throws IOException {
        double least = LEAST_SECONDS;
        for (double warmUp = 0; warmUp < WARM_UP_SECONDS; ) {
            double seconds = Math.max(seconds(honest, 1), CLOCK_STEP_SECONDS);
            least = Math.min(least, seconds);
            warmUp += seconds;
        }
        // later reads may still be quicker
        return (int) Math.ceil(2 * LEAST_SECONDS / least);
    }

    private static double seconds(Row row, int reads) throws IOException {
        long start = PROCESS.getProcessCpuTime();
        for (int i = 0; i < reads; i++) {
            long bytes = row.withHints() ? read(row.file()) : readWithoutHints(row.file());
            if (bytes != row.file().raw().length) {
                throw new AssertionError(bytes + " of " + row.file().raw().length + " bytes");
            }
        }
        return (PROCESS.getProcessCpuTime() - start) / 1e9;
    }

    private static long read(LyingFile file) throws IOException {
        try (InputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file.bytes()), file.format(), file.options())) {
            return in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }

    private static long readWithoutHints(LyingFile file) throws IOException {
        EngineSelector engines = Engines.selector();
        Scanner scanner = Containers.of(file.format()).scanner(file.options());
        scanner.ignoreHints();
        SourceWindow window = SourceWindows.reading(new ByteArrayInputStream(file.bytes()), 0, engines, file.options());
        ChunkReader reader =
                new ChunkReader(file.format(), file.options(), engines, window, scanner, null, Long.MAX_VALUE);
        long bytes = 0;
        while (true) {
            switch (reader.advance()) {
                case BYTES -> bytes += reader.bytes().remaining();
                case UNIT_END -> {
                    // the next unit follows
                }
                case END, NEEDS_INPUT -> {
                    reader.close();
                    return bytes;
                }
            }
        }
    }
}
