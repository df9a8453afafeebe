package io.warpcodec.cli.file.system;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The local file system through {@code java.nio}. Attributes are set through a descriptor that was opened without following links, and only on files that
 * have no name of a user's yet. A file that is being written is locked, so that a leftover of a process that died can be told from work in progress.
 */
public final class LocalFiles implements FileOperations<Path> {

    private static final LinkOption[] FOLLOW = {};
    private static final LinkOption[] NO_FOLLOW = {LinkOption.NOFOLLOW_LINKS};
    private static final FileAttribute<?>[] OWNER_ONLY = {
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
    };
    private static final FileAttribute<?>[] DEFAULT = {};
    /** What a checksum file of Hadoop's begins with. */
    private static final byte[] CHECKSUM_MAGIC = {'c', 'r', 'c', 0};

    private static LinkOption[] links(boolean follow) {
        return follow ? FOLLOW : NO_FOLLOW;
    }

    @Override
    public Path resolve(Path folder, String name) {
        return folder.resolve(name);
    }

    @Override
    public Path parent(Path path) {
        Path parent = path.getParent();
        return parent != null ? parent : path.isAbsolute() ? path : Path.of("");
    }

    @Override
    public String nameOf(Path path) {
        Path name = path.getFileName();
        return name == null ? "" : name.toString();
    }

    @Override
    public Object key(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return path.toRealPath();
        }
        Path parent = parent(path).toAbsolutePath();
        return (Files.isDirectory(parent) ? parent.toRealPath() : parent.normalize()).resolve(nameOf(path));
    }

    @Override
    public boolean renamesAtomically() {
        return true;
    }

    @Override
    public boolean replacesAtomically() {
        return true;
    }

    @Override
    public FileFacts look(Path path, boolean followLinks) throws IOException {
        try {
            return facts(Files.readAttributes(path, BasicFileAttributes.class, links(followLinks)));
        } catch (NoSuchFileException absent) {
            return null;
        }
    }

    private static FileFacts facts(BasicFileAttributes found) {
        FileFacts.Kind kind = found.isRegularFile()
                ? FileFacts.Kind.REGULAR
                : found.isDirectory()
                        ? FileFacts.Kind.FOLDER
                        : found.isSymbolicLink() ? FileFacts.Kind.LINK : FileFacts.Kind.OTHER;
        return new FileFacts(
                kind,
                found.isRegularFile() ? found.size() : 0,
                found.lastModifiedTime().toMillis(),
                found.fileKey());
    }

    @Override
    public int nameCount(Path path) throws IOException {
        return PosixAttributes.EXIST ? (Integer) Files.getAttribute(path, "unix:nlink", NO_FOLLOW) : 1;
    }

    @Override
    public List<Listed<Path>> list(Path folder, Predicate<String> wanted) throws IOException {
        List<Listed<Path>> found = new ArrayList<>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder)) {
            for (Path path : names) {
                FileFacts facts = wanted.test(nameOf(path)) ? look(path, false) : null;
                if (facts != null) {
                    found.add(new Listed<>(path, facts));
                }
            }
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
        return found;
    }

    @Override
    public InputStream open(Path path, boolean followLinks) throws IOException {
        FileFacts facts = look(path, followLinks);
        if (facts != null && facts.kind() == FileFacts.Kind.OTHER) {
            // a channel's stream asks for positions, which a pipe has not
            return new FileInputStream(path.toFile());
        }
        Set<OpenOption> options = new HashSet<>(Set.of(links(followLinks)));
        options.add(StandardOpenOption.READ);
        return Channels.newInputStream(FileChannel.open(path, options));
    }

    @Override
    public OutputStream openDevice(Path path) throws IOException {
        return Files.newOutputStream(path, StandardOpenOption.WRITE);
    }

    @Override
    public Sink create(Path path, boolean isPrivate) throws IOException {
        FileChannel channel = FileChannel.open(
                path,
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                isPrivate && PosixAttributes.EXIST ? OWNER_ONLY : DEFAULT);
        lock(channel);
        return new Sink() {
            @Override
            public void write(byte[] bytes, int start, int length) throws IOException {
                ByteBuffer rest = ByteBuffer.wrap(bytes, start, length);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
            }

            @Override
            public void sync() throws IOException {
                channel.force(true);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    /** Takes the lock that tells other calls of a file being written; some file systems have no locks. */
    private static FileLock lock(FileChannel channel) {
        try {
            return channel.tryLock();
        } catch (IOException noLocks) {
            return null;
        }
    }

    @Override
    public FileAttributes attributes(Path path, boolean followLinks) throws IOException {
        return PosixAttributes.read(path, links(followLinks));
    }

    @Override
    public List<String> giveAttributes(Path path, FileAttributes attributes) throws IOException {
        return PosixAttributes.give(path, attributes);
    }

    /** A link fails where a rename would silently take the place of a file that appeared meanwhile. */
    @Override
    public boolean rename(Path from, Path to) throws IOException {
        try {
            Files.createLink(to, from);
        } catch (FileAlreadyExistsException exists) {
            throw exists;
        } catch (UnsupportedOperationException | IOException noLinks) {
            Files.move(from, to);
            return true;
        }
        Files.delete(from);
        return true;
    }

    @Override
    public boolean replace(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return true;
    }

    @Override
    public boolean delete(Path path) throws IOException {
        return Files.deleteIfExists(path);
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        Files.createDirectories(folder.toAbsolutePath());
    }

    /** Needs the right to read the folder, which writing a file in it does not. */
    @Override
    public void syncFolder(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder.toAbsolutePath(), StandardOpenOption.READ)) {
            names.force(true);
        } catch (AccessDeniedException unreadable) {
            // the file itself is durable; its name is as soon as the system writes the folder
        }
    }

    @Override
    public boolean isBeingWritten(Path path) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try (FileChannel channel = FileChannel.open(path, options);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException | AccessDeniedException othersOrOurs) {
            return true;
        } catch (IOException unknown) {
            return false;
        }
    }

    @Override
    public void deleteChecksumOf(Path path) throws IOException {
        Path checksum = path.resolveSibling("." + nameOf(path) + ".crc");
        FileFacts facts = look(checksum, false);
        if (facts == null || !facts.isRegular() || facts.bytes() < CHECKSUM_MAGIC.length) {
            return;
        }
        boolean isOne;
        try (InputStream bytes = open(checksum, false)) {
            isOne = Arrays.equals(bytes.readNBytes(CHECKSUM_MAGIC.length), CHECKSUM_MAGIC);
        }
        if (isOne) {
            delete(checksum);
        }
    }
}
