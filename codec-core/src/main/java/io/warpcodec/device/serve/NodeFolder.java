package io.warpcodec.device.serve;

import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.TrustedUsers;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of a node's service: its socket, a lock that says that it lives, and a folder of segments that can be
 * entered and not listed. What a service that was killed left there is deleted by the next one. The folder of segments
 * stays, since pods of Kubernetes mount it.
 */
final class NodeFolder implements AutoCloseable {
    private static final String LOCK = "lock";
    /** What segments lay in before they had a folder of a fixed name. */
    private static final String FORMER_SEGMENTS = "segments-*";

    /**
     * Folders of services of this process: to open a lock file once more and close it would end the lock of the first.
     */
    private static final Set<Path> OF_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private static final Logger LOG = LoggerFactory.getLogger(NodeFolder.class);

    private final Path path;
    private final Path real;
    private final FileChannel lockFile;
    private final UserPrincipal owner;
    private final UserPrincipal root;
    /** Null where this process may give files away. */
    private final ClientFiles clientFiles;

    private NodeFolder(Path path, FileChannel lockFile, ClientFiles clientFiles) throws IOException {
        this.path = path;
        this.real = path.toRealPath();
        this.lockFile = lockFile;
        this.clientFiles = clientFiles;
        this.owner = owner();
        this.root = root(path);
    }

    /**
     * Takes it.
     *
     * @param gate sets who may enter it
     * @throws IOException if a service has it, it is not on tmpfs, other users could put something in its place, or
     * this process cannot write it
     */
    static NodeFolder open(Path path, NodeGate gate) throws IOException {
        if (!Files.isDirectory(path)) {
            Files.createDirectories(path);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
        Path real = path.toRealPath();
        requireTmpfs(path);
        TrustedUsers.with(Set.of()).requireFolder(real);
        if (!OF_THIS_PROCESS.add(real)) {
            throw new IOException("a service of this process has " + path);
        }
        try {
            return lock(path, gate);
        } catch (IOException | RuntimeException failed) {
            OF_THIS_PROCESS.remove(real);
            throw failed;
        }
    }

    private static void requireTmpfs(Path path) throws IOException {
        String type = Files.getFileStore(path).type();
        if (!type.equals("tmpfs")) {
            throw new IOException(path + " is on " + type + ", not on tmpfs: memory for devices must be memory");
        }
    }

    /** The user of this process. */
    private static UserPrincipal owner() throws IOException {
        return Files.getOwner(Path.of("/proc/self"));
    }

    /** By its number, which has a name nearly everywhere. */
    private static UserPrincipal root(Path path) throws IOException {
        return path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("0");
    }

    private static NodeFolder lock(Path path, NodeGate gate) throws IOException {
        Set<PosixFilePermission> ownersAlone = PosixFilePermissions.fromString("rw-------");
        FileChannel lockFile = FileChannel.open(
                path.resolve(LOCK),
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(ownersAlone));
        try {
            // another user that could open it could hold the lock
            Files.setPosixFilePermissions(path.resolve(LOCK), ownersAlone);
            if (lockFile.tryLock() == null) {
                throw new IOException("another service has " + path);
            }
            clear(path);
            ClientFiles clientFiles = makeSegments(path.resolve(NodeProtocol.SEGMENTS));
            gate.set(path);
            return new NodeFolder(path, lockFile, clientFiles);
        } catch (IOException | RuntimeException failed) {
            lockFile.close();
            throw failed;
        }
    }

    /** Makes the folder of segments, unless it is there. It may be mounted, so that it is not made anew. */
    private static ClientFiles makeSegments(Path segments) throws IOException {
        if (!Files.isDirectory(segments, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(segments);
            Files.createDirectory(segments);
        }
        requireTmpfs(segments);
        // the service before may have let others write there
        Files.setPosixFilePermissions(segments, PosixFilePermissions.fromString("rwx--x--x"));
        TrustedUsers.with(Set.of()).requireFolder(segments.toRealPath());
        return ClientFiles.areNeeded() ? ClientFiles.open(segments) : null;
    }

    /** Deletes what the last service left. */
    private static void clear(Path path) throws IOException {
        Files.deleteIfExists(path.resolve(NodeProtocol.SOCKET));
        Files.deleteIfExists(path.resolve(NodeProtocol.STUCK));
        Files.deleteIfExists(path.resolve(NodeProtocol.ANSWERED));
        clearSegments(path.resolve(NodeProtocol.SEGMENTS));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(path, FORMER_SEGMENTS)) {
            for (Path former : left) {
                clearSegments(former);
                Files.delete(former);
            }
        }
    }

    private static void clearSegments(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (ClientFiles.isTaken(file, owner())) {
                    clearSegments(file);
                }
                delete(file);
            }
        }
    }

    /** Deletes what can be deleted: a folder of another user with something in it stays. */
    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException failed) {
            LOG.warn("cannot delete {}: {}", file, failed.getMessage());
        }
    }

    Path path() {
        return path;
    }

    Path socket() {
        return path.resolve(NodeProtocol.SOCKET);
    }

    /** Where segments are made. */
    Path segments() {
        return path.resolve(NodeProtocol.SEGMENTS);
    }

    /** Whether clients of a user make the files of their segments: they are neither this user's nor can be given. */
    boolean haveToMake(UserPrincipal user) {
        return clientFiles != null && !owner.equals(user);
    }

    /**
     * Takes a file that such a client has made, as {@link ClientFiles#take} does.
     *
     * @param name in the folder of segments
     */
    FileChannel take(String name, UserPrincipal user, int bytes) throws IOException {
        return clientFiles.take(name, user, bytes);
    }

    /** Lets a user open a segment, which is given to that user. */
    void open(Path segment, UserPrincipal user) throws IOException {
        if (!owner.equals(user)) {
            Files.setOwner(segment, user);
        }
    }

    /** Whether a user is that of this process, by its number. */
    boolean isOf(UserPrincipal user) {
        return owner.equals(user);
    }

    /** Whether a user is root, by its number. */
    boolean isOfRoot(UserPrincipal user) {
        return root.equals(user);
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
