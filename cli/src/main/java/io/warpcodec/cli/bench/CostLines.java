package io.warpcodec.cli.bench;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Mode;
import io.warpcodec.engine.CostReport;
import io.warpcodec.engine.Engine;
import java.util.List;
import java.util.Locale;

/** What the accelerator expected work to take, held against what it took: a line for each kind of work that was done. */
public final class CostLines {
    private CostLines() {}

    /** The lines for what this process has done so far; none if no accelerator may work in this mode, or there is none. */
    public static List<String> of(Mode mode) {
        CodecOptions options = CodecOptions.DEFAULTS.withMode(mode);
        Engine accelerator = Engines.selector().accelerator(options);
        return accelerator == null
                ? List.of()
                : accelerator.costs(options.cpuWeight()).stream()
                        .map(CostLines::line)
                        .toList();
    }

    static String line(CostReport report) {
        return String.format(
                Locale.ROOT,
                "%s: predicted %s; %s",
                report.work(),
                side("device", report.devicePredictions(), report.deviceErrorPercent()),
                side("cpu", report.cpuPredictions(), report.cpuErrorPercent()));
    }

    private static String side(String who, long predictions, double errorPercent) {
        return predictions == 0
                ? who + " never"
                : String.format(Locale.ROOT, "%s %d times, median error %.0f %%", who, predictions, errorPercent);
    }
}
