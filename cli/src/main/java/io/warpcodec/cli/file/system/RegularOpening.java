package io.warpcodec.cli.file.system;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Opens files that should be regular. To open a pipe takes until a program writes to it, which may be for ever; so
 * each open is done by a thread that nothing waits for.
 */
final class RegularOpening {

    private static final long LOOK_EVERY_MILLIS = 200;

    private RegularOpening() {}

    /** What must hold for a wait to go on. */
    interface Condition {
        /** Throws if it does not hold. */
        void require() throws IOException;
    }

    /**
     * Opens a file for reading.
     *
     * @param isRegular is asked from time to time while the open lasts; then the file is opened once more, for the
     *     first one may wait at a pipe that has gone
     */
    static FileChannel open(Path path, Set<OpenOption> options, Condition isRegular) throws IOException {
        while (true) {
            CompletableFuture<FileChannel> opened = start(path, options);
            try {
                return opened.get(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException waits) {
                if (!opened.cancel(false)) {
                    return opened.join();
                }
                isRegular.require();
            } catch (ExecutionException failed) {
                throw (IOException) failed.getCause();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
        }
    }

    private static CompletableFuture<FileChannel> start(Path path, Set<OpenOption> options) {
        CompletableFuture<FileChannel> opened = new CompletableFuture<>();
        Thread thread = new Thread(() -> open(path, options, opened), "warpcodec-open");
        thread.setDaemon(true);
        thread.start();
        return opened;
    }

    private static void open(Path path, Set<OpenOption> options, CompletableFuture<FileChannel> opened) {
        try {
            FileChannel channel = FileChannel.open(path, options);
            if (!opened.complete(channel)) {
                channel.close();
            }
        } catch (IOException failure) {
            opened.completeExceptionally(failure);
        } catch (RuntimeException failure) {
            opened.completeExceptionally(new IOException(failure));
        }
    }
}
