package io.warpcodec.cli.file;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/** A file of the local file system. */
final class LocalLocation implements Location {

    private final String name;
    private final Path path;

    LocalLocation(String name) throws IOException {
        this(name, pathOf(name));
    }

    private LocalLocation(String name, Path path) {
        this.name = name;
        this.path = path;
    }

    static LocalLocation ofUri(String uri) throws IOException {
        try {
            String local = URI.create(uri).getPath();
            return new LocalLocation(uri, pathOf(local == null ? uri : local));
        } catch (IllegalArgumentException wrong) {
            throw new FileProblem(uri, "not a file URI");
        }
    }

    private static Path pathOf(String name) throws IOException {
        try {
            return Path.of(name);
        } catch (InvalidPathException wrong) {
            throw new FileProblem(name, "not a file name");
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CountedInput open() throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                throw new FileProblem(name, "is a folder");
            }
            if (!attributes.isRegularFile()) {
                // a channel's stream asks for positions, which a pipe has not
                return new CountedInput(name, new FileInputStream(path.toFile()), CountedInput.UNKNOWN);
            }
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
            return new CountedInput(name, Channels.newInputStream(channel), attributes.size());
        } catch (FileSystemException | FileNotFoundException failure) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public void requireReadable() throws IOException {
        if (isRegular() || !Files.exists(path) || isFolder()) {
            open().close();
        } else if (!Files.isReadable(path)) {
            throw new FileProblem(name, "permission denied");
        }
    }

    @Override
    public boolean isRegular() {
        return Files.isRegularFile(path);
    }

    @Override
    public PendingOutput create(boolean replace) throws IOException {
        try {
            if (Files.isDirectory(path)) {
                throw new FileProblem(name, "is a folder");
            }
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                return new DirectOutput(name, Files.newOutputStream(path, StandardOpenOption.WRITE), true);
            }
            if (!replace && Files.exists(path)) {
                throw new FileProblem(name, "exists already, not replaced");
            }
            return new LocalOutput(name, replace ? target() : path, replace);
        } catch (NoSuchFileException failure) {
            throw new FileProblem(name, "no such folder to write it in");
        } catch (FileSystemException failure) {
            throw new FileProblem(name, failure);
        }
    }

    /** The file that a symbolic link leads to: it is replaced, not the link. */
    private Path target() throws IOException {
        return Files.exists(path) ? path.toRealPath() : path;
    }

    @Override
    public boolean isFolder() {
        return Files.isDirectory(path);
    }

    @Override
    public boolean exists() {
        return Files.exists(path);
    }

    @Override
    public List<String> filesBelow() throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> path.relativize(file).toString().replace(File.separatorChar, '/'))
                    .filter(file -> !Location.isHidden(file))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException failure) {
            throw new FileProblem(name, failure.getCause());
        } catch (FileSystemException failure) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public long modifiedMillis() throws IOException {
        return Files.getLastModifiedTime(path).toMillis();
    }

    @Override
    public void createParents() throws IOException {
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
        } catch (FileSystemException failure) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public FileAttributes attributes() throws IOException {
        boolean posix = Files.getFileStore(path).supportsFileAttributeView("posix");
        return new FileAttributes(Files.getLastModifiedTime(path), posix ? Files.getPosixFilePermissions(path) : null);
    }

    @Override
    public void setAttributes(FileAttributes attributes) throws IOException {
        if (attributes != null) {
            Files.setLastModifiedTime(path, attributes.modified());
            if (attributes.permissions() != null && Files.getFileStore(path).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(path, attributes.permissions());
            }
        }
    }

    @Override
    public void delete() throws IOException {
        try {
            Files.delete(path);
        } catch (FileSystemException failure) {
            throw new FileProblem(name, failure);
        }
    }
}
