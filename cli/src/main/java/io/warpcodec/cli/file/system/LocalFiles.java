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
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The local file system through {@code java.nio}. Attributes are set through a descriptor that was opened without
 * following links, and only on files that have no name of a user's yet. A file that is being written is locked, so
 * that a leftover of a process that died can be told from work in progress.
 */
public final class LocalFiles implements FileOperations<Path> {

    private static final LinkOption[] FOLLOW = {};
    private static final LinkOption[] NO_FOLLOW = {LinkOption.NOFOLLOW_LINKS};
    private static final FileAttribute<?>[] OWNER_ONLY = {
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
    };
    private static final FileAttribute<?>[] FOLDER_OF_OWNER = {
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
    };
    private static final FileAttribute<?>[] DEFAULT = {};
    /** What is looked at, in one step. */
    private static final String SEEN =
            "unix:isRegularFile,isDirectory,isSymbolicLink,size,lastModifiedTime,ctime,fileKey";
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
    public Path above(Path folder) {
        return folder.resolve("..");
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
            return PosixAttributes.EXIST
                    ? facts(Files.readAttributes(path, SEEN, links(followLinks)))
                    : facts(Files.readAttributes(path, BasicFileAttributes.class, links(followLinks)));
        } catch (NoSuchFileException absent) {
            return null;
        } catch (FileSystemException failure) {
            if (SystemWords.NAME_TOO_LONG.equals(failure.getReason())) {
                return null;
            }
            throw failure;
        }
    }

    private static FileFacts facts(Map<String, Object> found) {
        boolean isRegular = (Boolean) found.get("isRegularFile");
        return new FileFacts(
                kind(isRegular, (Boolean) found.get("isDirectory"), (Boolean) found.get("isSymbolicLink")),
                isRegular ? (Long) found.get("size") : 0,
                (FileTime) found.get("lastModifiedTime"),
                isRegular ? (FileTime) found.get("ctime") : null,
                found.get("fileKey"));
    }

    private static FileFacts facts(BasicFileAttributes found) {
        return new FileFacts(
                kind(found.isRegularFile(), found.isDirectory(), found.isSymbolicLink()),
                found.isRegularFile() ? found.size() : 0,
                found.lastModifiedTime(),
                null,
                found.fileKey());
    }

    private static FileFacts.Kind kind(boolean isRegular, boolean isFolder, boolean isLink) {
        if (isRegular) {
            return FileFacts.Kind.REGULAR;
        }
        if (isFolder) {
            return FileFacts.Kind.FOLDER;
        }
        return isLink ? FileFacts.Kind.LINK : FileFacts.Kind.OTHER;
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
                FileFacts facts = wanted.test(nameOf(path)) ? lookIn(names, path) : null;
                if (facts != null) {
                    found.add(new Listed<>(path, facts));
                }
            }
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
        return found;
    }

    /** Looks from the open folder where that is possible, for the whole path may be longer than the system takes. */
    private FileFacts lookIn(DirectoryStream<Path> folder, Path path) throws IOException {
        if (!(folder instanceof SecureDirectoryStream<Path> open)) {
            return look(path, false);
        }
        try {
            return facts(open.getFileAttributeView(
                            path.getFileName(), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes());
        } catch (NoSuchFileException goneMeanwhile) {
            return null;
        }
    }

    @Override
    public InputStream open(Path path, boolean followLinks) throws IOException {
        FileFacts facts = look(path, followLinks);
        if (facts == null) {
            throw new NoSuchFileException(path.toString());
        }
        // a channel's stream asks for positions, which a pipe has not
        return facts.kind() == FileFacts.Kind.OTHER
                ? new FileInputStream(path.toFile())
                : openSeen(path, followLinks, facts).bytes();
    }

    /** What was opened is looked at, and not what has its name by then. */
    @Override
    public Opened openSeen(Path path, boolean followLinks, FileFacts seen) throws IOException {
        Set<OpenOption> options = new HashSet<>(Set.of(links(followLinks)));
        options.add(StandardOpenOption.READ);
        FileChannel channel = RegularOpening.open(path, options, () -> requireRegular(path, followLinks));
        String name = followLinks ? null : nameOf(path);
        Path descriptor = Descriptors.EXIST ? Descriptors.of(name, seen.identity()) : path;
        if (descriptor == null) {
            channel.close();
            throw new IOException("changes while it is opened");
        }
        return new LocalOpened(Channels.newInputStream(channel), descriptor, seen.identity());
    }

    private record LocalOpened(InputStream bytes, Path descriptor, Object identity) implements Opened {
        @Override
        public FileAttributes attributes() throws IOException {
            return Descriptors.EXIST ? Descriptors.attributes(descriptor, identity) : PosixAttributes.read(descriptor);
        }
    }

    private void requireRegular(Path path, boolean followLinks) throws IOException {
        FileFacts now = look(path, followLinks);
        if (now == null || !now.isRegular()) {
            throw new IOException("changes while it is opened");
        }
    }

    @Override
    @SuppressWarnings("StreamResourceLeak") // the folder is open as long as it is held
    public Held<Path> hold(Path from, List<String> names, Object identity) throws IOException {
        SecureDirectoryStream<Path> folder = secure(Files.newDirectoryStream(from));
        try {
            for (String name : names) {
                SecureDirectoryStream<Path> above = folder;
                folder = above.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS);
                above.close();
            }
            return held(folder, identity);
        } catch (IOException | RuntimeException failure) {
            folder.close();
            throw failure;
        }
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> folder) throws IOException {
        if (folder instanceof SecureDirectoryStream<Path> secure && Descriptors.EXIST) {
            return secure;
        }
        folder.close();
        throw new IOException("folders are worked on only where there is /proc/self/fd");
    }

    private static Held<Path> held(SecureDirectoryStream<Path> folder, Object identity) throws IOException {
        Object found = folder.getFileAttributeView(BasicFileAttributeView.class)
                .readAttributes()
                .fileKey();
        Path descriptor = found.equals(identity) ? Descriptors.of(null, found) : null;
        if (descriptor == null) {
            throw new IOException("lies in a folder that was replaced meanwhile");
        }
        return new Held<>() {
            @Override
            public Path path() {
                return descriptor;
            }

            @Override
            public void close() throws IOException {
                folder.close();
            }
        };
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
        return new LocalSink(channel, descriptorOf(path), parent(path));
    }

    /**
     * The descriptor of a file that was made here; null if that has been renamed already, for what has its name then
     * is not open.
     */
    private Path descriptorOf(Path made) throws IOException {
        FileFacts facts = look(made, false);
        return Descriptors.EXIST && facts != null ? Descriptors.of(nameOf(made), facts.identity()) : null;
    }

    /**
     * A new file.
     *
     * @param descriptor the open file, whatever its name; null if it is not known
     * @param folder the folder that it was made in
     */
    private record LocalSink(FileChannel channel, Path descriptor, Path folder) implements Sink {
        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            ByteBuffer rest = ByteBuffer.wrap(bytes, start, length);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        }

        @Override
        public List<String> giveAttributes(FileAttributes attributes) throws IOException {
            if (descriptor == null && Descriptors.EXIST) {
                throw new IOException("was renamed while it was written");
            }
            return descriptor == null
                    ? List.of("owner, permissions, time (there is no /proc/self/fd)")
                    : PosixAttributes.give(descriptor, folder, attributes);
        }

        @Override
        public Object identity() {
            return descriptor == null ? null : Descriptors.identity(descriptor);
        }

        @Override
        public void sync() throws IOException {
            channel.force(true);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
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

    @Override
    public List<String> createFolder(Path folder, FileAttributes attributes) throws IOException {
        Files.createDirectory(folder, PosixAttributes.EXIST ? FOLDER_OF_OWNER : DEFAULT);
        try (Held<Path> made = hold(
                parent(folder), List.of(nameOf(folder)), look(folder, false).identity())) {
            return PosixAttributes.give(made.path(), parent(folder), attributes.ofFolder());
        }
    }

    /**
     * Syncs the folder, which needs the right to read it, and file systems that can; writing a file in it needs
     * neither. Else the file is synced again: with it go its names on the file systems that keep a journal.
     */
    @Override
    public void syncName(Path path) throws IOException {
        try (FileChannel names = FileChannel.open(parent(path).toAbsolutePath(), StandardOpenOption.READ)) {
            names.force(true);
        } catch (AccessDeniedException unreadable) {
            syncFile(path);
        } catch (IOException failure) {
            if (!SystemWords.INVALID.equals(failure.getMessage())) {
                throw failure;
            }
            syncFile(path);
        }
    }

    private static void syncFile(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            file.force(true);
        } catch (AccessDeniedException unreadable) {
            // given away, to an owner who may read it; it was synced before
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
