package io.warpcodec.hadoop.split;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** A file system of files in memory, to be read only: opening one costs no call of the operating system. */
public final class MemoryFiles extends FileSystem {
    private static final URI ROOT = URI.create("memory:///");
    private static final Map<String, byte[]> FILES = new ConcurrentHashMap<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Keeps a file until {@link #clear}, and has the settings find it. */
    static Path add(byte[] file, String suffix, Configuration conf) {
        conf.setClass("fs.memory.impl", MemoryFiles.class, FileSystem.class);
        String name = "/split" + COUNT.incrementAndGet() + suffix;
        FILES.put(name, file);
        return new Path(ROOT.resolve(name));
    }

    /** Forgets all files. */
    static void clear() {
        FILES.clear();
    }

    private static byte[] file(Path path) throws FileNotFoundException {
        byte[] file = FILES.get(path.toUri().getPath());
        if (file == null) {
            throw new FileNotFoundException(path.toString());
        }
        return file;
    }

    @Override
    public URI getUri() {
        return ROOT;
    }

    @Override
    public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
        return new FSDataInputStream(new MemoryFile(file(path)));
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return new FileStatus(file(path).length, false, 1, 1 << 20, 0, path);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return new FileStatus[] {getFileStatus(path)};
    }

    @Override
    public Path getWorkingDirectory() {
        return new Path(ROOT);
    }

    @Override
    public void setWorkingDirectory(Path folder) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferBytes,
            short replication,
            long blockBytes,
            Progressable progress) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferBytes, Progressable progress) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean rename(Path from, Path to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean delete(Path path, boolean recursive) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) {
        throw new UnsupportedOperationException();
    }
}
