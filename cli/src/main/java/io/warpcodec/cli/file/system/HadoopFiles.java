package io.warpcodec.cli.file.system;

import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * One of Hadoop's file systems. HDFS renames in one step, onto a free name or onto a file. Of others nothing is
 * known: an object store's rename is a copy and a delete, and most delete what is in the way first or not at all; so
 * they are asked to rename onto free names only.
 */
public final class HadoopFiles implements FileOperations<Path> {

    private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);
    private static final FsPermission FOLDER_OF_OWNER = new FsPermission((short) 0700);

    /** Schemes of stores that show an object when its writer has closed it, and not before. */
    private static final Set<String> OBJECT_STORES = Set.of("s3a", "s3n", "s3", "gs", "oss", "cosn", "tos");

    private final FileSystem fileSystem;
    private final DistributedFileSystem hdfs;

    /** The operations of a file system, which stays open. */
    public HadoopFiles(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
        this.hdfs = fileSystem instanceof DistributedFileSystem distributed ? distributed : null;
    }

    @Override
    public Path resolve(Path folder, String name) {
        Path path = folder;
        for (String part : name.split("/")) {
            // of two texts the second would be parsed as a URI: "a:b" has no scheme here
            path = new Path(path, new Path(null, null, part));
        }
        return path;
    }

    @Override
    public Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    @Override
    public String nameOf(Path path) {
        return path.getName();
    }

    @Override
    public Object key(Path path) {
        return fileSystem.makeQualified(path);
    }

    @Override
    public boolean renamesAtomically() {
        return hdfs != null;
    }

    @Override
    public boolean replacesAtomically() {
        return hdfs != null;
    }

    @Override
    public FileFacts look(Path path, boolean followLinks) throws IOException {
        try {
            return facts(fileSystem.getFileStatus(path));
        } catch (FileNotFoundException absent) {
            return null;
        }
    }

    private FileFacts facts(FileStatus status) {
        FileFacts.Kind kind = status.isDirectory()
                ? FileFacts.Kind.FOLDER
                : status.isFile() ? FileFacts.Kind.REGULAR : FileFacts.Kind.LINK;
        FileTime modified = FileTime.fromMillis(status.getModificationTime());
        return new FileFacts(kind, status.getLen(), modified, null, identity(status));
    }

    /** HDFS numbers its files; of others the qualified path is all that there is. */
    static Object identity(FileStatus status) {
        return status instanceof HdfsFileStatus file ? (Object) file.getFileId() : status.getPath();
    }

    @Override
    public List<Listed<Path>> list(Path folder, Predicate<String> wanted) throws IOException {
        List<Listed<Path>> found = new ArrayList<>();
        for (RemoteIterator<FileStatus> all = fileSystem.listStatusIterator(folder); all.hasNext(); ) {
            FileStatus status = all.next();
            if (wanted.test(status.getPath().getName())) {
                found.add(new Listed<>(status.getPath(), facts(status)));
            }
        }
        return found;
    }

    @Override
    public InputStream open(Path path, boolean followLinks) throws IOException {
        return new SeekingInput(
                fileSystem.open(path), fileSystem.getFileStatus(path).getLen());
    }

    /** A cluster knows which files are open, and tells it of the path behind a view of several clusters only. */
    @Override
    public Writers writers(Path path) throws IOException {
        Path resolved = fileSystem.resolvePath(path);
        FileSystem home = resolved.getFileSystem(fileSystem.getConf());
        if (home instanceof LeaseRecoverable cluster) {
            return cluster.isFileClosed(resolved) ? Writers.NONE : Writers.SOME;
        }
        boolean isLocal = home instanceof LocalFileSystem || home instanceof RawLocalFileSystem;
        boolean showsNoOpenFiles = OBJECT_STORES.contains(home.getUri().getScheme());
        return isLocal || showsNoOpenFiles ? Writers.NONE : Writers.NOT_TOLD;
    }

    /** No user's names lead elsewhere: these file systems have no links, or follow none here. */
    @Override
    public Held<Path> hold(Path from, List<String> names, Object identity) throws IOException {
        Path folder = from;
        for (String name : names) {
            folder = resolve(folder, name);
        }
        FileFacts facts = look(folder, false);
        if (facts == null || !facts.isFolder() || !identity.equals(facts.identity())) {
            throw new IOException("lies in a folder that was replaced meanwhile");
        }
        Path held = folder;
        return new Held<>() {
            @Override
            public Path path() {
                return held;
            }

            @Override
            public void close() {
                // nothing is open
            }
        };
    }

    @Override
    public OutputStream openDevice(Path path) throws IOException {
        throw new IOException("is no regular file");
    }

    @Override
    public Sink create(Path path, boolean isPrivate) throws IOException {
        int bufferBytes = fileSystem.getConf().getInt("io.file.buffer.size", 4096);
        FSDataOutputStream out = isPrivate
                ? fileSystem.create(
                        path,
                        OWNER_ONLY,
                        false,
                        bufferBytes,
                        fileSystem.getDefaultReplication(path),
                        fileSystem.getDefaultBlockSize(path),
                        null)
                : fileSystem.create(path, false, bufferBytes);
        return new HadoopSink(out, path);
    }

    private final class HadoopSink implements Sink {
        private final FSDataOutputStream out;
        private final Path path;
        private boolean isClosed;

        HadoopSink(FSDataOutputStream out, Path path) {
            this.out = out;
            this.path = path;
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            out.write(bytes, start, length);
        }

        /** Closes the file first, which sets its time. */
        @Override
        public List<String> giveAttributes(FileAttributes attributes) throws IOException {
            sync();
            close();
            return new HadoopAttributes(fileSystem).give(path, attributes);
        }

        @Override
        public Object identity() {
            boolean isNumbered = hdfs != null && out.getWrappedStream() instanceof DFSOutputStream;
            return isNumbered ? (Object) ((DFSOutputStream) out.getWrappedStream()).getFileId() : null;
        }

        @Override
        public void sync() throws IOException {
            if (!isClosed && out.hasCapability("hsync")) {
                out.hsync();
            }
        }

        @Override
        public void close() throws IOException {
            isClosed = true;
            out.close();
        }
    }

    @Override
    public FileAttributes attributes(Path path, boolean followLinks) throws IOException {
        return new HadoopAttributes(fileSystem).read(path);
    }

    /**
     * Where it is not HDFS, a file that appears between the look and the rename may be replaced: there is no
     * operation that would not.
     */
    @Override
    @SuppressWarnings("deprecation")
    public boolean rename(Path from, Path to) throws IOException {
        if (hdfs != null) {
            try {
                hdfs.rename(from, to, Options.Rename.NONE);
                return true;
            } catch (org.apache.hadoop.fs.FileAlreadyExistsException exists) {
                throw new FileAlreadyExistsException(to.toString());
            }
        }
        if (look(to, false) != null) {
            throw new FileAlreadyExistsException(to.toString());
        }
        return fileSystem.rename(from, to);
    }

    @Override
    @SuppressWarnings("deprecation")
    public boolean replace(Path from, Path to) throws IOException {
        hdfs.rename(from, to, Options.Rename.OVERWRITE);
        return true;
    }

    @Override
    public boolean delete(Path path) throws IOException {
        return fileSystem.delete(path, false);
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        if (!fileSystem.mkdirs(folder)) {
            throw new IOException("the folder cannot be made");
        }
    }

    @Override
    public List<String> createFolder(Path folder, FileAttributes attributes) throws IOException {
        if (!fileSystem.mkdirs(folder, FOLDER_OF_OWNER)) {
            throw new IOException("the folder cannot be made");
        }
        return new HadoopAttributes(fileSystem).give(folder, attributes.ofFolder());
    }

    @Override
    public void syncName(Path path) {
        // Names are durable when the call returns, or there is nothing to be done for it.
    }

    @Override
    public boolean isBeingWritten(Path path) {
        // HDFS calls a file of a process that died open for up to an hour: that tells nothing.
        return false;
    }

    @Override
    public void deleteChecksumOf(Path path) {
        // Hadoop's own local file system keeps such files, and looks after them itself.
    }

    /** A file that skips by going there: many file systems' streams read what they skip. */
    private static final class SeekingInput extends FilterInputStream {
        private final FSDataInputStream file;
        private final long fileBytes;

        SeekingInput(FSDataInputStream file, long fileBytes) {
            super(file);
            this.file = file;
            this.fileBytes = fileBytes;
        }

        @Override
        public long skip(long bytes) throws IOException {
            long from = file.getPos();
            long count = Math.max(0, Math.min(bytes, fileBytes - from));
            file.seek(from + count);
            return count;
        }
    }
}
