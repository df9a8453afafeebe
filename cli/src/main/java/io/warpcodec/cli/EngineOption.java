package io.warpcodec.cli;

import io.warpcodec.Mode;
import picocli.CommandLine.Option;

/** The {@code --engine} option, shared by the verbs that do codec work. */
final class EngineOption {

    @Option(
            names = "--engine",
            paramLabel = "auto|gpu|cpu",
            defaultValue = "auto",
            description = "Which engine may work: auto (the default), gpu (or fail), cpu.")
    private Mode mode;

    Mode mode() {
        return mode;
    }
}
