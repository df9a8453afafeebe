package io.warpcodec.device.driver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/**
 * A folder that only this user can enter, for native libraries unpacked from jars.
 *
 * <p>Several JVMs of a user share it. Thread-safe, and safe against other JVMs doing the same.
 */
public final class NativeLibraryFolder {
    // A library file that is mapped and then shortened kills the JVM with SIGBUS. A file that another user may write
    // runs that user's code. So no other user may enter the folder (0700, ours, no symbolic link). A file is only
    // used if it holds exactly the bytes of the jar. A wrong file is never written to, only replaced by renaming a
    // complete file over it. So a JVM which has mapped the wrong file keeps its inode.

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<?> OWNER_ONLY_ATTRIBUTE = PosixFilePermissions.asFileAttribute(OWNER_ONLY);

    private final Path path;

    private NativeLibraryFolder(Path path) {
        this.path = path;
    }

    /**
     * The folder for this user below {@code parent}: the folder that is there if it is safe, else a new folder.
     *
     * @throws IOException if no folder can be made there
     */
    public static NativeLibraryFolder below(Path parent) throws IOException {
        String user = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9_.-]", "_");
        Path shared = parent.resolve("warpcodec-" + user);
        try {
            Files.createDirectory(shared, OWNER_ONLY_ATTRIBUTE);
        } catch (FileAlreadyExistsException exists) {
            if (!isOursAlone(shared)) {
                Path fresh = Files.createTempDirectory(parent, "warpcodec-", OWNER_ONLY_ATTRIBUTE);
                fresh.toFile().deleteOnExit();
                return new NativeLibraryFolder(fresh);
            }
        }
        return new NativeLibraryFolder(shared);
    }

    /** The folder itself. */
    public Path path() {
        return path;
    }

    /**
     * Makes sure that the file holds exactly these bytes.
     *
     * @param fileName name without a folder
     * @param content what the jar holds
     * @return the file, absolute
     * @throws IOException if it cannot be written, or does not read back as written
     */
    Path place(String fileName, byte[] content) throws IOException {
        Path target = path.resolve(fileName).toAbsolutePath();
        if (holds(target, content)) {
            return target;
        }
        Path part = Files.createTempFile(path, fileName, ".part");
        try {
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                ByteBuffer rest = ByteBuffer.wrap(content);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
                channel.force(true);
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
        if (!holds(target, content)) {
            throw new IOException(target + " does not hold what was written to it");
        }
        return target;
    }

    private static boolean holds(Path file, byte[] content) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isRegularFile()
                    && attributes.size() == content.length
                    && Arrays.equals(Files.readAllBytes(file), content);
        } catch (NoSuchFileException absent) {
            return false;
        }
    }

    private static boolean isOursAlone(Path folder) throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory() || !attributes.permissions().equals(OWNER_ONLY)) {
            return false;
        }
        // Java does not tell this process's user; a file that the process makes is that user's
        Path probe;
        try {
            probe = Files.createTempFile(folder, "owner", ".probe");
        } catch (IOException notAllowed) {
            return false;
        }
        try {
            return attributes.owner().equals(Files.getOwner(probe));
        } finally {
            Files.deleteIfExists(probe);
        }
    }
}
