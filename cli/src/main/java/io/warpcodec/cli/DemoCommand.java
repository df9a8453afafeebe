package io.warpcodec.cli;

import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import java.io.IOException;
import java.util.EnumSet;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        description = {
            "Runs MapReduce and Spark jobs over TPC-H text in each format, on an HDFS and YARN of its own.",
            "Prints a table; 'same answer' compares each job with the same job on plain text. Exits with 1 if one differs."
        },
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

    private static final int MAX_MEGABYTES = 100_000;
    private static final long MEGABYTE = 1_000_000;

    @Option(
            names = "--size",
            paramLabel = "MB",
            defaultValue = "100",
            description = "About how much text to generate, in megabytes; ${DEFAULT-VALUE} if not given.")
    private int megabytes;

    @Option(
            names = "--formats",
            paramLabel = "FORMAT",
            split = ",",
            converter = FormatOption.Converter.class,
            completionCandidates = FormatOption.Words.class,
            description = "Only these, separated by commas: ${COMPLETION-CANDIDATES}; all if not given.")
    private Set<Format> formats = EnumSet.allOf(Format.class);

    @Mixin
    private EngineOption engine;

    @Spec
    private picocli.CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (megabytes < 1 || megabytes > MAX_MEGABYTES) {
            throw new ParameterException(spec.commandLine(), "--size " + megabytes + " is not in 1.." + MAX_MEGABYTES);
        }
        if (engine.mode() == Mode.GPU && Engines.selector().accelerator() == null) {
            throw new IOException(
                    "--engine gpu, but no GPU engine: " + Engines.selector().unavailableReason());
        }
        Demonstration jobs = ServiceLoader.load(Demonstration.class)
                .findFirst()
                .orElseThrow(
                        () -> new IOException(
                                "the demo is not part of this installation, because Spark, HDFS and YARN"
                                        + " would make it ten times as large: clone the project's sources and run bin/warpcodec demo there"));
        ProgressLine progress = new ProgressLine();
        boolean same = jobs.run(megabytes * MEGABYTE, formats, engine.mode(), progress::println, progress::show);
        return same ? ExitCode.DONE : ExitCode.FAILED;
    }
}
