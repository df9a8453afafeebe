package io.warpcodec.cli.bench;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Mode;
import io.warpcodec.engine.ChoiceReport;
import io.warpcodec.engine.Engine;
import java.util.List;

/**
 * The numbers by which mode {@code auto} chose: a line for each kind of work that was done.
 */
public final class ChoiceLines {
    private ChoiceLines() {}

    /**
     * The lines for what this process has done so far; none if no accelerator may work in this mode, or there is none.
     */
    public static List<String> of(Mode mode) {
        CodecOptions options = CodecOptions.DEFAULTS.withMode(mode);
        Engine accelerator = Engines.selector().accelerator(options);
        return accelerator == null
                ? List.of()
                : accelerator.choices(options.cpuWeight()).stream()
                        .map(ChoiceReport::summary)
                        .toList();
    }
}
