package io.warpcodec.cli.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Local files behind the scheme {@code copying}, which are renamed as objects of a store are: by a copy, then a delete.
 */
public final class CopyRenameFileSystem extends RawLocalFileSystem {

    static final String SCHEME = "copying";
    private static final URI NAME = URI.create(SCHEME + ":///");

    @Override
    public URI getUri() {
        return NAME;
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        java.nio.file.Path target = pathToFile(to).toPath();
        if (Files.exists(target)) {
            return false;
        }
        java.nio.file.Path source = pathToFile(from).toPath();
        PosixFileAttributes attributes = Files.readAttributes(source, PosixFileAttributes.class);
        Files.createFile(target, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(target, Files.readAllBytes(source));
        Files.setPosixFilePermissions(target, attributes.permissions());
        Files.setLastModifiedTime(target, attributes.lastModifiedTime());
        Files.delete(source);
        return true;
    }

    /** Hadoop's own local file system asks a process for each file's permissions. */
    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        java.nio.file.Path file = pathToFile(path).toPath();
        if (!Files.exists(file)) {
            throw new FileNotFoundException(path.toString());
        }
        PosixFileAttributes found = Files.readAttributes(file, PosixFileAttributes.class);
        return new FileStatus(
                found.isDirectory() ? 0 : found.size(),
                found.isDirectory(),
                1,
                1 << 20,
                found.lastModifiedTime().toMillis(),
                0,
                FsPermission.valueOf("-" + PosixFilePermissions.toString(found.permissions())),
                found.owner().getName(),
                found.group().getName(),
                makeQualified(path));
    }
}
