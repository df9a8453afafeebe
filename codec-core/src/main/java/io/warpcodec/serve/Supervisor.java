package io.warpcodec.serve;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the process that serves a node's devices ({@link ServeMain}), and again when it has ended otherwise than by {@link #close}: after a second, and twice as long each
 * time that it does not live for a minute. So a device that is lost, or a driver that hangs, costs its process and not this one. It does not start one again that has found no
 * devices or cannot read its settings, or that has not got its folder for half a minute. Thread-safe.
 */
public final class Supervisor implements AutoCloseable {
    private static final long FIRST_PAUSE_MILLIS = 1_000;
    private static final long MOST_PAUSE_MILLIS = 60_000;
    private static final long GOOD_LIFE_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** A service that ends may have the folder for so long. */
    private static final long FOLDER_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long END_MILLIS = 15_000;
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

    private final List<String> command;
    private final long pauseMillis;
    private final Thread thread = new Thread(this::run, "warpcodec supervisor");
    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    private Process process;
    private boolean closed;

    private Supervisor(List<String> command, long firstPauseMillis) {
        this.pauseMillis = firstPauseMillis;
        this.command = List.copyOf(command);
        thread.setDaemon(true);
    }

    /**
     * Starts serving. The process writes its log to this one's outputs.
     *
     * @param settings as {@code WORD=VALUE}, see {@link ServeMain}
     */
    public static Supervisor start(List<String> settings) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(),
                ServeMain.class.getName()));
        command.addAll(settings);
        return start(command, FIRST_PAUSE_MILLIS);
    }

    /** Supervises any command: for tests. */
    static Supervisor start(List<String> command, long firstPauseMillis) {
        Supervisor supervisor = new Supervisor(command, firstPauseMillis);
        supervisor.thread.start();
        return supervisor;
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
        long pause = pauseMillis;
        long since = System.nanoTime();
        try {
            while (true) {
                long begun = System.nanoTime();
                Process started = begin();
                if (started == null) {
                    break;
                }
                status = started.waitFor();
                boolean late = System.nanoTime() - since > FOLDER_NANOS;
                if (isClosed()
                        || status == ServeMain.NO_DEVICES
                        || status == ServeMain.USAGE
                        || status == ServeMain.NO_FOLDER && late) {
                    break;
                }
                if (status != ServeMain.NO_FOLDER) {
                    since = System.nanoTime();
                }
                pause = System.nanoTime() - begun > GOOD_LIFE_NANOS ? pauseMillis : pause;
                LOG.warn(
                        "the process that serves GPUs has ended with status {}; it starts again in {} ms",
                        status,
                        pause);
                pause(pause);
                pause = Math.min(MOST_PAUSE_MILLIS, 2 * pause);
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

    /** Lets the process end, after the work that it has, and waits for that; one that does not is killed. Idempotent. */
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
