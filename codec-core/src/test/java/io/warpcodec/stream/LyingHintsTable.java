package io.warpcodec.stream;

import com.sun.management.OperatingSystemMXBean;
import io.warpcodec.Engines;
import io.warpcodec.engine.EngineSelector;
import io.warpcodec.format.Scanner;
import io.warpcodec.stream.LyingFile.Container;
import io.warpcodec.stream.LyingFile.Lie;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Prints what reading costs where size hints lie, beside the honest file and beside the honest file read without hints: a main
 * class. Arguments: units of a file, raw bytes of a unit, {@code cpu.threads} of the tool. Processor seconds of the whole
 * process, the least of {@link #ROUNDS}, because other work on the machine does not change them much.
 */
final class LyingHintsTable {
    private static final int ROUNDS = 10;
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private LyingHintsTable() {}

    private record Row(String lie, double seconds) {}

    public static void main(String[] arguments) throws IOException {
        int units = Integer.parseInt(arguments[0]);
        int unitRawBytes = Integer.parseInt(arguments[1]);
        System.out.printf("%d units of %d raw bytes; processor seconds%n", units, unitRawBytes);
        System.out.println("| container | path | honest | no hints | worst lie | seconds | to honest | to no hints |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        for (Container container : Container.values()) {
            for (int threads : new int[] {1, Integer.parseInt(arguments[2])}) {
                Engines.useCpuThreads(threads);
                print(container, threads, units, unitRawBytes);
            }
        }
        Engines.useCpuThreads(1);
    }

    private static void print(Container container, int threads, int units, int unitRawBytes) throws IOException {
        LyingFile honest = container.file(units, unitRawBytes, Lie.NONE, index -> false);
        seconds(honest, true);
        double honestSeconds = seconds(honest, true);
        double withoutHints = seconds(honest, false);
        Row worst = lies(container, units, unitRawBytes).stream()
                .max((one, other) -> Double.compare(one.seconds(), other.seconds()))
                .orElseThrow();
        System.out.printf(
                "| %s | %s | %.3f | %.3f | %s | %.3f | %.1f | %.1f |%n",
                container,
                threads == 1 ? "codec" : "tool, " + threads + " threads",
                honestSeconds,
                withoutHints,
                worst.lie(),
                worst.seconds(),
                worst.seconds() / honestSeconds,
                worst.seconds() / withoutHints);
    }

    private static List<Row> lies(Container container, int units, int unitRawBytes) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (Lie lie : Lie.values()) {
            if (lie == Lie.NONE || !container.tells(lie)) {
                continue;
            }
            IntPredicate each = index -> true;
            IntPredicate aThousandth = index -> index % 1000 == 500;
            rows.add(new Row(lie + ", each", seconds(container.file(units, unitRawBytes, lie, each), true)));
            rows.add(new Row(
                    lie + ", a thousandth", seconds(container.file(units, unitRawBytes, lie, aThousandth), true)));
        }
        return rows;
    }

    private static double seconds(LyingFile file, boolean withHints) throws IOException {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long start = PROCESS.getProcessCpuTime();
            long bytes = withHints ? read(file) : readWithoutHints(file);
            least = Math.min(least, PROCESS.getProcessCpuTime() - start);
            if (bytes != file.raw().length) {
                throw new AssertionError(bytes + " of " + file.raw().length + " bytes");
            }
        }
        return least / 1e9;
    }

    private static long read(LyingFile file) throws IOException {
        try (InputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file.bytes()), file.format(), file.options())) {
            return in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }

    private static long readWithoutHints(LyingFile file) throws IOException {
        EngineSelector engines = Engines.selector();
        Scanner scanner = Containers.scanner(file.format(), file.options());
        scanner.ignoreHints();
        SourceWindow window = new SourceWindow(
                new ByteArrayInputStream(file.bytes()),
                0,
                file.options().readAheadBytes(),
                ChunkedInputStream.leases(engines, file.options()));
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
