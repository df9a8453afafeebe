package io.warpcodec.device.serve;

import io.warpcodec.device.node.NodeProtocol;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of a node's service: its socket, a lock that says that it lives, and a folder of segments that can be entered and not listed. What a service that was killed left
 * there is deleted by the next one.
 */
final class NodeFolder implements AutoCloseable {
    private static final String SEGMENTS = "segments-";
    private static final Logger LOG = LoggerFactory.getLogger(NodeFolder.class);

    private final Path path;
    private final Path segments;
    private final FileChannel lockFile;
    private final UserPrincipal owner;

    private NodeFolder(Path path, Path segments, FileChannel lockFile) throws IOException {
        this.path = path;
        this.segments = segments;
        this.lockFile = lockFile;
        this.owner = Files.getOwner(segments);
    }

    /**
     * Takes it.
     *
     * @throws IOException if a service has it, it is not on tmpfs, or cannot be written
     */
    static NodeFolder open(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            Files.createDirectories(path);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        String type = Files.getFileStore(path).type();
        if (!type.equals("tmpfs")) {
            throw new IOException(path + " is on " + type + ", not on tmpfs: memory for devices must be memory");
        }
        Set<PosixFilePermission> ownersAlone = PosixFilePermissions.fromString("rw-------");
        FileChannel lockFile = FileChannel.open(
                path.resolve("lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(ownersAlone));
        try {
            // another user that could open it could hold the lock
            Files.setPosixFilePermissions(path.resolve("lock"), ownersAlone);
            FileLock lock = lockFile.tryLock();
            if (lock == null) {
                throw new IOException("another service has " + path);
            }
            clear(path);
            Path segments = path.resolve(SEGMENTS + SegmentStock.unguessable(new SecureRandom()));
            Files.createDirectory(segments);
            Files.setPosixFilePermissions(segments, PosixFilePermissions.fromString("rwx--x--x"));
            return new NodeFolder(path, segments, lockFile);
        } catch (OverlappingFileLockException ofThisProcess) {
            lockFile.close();
            throw new IOException("a service of this process has " + path, ofThisProcess);
        } catch (IOException failed) {
            lockFile.close();
            throw failed;
        }
    }

    /** Deletes what the last service left. */
    private static void clear(Path path) throws IOException {
        Files.deleteIfExists(path.resolve(NodeProtocol.SOCKET));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(path, SEGMENTS + "*")) {
            for (Path folder : left) {
                clearSegments(folder);
            }
        }
    }

    private static void clearSegments(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    Path path() {
        return path;
    }

    /** Bytes that are free where it lies. */
    long freeBytes() throws IOException {
        return Files.getFileStore(path).getUsableSpace();
    }

    Path socket() {
        return path.resolve(NodeProtocol.SOCKET);
    }

    /** Where segments are made. */
    Path segments() {
        return segments;
    }

    /**
     * Lets a user open a segment: gives it to that user where this process may do so; else everyone who knows its name may open it, which its client alone is told, until that
     * has mapped it.
     */
    void open(Path segment, UserPrincipal user) throws IOException {
        if (owner.equals(user)) {
            return;
        }
        try {
            Files.setOwner(segment, user);
        } catch (IOException | UnsupportedOperationException mayNot) {
            Files.setPosixFilePermissions(segment, PosixFilePermissions.fromString("rw-rw-rw-"));
        }
    }

    /** Deletes what is in it, and lets others have it. */
    @Override
    public void close() {
        try {
            clear(path);
            lockFile.close();
        } catch (IOException failed) {
            LOG.warn("{} is not cleared: {}", path, failed.getMessage());
        }
    }
}
