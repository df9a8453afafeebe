package io.warpcodec.cli.verb;

import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.StandardOutput;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.file.system.NameTaken;
import io.warpcodec.cli.input.FileSuffix;
import io.warpcodec.cli.option.EngineOption;
import io.warpcodec.cli.terminal.ErrorText;
import io.warpcodec.cli.terminal.ExitCode;
import io.warpcodec.cli.terminal.SpeechOption;
import io.warpcodec.cli.terminal.Terminal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * A verb that does the same to each of its files. A file that fails is named in one line and does not stop the others;
 * the exit code is that of the worst. A verb that writes or deletes looks at all of its files first, and touches none
 * if one of them cannot be used.
 */
abstract class FileVerb implements Callable<Integer> {

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Local files, hdfs:// and other Hadoop paths; - is standard input.")
    private List<String> words = new ArrayList<>();

    @Mixin
    private EngineOption engine;

    @Mixin
    private SpeechOption speech;

    @Option(
            names = {"-f", "--force"},
            description =
                    "Do what is refused without it: replace a file that has the output's name (index: make an index again), take a FILE that has "
                            + "several names or the suffix already, read compressed data from a terminal and write it to one.")
    private boolean force;

    @Option(
            names = {"-r", "--recursive"},
            description = "Take the files in a FOLDER and below it; recompress and index always do.")
    private boolean recursive;

    @Option(
            names = {"-T", "-p", "--threads"},
            paramLabel = "N",
            converter = Threads.class,
            description = "Chunks that the CPU engine works on at once (default, and 0: the number of processors).")
    private int threads;

    @Option(
            names = {"-n", "--no-name", "--synchronous", "--ultra", "--no-progress"},
            hidden = true,
            description = "What other tools are asked for, and this one does always.")
    private boolean asAlways;

    /** Reads a number of threads. */
    static final class Threads implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String word) {
            if (!word.matches("[0-9]{1,6}")) {
                throw new TypeConversionException("'" + word + "' is no number");
            }
            return Integer.valueOf(word);
        }
    }

    @Spec
    private CommandSpec spec;

    /** A word of the command line, and what it names once that has been looked up. */
    private static final class Argument {
        private final String word;
        private List<InputFile> files;
        private Location.Tree tree;

        Argument(String word) {
            this.word = word;
        }
    }

    /** Work on a file that may fail. */
    private interface WorkOnFile {
        void run(InputFile file) throws IOException;
    }

    /** Work that may fail. */
    interface Work {
        /** Does it and returns its exit code. */
        int run() throws IOException;
    }

    @Override
    public final Integer call() throws IOException {
        if (words.isEmpty()) {
            words = List.of(wordWithoutFiles());
        }
        checkUsage();
        Engines.useCpuThreads(threads());
        List<Argument> arguments = words.stream().map(Argument::new).toList();
        int unusable = looksFirst() ? lookAtAll(arguments) : ExitCode.DONE;
        if (unusable != ExitCode.DONE) {
            return unusable;
        }
        if (engine.mode() == Mode.AUTO) {
            expectWork(arguments);
        }
        int worst = runAll(arguments);
        finish();
        return worst;
    }

    /** Looks at every argument; returns the exit code of the worst. A failure means that no FILE is touched. */
    private int lookAtAll(List<Argument> arguments) {
        int worst = ExitCode.DONE;
        int usable = 0;
        for (Argument argument : arguments) {
            int code = guarded(argument.word, () -> {
                int worstOfFiles = ExitCode.DONE;
                for (InputFile file : filesOf(argument)) {
                    worstOfFiles = Math.max(worstOfFiles, visiting(file, this::look));
                }
                return worstOfFiles;
            });
            usable += code == ExitCode.DONE ? 1 : 0;
            worst = Math.max(worst, code);
        }
        if (worst != ExitCode.DONE && usable > 0) {
            Terminal.complain("nothing was done, because " + (arguments.size() - usable) + " of " + arguments.size()
                    + " FILEs cannot be used");
        }
        return worst;
    }

    /** Tells the engines how much there is to do, so that devices start now if that pays. */
    private void expectWork(List<Argument> arguments) {
        Workload load = new Workload();
        for (Argument argument : arguments) {
            try {
                for (InputFile file : filesOf(argument)) {
                    expect(file, file.file().bytes(), load);
                }
            } catch (IOException | RuntimeException unusable) {
                // is told when the file's turn comes
                continue;
            }
        }
        load.forEach(Engines::expectWork);
    }

    /** Does the verb's work on every file of every argument; returns the exit code of the worst. */
    private int runAll(List<Argument> arguments) {
        int worst = ExitCode.DONE;
        for (Argument argument : arguments) {
            worst = Math.max(worst, guarded(argument.word, () -> runAll(argument)));
            if (StandardOutput.failure() != null) {
                break;
            }
        }
        return worst;
    }

    private int runAll(Argument argument) throws IOException {
        List<InputFile> files = filesOf(argument);
        if (argument.tree == null) {
            run(files.get(0));
            return ExitCode.DONE;
        }
        int worst = ExitCode.DONE;
        for (FileProblem problem : argument.tree.problems()) {
            Terminal.complain(problem.getMessage());
            worst = ExitCode.FAILED;
        }
        for (InputFile file : files) {
            worst = Math.max(worst, visiting(file, this::run));
            if (StandardOutput.failure() != null) {
                break;
            }
        }
        leave(argument.tree);
        return worst;
    }

    /** Does something to a file while it is visited; returns the exit code. */
    private static int visiting(InputFile file, WorkOnFile work) {
        return guarded(file.file().name(), () -> {
            try (Location.Visit visit = file.file().visit()) {
                work.run(file.at(visit.location()));
            }
            return ExitCode.DONE;
        });
    }

    private List<InputFile> filesOf(Argument argument) throws IOException {
        if (argument.files == null) {
            Location place = Location.of(argument.word);
            if (!place.isFolder()) {
                argument.files = List.of(InputFile.named(place));
            } else if (recursive || takesFolders()) {
                argument.tree = treeOf(place);
                argument.files = argument.tree.files().stream()
                        .filter(found -> takes(FileSuffix.formatOf(found.path())))
                        .map(InputFile::found)
                        .toList();
            } else {
                throw new FileProblem(argument.word, "is a folder; -r takes the files in it");
            }
        }
        return argument.files;
    }

    /** Does some work; a failure becomes a line that names the file, and an exit code. */
    static int guarded(String file, Work work) {
        try {
            return work.run();
        } catch (IOException | RuntimeException | LinkageError failure) {
            if (StandardOutput.hasNoReader()) {
                return ExitCode.NO_READER;
            }
            if (StandardOutput.failure() != null) {
                // is told once, at the end
                return ExitCode.FAILED;
            }
            Terminal.complain(
                    failure instanceof FileProblem
                            ? failure.getMessage()
                            : nameOf(file) + ": " + ErrorText.of(failure));
            return ErrorText.exitCode(failure);
        }
    }

    /** What the verb works on if no FILE is given: standard input, where it can. */
    String wordWithoutFiles() {
        return Location.STANDARD;
    }

    /** Refuses options that do not go together, before anything is touched. */
    void checkUsage() {}

    /** Whether a folder is taken for the files in it also without {@code -r}. */
    boolean takesFolders() {
        return false;
    }

    /** Whether a file that was found in a folder, whose name says this format or null, is the verb's. */
    boolean takes(Format named) {
        return named != null;
    }

    /** What lies below a folder. */
    Location.Tree treeOf(Location folder) throws IOException {
        return folder.tree(null);
    }

    /** Called when all files of a tree have been worked on. */
    void leave(Location.Tree tree) throws IOException {}

    /** Called when all files have been worked on. */
    void finish() {}

    /**
     * Whether the verb looks at all of its files before it works on the first. A verb that only reads has no need of
     * it: there a bad file stops no other.
     */
    boolean looksFirst() {
        return true;
    }

    /** Looks at a file before the first one is written or deleted, and throws if the verb cannot work on it. */
    void look(InputFile input) throws IOException {}

    /** Adds what the verb is to do for a file of so many bytes. */
    abstract void expect(InputFile input, long bytes, Workload load);

    /** Does the verb's work on one file. */
    abstract void run(InputFile input) throws IOException;

    /** The words that name files or folders. */
    final List<String> words() {
        return words;
    }

    /** Whether {@code -f} was given. */
    final boolean force() {
        return force;
    }

    /** Whether {@code -r} was given. */
    final boolean recursive() {
        return recursive;
    }

    final SpeechOption speech() {
        return speech;
    }

    /** Threads of the CPU that may work at once. */
    final int threads() {
        return threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
    }

    final EngineOption engine() {
        return engine;
    }

    final ParameterException wrongUsage(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    /** Refuses to wait for compressed data from a keyboard, unless forced. */
    final void requireNotTyped() {
        if (!force && words.contains(Location.STANDARD) && Terminal.isTyped()) {
            throw wrongUsage("compressed data is not read from a terminal; -f does");
        }
    }

    /**
     * Throws for a file that has several names, unless forced: all of its content stays when one name goes, which is
     * rarely what is meant.
     */
    final void requireOneName(Location input) throws IOException {
        int names = force ? 1 : input.nameCount();
        if (names > 1) {
            throw new FileProblem(
                    input.name(),
                    "has " + (names - 1) + (names == 2 ? " other name (hard link)" : " other names (hard links)")
                            + ", left alone without -f or -k");
        }
    }

    /** Throws if the output is the input under another name: that is never replaced. */
    static void requireOther(Location output, Location input) throws IOException {
        if (output.isSameFile(input)) {
            throw new FileProblem(output.name(), "is the same file as " + input.name());
        }
    }

    /**
     * What to say of an output's name that is taken: the call that finishes the work, if what is there was made of
     * the input.
     *
     * @param more words that this call needs besides
     */
    final NameTaken taken(Location output, Location input, String... more) {
        return new NameTaken(
                output.name(),
                "if it was made of " + input.name() + ", this makes it again and finishes the work: "
                        + CommandLines.again(spec.commandLine(), words, input.name(), more));
    }

    /** Throws if an output's name is that of a link, pipe, device or folder. */
    static void requireRegular(Location output) throws IOException {
        if (!output.isRegular()) {
            throw new FileProblem(output.name(), "exists already and is no regular file, not replaced");
        }
    }

    private static String nameOf(String file) {
        return file.equals(Location.STANDARD) ? "(standard input)" : file;
    }
}
