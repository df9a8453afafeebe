package io.warpcodec.device.serve;

import io.warpcodec.device.node.NodeProtocol;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of a node's service: its socket, a lock that says that it lives, and a folder of segments that can be entered and not listed. What a service that was killed left
 * there is deleted by the next one.
 */
final class NodeFolder implements AutoCloseable {
    private static final String SEGMENTS = "segments-";
    /** Folders of services of this process: to open a lock file once more and close it would end the lock of the first. */
    private static final Set<Path> OF_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private static final Set<PosixFilePermission> WRITABLE_BY_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final Logger LOG = LoggerFactory.getLogger(NodeFolder.class);

    private final Path path;
    private final Path real;
    private final Path segments;
    private final FileChannel lockFile;
    private final UserPrincipal owner;

    private NodeFolder(Path path, Path segments, FileChannel lockFile) throws IOException {
        this.path = path;
        this.real = path.toRealPath();
        this.segments = segments;
        this.lockFile = lockFile;
        this.owner = Files.getOwner(segments);
    }

    /**
     * Takes it.
     *
     * @throws IOException if a service has it, it is not on tmpfs, other users can write it, or this process cannot
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
        if (!Collections.disjoint(Files.getPosixFilePermissions(path), WRITABLE_BY_OTHERS)) {
            throw new IOException(path + " can be written by other users, who could put another service in its place");
        }
        Path real = path.toRealPath();
        if (!OF_THIS_PROCESS.add(real)) {
            throw new IOException("a service of this process has " + path);
        }
        try {
            return lock(path);
        } catch (IOException | RuntimeException failed) {
            OF_THIS_PROCESS.remove(real);
            throw failed;
        }
    }

    private static NodeFolder lock(Path path) throws IOException {
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
        } catch (IOException | RuntimeException failed) {
            lockFile.close();
            throw failed;
        }
    }

    /** Deletes what the last service left. */
    private static void clear(Path path) throws IOException {
        Files.deleteIfExists(path.resolve(NodeProtocol.SOCKET));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(path, SEGMENTS + "*")) {
            for (Path folder : left) {
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                    clearSegments(folder);
                } else {
                    Files.delete(folder);
                }
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
     * Lets a user open a segment: gives it to that user where this process may do so. Else any user can open it by its name, which its client alone is told, until that has
     * mapped it.
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

    /** Whether a user is that of this process. */
    boolean isOf(UserPrincipal user) {
        return owner.equals(user);
    }

    /** Deletes what is in it, and lets others have it. */
    @Override
    public void close() {
        // the lock is given back last, since the next service may have the folder from there on
        try (lockFile) {
            clear(path);
        } catch (IOException failed) {
            LOG.warn("{} is not cleared: {}", path, failed.getMessage());
        } finally {
            OF_THIS_PROCESS.remove(real);
        }
    }
}
