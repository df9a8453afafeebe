package io.warpcodec.cli.file;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * A standard output that keeps the reason for its first failure: a {@link PrintStream} alone only remembers that
 * there was one. So a disk that is full can be told from a reader that has left, as {@code head} does when it has
 * seen enough.
 *
 * <p>Safe for use by several threads, as any PrintStream.
 */
public final class StandardOutput extends PrintStream {

    private static final Path DESCRIPTOR = Path.of("/proc/self/fd/1");

    private final Sink sink;

    private StandardOutput(Sink sink, Charset charset) {
        super(sink, false, charset);
        this.sink = sink;
    }

    /** The standard output of this process. */
    public static StandardOutput ofProcess() {
        return new StandardOutput(new Sink(new FileOutputStream(FileDescriptor.out), true), charset());
    }

    /** Prints into a sink, in the character set of the system's standard output. */
    public static StandardOutput into(OutputStream sink) {
        return new StandardOutput(new Sink(sink, false), charset());
    }

    private static Charset charset() {
        // Java 17 knows the second and the third property, Java 19 and newer the first
        for (String property : new String[] {"stdout.encoding", "sun.stdout.encoding", "native.encoding"}) {
            String name = System.getProperty(property);
            if (name != null) {
                return Charset.forName(name);
            }
        }
        return Charset.defaultCharset();
    }

    /** Why {@link System#out} could not be written; null if all went well so far. */
    public static IOException failure() {
        if (!System.out.checkError()) {
            return null;
        }
        IOException first = System.out instanceof StandardOutput known ? known.sink.failure : null;
        return first != null ? first : new IOException("closed, or full");
    }

    /** Whether {@link System#out} is a pipe that its reader has closed. */
    public static boolean hasNoReader() {
        IOException failure = failure();
        if (failure == null) {
            return false;
        }
        // the system's words may be in the user's language; but writing to a pipe fails in no other way
        String words = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return words.contains("broken pipe") || isOfProcess() && isPipe();
    }

    /**
     * Ends the process by SIGPIPE, as the system ends any writer into a pipe without a reader. Who waits for the
     * process sees the signal: {@code tar} forgives a filter nothing else. Returns where there is no such signal.
     */
    public static void endBySignal() {
        try {
            Signal.handle(new Signal("PIPE"), SignalHandler.SIG_DFL);
            new FileOutputStream(FileDescriptor.out).write(0);
        } catch (IllegalArgumentException | IOException noSignal) {
            // the exit code says the same
        }
    }

    private static boolean isOfProcess() {
        return System.out instanceof StandardOutput known && known.sink.isOfProcess;
    }

    private static boolean isPipe() {
        try {
            return Files.readSymbolicLink(DESCRIPTOR).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    /** The sink, and the first failure of it. */
    private static final class Sink extends FilterOutputStream {
        private final boolean isOfProcess;
        private volatile IOException failure;

        Sink(OutputStream sink, boolean isOfProcess) {
            super(sink);
            this.isOfProcess = isOfProcess;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            try {
                out.write(bytes, start, length);
            } catch (IOException failed) {
                throw kept(failed);
            }
        }

        @Override
        public void flush() throws IOException {
            try {
                out.flush();
            } catch (IOException failed) {
                throw kept(failed);
            }
        }

        private IOException kept(IOException failed) {
            if (failure == null) {
                failure = failed;
            }
            return failed;
        }
    }
}
