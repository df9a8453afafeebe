package io.warpcodec.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A private folder under {@code java.io.tmpdir} that is gone when this process is: after {@link #close}, and after Ctrl-C or a kill that
 * lets the JVM run its shutdown hooks. Child processes still alive then (YARN containers) are ended first, or they would go on writing.
 */
final class ScratchFolder implements AutoCloseable {

    private static final int DELETE_ATTEMPTS = 20;

    private final Path path;
    private final Thread hook;

    ScratchFolder(String prefix) throws IOException {
        path = Files.createTempDirectory(prefix);
        hook = new Thread(this::endChildrenAndDelete, "warpcodec-scratch-cleaner");
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

    private synchronized void endChildrenAndDelete() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        for (int attempt = 0; attempt < DELETE_ATTEMPTS && Files.exists(path); attempt++) {
            try {
                deleteTree(path);
            } catch (IOException | UncheckedIOException e) {
                // A daemon thread created a file between our listing and our delete: once more.
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
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
