package io.warpcodec.cli.option;

import io.warpcodec.Mode;
import io.warpcodec.Settings;
import picocli.CommandLine.Option;

/** The {@code --engine} option, shared by the verbs that do codec work. */
public final class EngineOption {

    @Option(
            names = "--engine",
            paramLabel = "auto|gpu|cpu",
            defaultValue = "auto",
            description = "Which engine may work: auto (the default), gpu (or fail), cpu.")
    private Mode mode;

    /** Which engine may work. */
    public Mode mode() {
        return Settings.overridden(mode);
    }
}
