package io.warpcodec.cli;

import io.warpcodec.Engines;
import io.warpcodec.cli.file.FileProblem;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.PendingOutput;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * A verb that does the same to each of its files: one that fails is named in one line and does not stop the others; the exit code is that of
 * the worst. A verb that writes or deletes looks at all of its files first, and touches none if one of them cannot be used.
 */
abstract class FileVerb implements Callable<Integer> {

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Local files, hdfs:// and other Hadoop paths; - is standard input.")
    private List<String> files;

    @Mixin
    private EngineOption engine;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Chunks that the CPU engine works on at once (default: the number of processors).")
    private Integer threads;

    @Spec
    private CommandSpec spec;

    @Override
    public final Integer call() throws IOException {
        if (threads != null && threads < 1) {
            throw wrongUsage("--threads " + threads + " is less than 1");
        }
        checkUsage();
        Engines.useCpuThreads(threads());
        int unusable = lookAtAll();
        return unusable == ExitCode.DONE ? runAll() : unusable;
    }

    /** Looks at every FILE; returns the exit code of the worst. A failure means that no FILE is touched. */
    private int lookAtAll() {
        int worst = ExitCode.DONE;
        int usable = 0;
        for (String file : files) {
            int code = guarded(file, () -> {
                look(Location.of(file));
                return ExitCode.DONE;
            });
            usable += code == ExitCode.DONE ? 1 : 0;
            worst = Math.max(worst, code);
        }
        if (worst != ExitCode.DONE && usable > 0) {
            Terminal.complain("nothing was done, because " + (files.size() - usable) + " of " + files.size()
                    + " FILEs cannot be used");
        }
        return worst;
    }

    /** Does the verb's work on every FILE; returns the exit code of the worst. */
    private int runAll() {
        int worst = ExitCode.DONE;
        for (String file : files) {
            worst = Math.max(worst, guarded(file, () -> runAll(Location.of(file))));
        }
        return worst;
    }

    /**
     * Looks at what an argument names before the first file is written or deleted, and throws if the verb cannot work on it. A verb that only reads
     * has no need of it: there a bad file stops no other.
     */
    void look(Location argument) throws IOException {}

    /** Does the verb's work on what an argument names; returns the exit code of the worst. */
    int runAll(Location argument) throws IOException {
        run(argument);
        return ExitCode.DONE;
    }

    /** Does the verb's work on one file. */
    abstract void run(Location file) throws IOException;

    /** Work that may fail. */
    interface Work {
        /** Does it and returns its exit code. */
        int run() throws IOException;
    }

    /** Does some work; a failure becomes a line that names the file, and an exit code. */
    static int guarded(String file, Work work) {
        try {
            return work.run();
        } catch (IOException | RuntimeException | LinkageError failure) {
            Terminal.complain(
                    failure instanceof FileProblem
                            ? failure.getMessage()
                            : nameOf(file) + ": " + Complaint.of(failure));
            return Complaint.exitCode(failure);
        }
    }

    /** Names each folder that could not be read; returns the exit code for them. */
    static int complainOf(List<FileProblem> problems) {
        problems.forEach(problem -> Terminal.complain(problem.getMessage()));
        return problems.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }

    /** Says which attributes of its input an output has not, because this user may not give them. */
    static void sayWhatWasLost(Location output, PendingOutput published) {
        if (!published.lostAttributes().isEmpty()) {
            Terminal.complain(output.name() + ": cannot keep " + String.join(", ", published.lostAttributes()));
        }
    }

    /** Refuses options that do not go together, before anything is touched. */
    void checkUsage() {}

    final List<String> files() {
        return files;
    }

    /** Threads of the CPU that may work at once. */
    final int threads() {
        return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    }

    final EngineOption engine() {
        return engine;
    }

    final ParameterException wrongUsage(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    private static String nameOf(String file) {
        return file.equals(Location.STANDARD) ? "(standard input)" : file;
    }
}
