package io.warpcodec.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A private folder under {@code java.io.tmpdir} that is gone when this process is: after {@link #close}, and after
 * Ctrl-C or a kill that lets the JVM run its shutdown hooks. Child processes still alive then (YARN containers) are
 * ended first, or they would go on writing.
 */
final class ScratchFolder implements AutoCloseable {

    private static final int PAUSE_MILLIS = 100;
    private static final int QUIET_CHECKS = 5;
    private static final int MOST_CHECKS = 100;

    private final Path path;
    private final Thread hook;

    ScratchFolder(String prefix) throws IOException {
        path = Files.createTempDirectory(prefix);
        hook = new Thread(this::cleanUpAtExit, "warpcodec-scratch-cleaner");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        endChildrenAndDelete();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is going down already and the hook runs or has run: nothing is left to take back.
            return;
        }
    }

    private void cleanUpAtExit() {
        // From here on the daemons fail in their own ways, for their files disappear; their stack traces
        // tell nothing.
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {});
        endChildrenAndDelete();
    }

    /**
     * Deletes until the folder stays away: while the JVM goes down, daemon threads of the cluster still start
     * containers and make folders.
     */
    private synchronized void endChildrenAndDelete() {
        int quietChecks = 0;
        for (int attempt = 0; attempt < MOST_CHECKS && quietChecks < QUIET_CHECKS; attempt++) {
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            quietChecks++;
            if (Files.exists(path)) {
                quietChecks = 0;
                try {
                    deleteTree(path);
                } catch (IOException | UncheckedIOException e) {
                    // Something appeared between our listing and our delete: the next check sees it.
                    quietChecks = 0;
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void deleteTree(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                Files.deleteIfExists(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
