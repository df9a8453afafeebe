package io.warpcodec.cli.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** Local files behind the scheme {@code scripted}, whose renames and creations a test decides about. */
public final class ScriptedFileSystem extends RawLocalFileSystem {

    /** What a rename does. */
    interface Rename {
        /** @param disk the rename of the disk */
        boolean run(Path from, Path to, Disk disk) throws IOException;
    }

    /** A rename that is done. */
    interface Disk {
        boolean rename() throws IOException;
    }

    private static final URI NAME = URI.create("scripted:///");
    static final Rename DONE = (from, to, disk) -> disk.rename();
    static volatile Rename rename = DONE;
    static volatile FsPermission created;
    static volatile Runnable meanwhile = () -> {};

    /** Name of a local file in this file system. */
    static String uri(java.nio.file.Path file) {
        return "scripted://" + file;
    }

    @Override
    public URI getUri() {
        return NAME;
    }

    @Override
    public String getScheme() {
        return "scripted";
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        return rename.run(from, to, () -> super.rename(from, to));
    }

    /** Without this class's own, which knows the owners of {@code file:} only. */
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

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferBytes,
            short replication,
            long blockBytes,
            Progressable progress)
            throws IOException {
        created = permission;
        meanwhile.run();
        return super.create(path, permission, overwrite, bufferBytes, replication, blockBytes, progress);
    }
}
