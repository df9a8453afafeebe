package io.warpcodec.serve;

import io.warpcodec.NodeSettings;
import io.warpcodec.Setting;
import io.warpcodec.device.node.NodeAddress;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.engine.gpu.NodeProbe;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.CodeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the process that serves a node's devices ({@link ServeMain}), and again when it has ended otherwise than by
 * {@link #close}: after a second, and twice as long each time that it does not live for a minute. It asks the process
 * every few seconds to decode a block, and ends it when it has not answered within 15 s, twice running. So a device
 * that is lost, a driver that hangs or a service that stands still costs its process and not this one. It does not
 * start one again that has found no devices or cannot read its settings, or that has not got its folder for half a
 * minute. Thread-safe.
 */
public final class Supervisor implements AutoCloseable {
    private static final long FIRST_PAUSE_MILLIS = 1_000;
    /** A service that ends may have the folder for so long. */
    private static final long FOLDER_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long QUESTION_MILLIS = 3_000;
    private static final long LOOK_MILLIS = 200;
    private static final long KILL_MILLIS = 10_000;
    private static final long END_MILLIS = 15_000;
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

    private final List<String> command;
    private final RestartPauses pauses;
    private final Path folder;
    private final Supplier<AnswerWatch> watches;
    private final Thread thread = new Thread(this::run, "warpcodec supervisor");
    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    private Process process;
    /** Process that cannot be killed; null if there is none. */
    private Process stuck;

    private boolean closed;

    private Supervisor(List<String> command, long firstPauseMillis, Path folder, Supplier<AnswerWatch> watches) {
        this.pauses = new RestartPauses(firstPauseMillis);
        this.command = List.copyOf(command);
        this.folder = folder;
        this.watches = watches;
        thread.setDaemon(true);
    }

    /**
     * Starts serving. The process writes its log to this one's outputs.
     *
     * @param settings as {@code WORD=VALUE}, see {@link ServeMain}
     */
    public static Supervisor start(List<String> settings) {
        Path folder = folder(settings);
        return start(command(settings), FIRST_PAUSE_MILLIS, folder, ANSWER_NANOS, QUESTION_MILLIS);
    }

    /** The command that serves with these settings. */
    static List<String> command(List<String> settings) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                classPath(),
                ServeMain.class.getName()));
        command.addAll(settings);
        return command;
    }

    private static Path folder(List<String> settings) {
        String word = Setting.NODE_FOLDER.word() + "=";
        return Path.of(settings.stream()
                .filter(setting -> setting.startsWith(word))
                .map(setting -> setting.substring(word.length()))
                .findFirst()
                .orElse(NodeSettings.DEFAULT_FOLDER));
    }

    /** Supervises any command, and asks nothing: for tests. */
    static Supervisor start(List<String> command, long firstPauseMillis) {
        return started(new Supervisor(command, firstPauseMillis, null, null));
    }

    /** Supervises any command that serves in this folder. */
    static Supervisor start(
            List<String> command, long firstPauseMillis, Path folder, long answerNanos, long questionMillis) {
        NodeAddress address = new NodeAddress(folder, Set.of());
        return started(new Supervisor(
                command,
                firstPauseMillis,
                folder,
                () -> new AnswerWatch(() -> new Probe(address), answerNanos, questionMillis, System::nanoTime)
                        .start()));
    }

    private static Supervisor started(Supervisor supervisor) {
        supervisor.thread.start();
        return supervisor;
    }

    /** Asks as a client. */
    private static final class Probe implements AnswerWatch.Question {
        private final NodeAddress address;
        private final NodeProbe probe;

        Probe(NodeAddress address) {
            this.address = address;
            probe = new NodeProbe(address);
        }

        @Override
        public boolean ask(long nanos) throws InterruptedException {
            // a process that starts has no socket yet, which is no news
            boolean answers = Files.exists(address.socket()) && probe.ask(nanos);
            if (answers) {
                note(address.folder().resolve(NodeProtocol.ANSWERED));
            }
            return answers;
        }

        /** For those that ask by the age of a file, which costs them no JVM. */
        private static void note(Path file) {
            try {
                Files.write(file, new byte[0]);
                Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            } catch (IOException failed) {
                LOG.debug("{}", failed.toString());
            }
        }

        @Override
        public void close() {
            probe.close();
        }
    }

    /** The jar of this class, which a class loader of its own may have, in front of this process's class path. */
    private static String classPath() {
        Set<String> parts = new LinkedHashSet<>();
        CodeSource source = Supervisor.class.getProtectionDomain().getCodeSource();
        if (source != null) {
            parts.add(Path.of(URI.create(source.getLocation().toString())).toString());
        }
        parts.addAll(List.of(System.getProperty("java.class.path").split(File.pathSeparator)));
        return String.join(File.pathSeparator, parts);
    }

    private void run() {
        int status = 0;
        long since = System.nanoTime();
        try {
            while (true) {
                long begun = System.nanoTime();
                Process started = begin();
                if (started == null) {
                    break;
                }
                status = await(started);
                boolean late = System.nanoTime() - since > FOLDER_NANOS && !isStuck();
                if (isClosed()
                        || status == ServeMain.NO_DEVICES
                        || status == ServeMain.USAGE
                        || status == ServeMain.NO_FOLDER && late) {
                    break;
                }
                if (status != ServeMain.NO_FOLDER) {
                    since = System.nanoTime();
                }
                long pause = pauses.after(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun), isStuck());
                LOG.warn(
                        "the process that serves GPUs has ended with status {}; it starts again in {} ms",
                        status,
                        pause);
                pause(pause);
            }
        } catch (IOException failed) {
            LOG.error("the process that serves GPUs does not start: {}", failed.getMessage());
            status = 1;
        } catch (InterruptedException interrupted) {
            LOG.debug("interrupted");
        } finally {
            end.complete(status);
        }
    }

    /** Waits for the end of a process, or ends it when it does not answer; its exit status. */
    private int await(Process started) throws InterruptedException {
        if (watches == null) {
            return started.waitFor();
        }
        try (AnswerWatch watch = watches.get()) {
            while (!started.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (watch.isSilent()) {
                    LOG.warn("the process {} that serves GPUs does not answer; it is killed", started.pid());
                    if (!kill(started, folder, KILL_MILLIS)) {
                        stuck = started;
                        return ServeMain.DEVICES_LOST;
                    }
                }
            }
        }
        return started.exitValue();
    }

    /**
     * Kills a process that serves in a folder. A process that is inside a call of the driver may not end. Then no
     * client is to find it, and the folder says so.
     *
     * @return whether it has ended, within so long
     */
    static boolean kill(Process serving, Path folder, long millis) throws InterruptedException {
        serving.destroyForcibly();
        if (serving.waitFor(millis, TimeUnit.MILLISECONDS)) {
            return true;
        }
        LOG.error(
                "the process {} cannot be killed: it is inside a call of the GPU's driver. Only a reset of the GPU,"
                        + " or of the machine, ends it; the GPUs are not served until then",
                serving.pid());
        try {
            Files.deleteIfExists(folder.resolve(NodeProtocol.SOCKET));
            Files.writeString(folder.resolve(NodeProtocol.STUCK), Long.toString(serving.pid()));
        } catch (IOException failed) {
            LOG.warn("{}", failed.toString());
        }
        return false;
    }

    /** Whether an earlier process cannot be killed, and may have the folder still. */
    private boolean isStuck() {
        return stuck != null && stuck.isAlive();
    }

    private synchronized Process begin() throws IOException {
        if (closed) {
            return null;
        }
        process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return process;
    }

    private synchronized void pause(long millis) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; !closed && left > 0; left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())) {
            wait(left);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** The process that serves now, or served last; null before the first. */
    public synchronized Process process() {
        return process;
    }

    /** Waits until nothing is started any more; the exit status of the last process, 0 if it was closed. */
    public int awaitEnd() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Lets the process end, after the work that it has, and waits for that. A process that does not end is killed.
     * Idempotent.
     */
    @Override
    public void close() {
        Process last;
        synchronized (this) {
            closed = true;
            last = process;
            notifyAll();
        }
        if (last == null) {
            return;
        }
        try {
            // the end of its input asks it to end
            last.getOutputStream().close();
        } catch (IOException gone) {
            LOG.debug("{}", gone.getMessage());
        }
        try {
            if (!last.waitFor(END_MILLIS, TimeUnit.MILLISECONDS)) {
                last.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            last.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
