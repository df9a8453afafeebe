package io.warpcodec.cli.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A local file written under a hidden name beside its place, then made durable and renamed: a reader sees the old file, none, or all of
 * the new one. A process that is interrupted removes what it had begun.
 */
final class LocalOutput extends PendingOutput {

    private static final Set<Path> BEGUN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(LocalOutput::removeBegun, "warpcodec-partial-output-remover"));
    }

    private final Path target;
    private final boolean replace;
    private final Path partial;
    private final FileChannel channel;

    LocalOutput(String name, Path target, boolean replace) throws IOException {
        super(name);
        this.target = target;
        this.replace = replace;
        this.partial = target.resolveSibling("." + target.getFileName() + ".partial-"
                + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()));
        BEGUN.add(partial);
        try {
            this.channel = FileChannel.open(partial, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        } catch (IOException failure) {
            BEGUN.remove(partial);
            throw failure;
        }
    }

    @Override
    void writeBytes(byte[] bytes, int start, int length) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes, start, length);
        while (rest.hasRemaining()) {
            channel.write(rest);
        }
    }

    @Override
    void makeDurable() throws IOException {
        channel.force(true);
        channel.close();
        if (replace) {
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } else {
            moveToFreeName();
        }
        BEGUN.remove(partial);
        Path folder = target.toAbsolutePath().getParent();
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /** A link fails where a rename would silently take the place of a file that appeared meanwhile. */
    private void moveToFreeName() throws IOException {
        try {
            Files.createLink(target, partial);
            Files.delete(partial);
        } catch (FileAlreadyExistsException exists) {
            throw exists;
        } catch (UnsupportedOperationException | IOException noLinks) {
            Files.move(partial, target);
        }
    }

    @Override
    void discard() throws IOException {
        channel.close();
        Files.deleteIfExists(partial);
        BEGUN.remove(partial);
    }

    private static void removeBegun() {
        for (Path partial : BEGUN) {
            try {
                Files.deleteIfExists(partial);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
