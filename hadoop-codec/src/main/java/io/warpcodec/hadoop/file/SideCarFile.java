package io.warpcodec.hadoop.file;

import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.gzipindex.SideCar;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Paths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The side-car index beside a gzip file, in the file system that the gzip file is in. */
public final class SideCarFile implements SideCar {
    private static final Logger LOG = LoggerFactory.getLogger(SideCarFile.class);
    private static final String LOCAL_SCHEME = "file";

    private final FileSystem fileSystem;
    private final Path file;
    private final FileStatus index;
    private final FSDataInputStream in;

    private SideCarFile(FileSystem fileSystem, Path file, FileStatus index, FSDataInputStream in) {
        this.fileSystem = fileSystem;
        this.file = file;
        this.index = index;
        this.in = in;
    }

    /**
     * Opens the index beside the file that a stream reads.
     *
     * @param conf null means defaults
     * @return null if there is none, it is no regular file, it is not ours to read, or nothing tells which file the
     *     stream reads
     */
    public static SideCarFile beside(InputStream stream, Configuration conf) throws IOException {
        Path file = StreamPath.of(stream);
        if (file == null) {
            return null;
        }
        FileSystem fileSystem = file.getFileSystem(conf == null ? new Configuration() : conf);
        Path index = new Path(file.getParent(), GzipIndex.nameFor(file.getName()));
        try {
            FileStatus status = fileSystem.getFileStatus(index);
            if (isRegular(fileSystem, status)) {
                return new SideCarFile(fileSystem, file, status, fileSystem.open(index));
            }
            LOG.warn("{} is ignored: it is no regular file", index);
        } catch (FileNotFoundException absent) {
            return null;
        } catch (AccessControlException refused) {
            LOG.debug("{} is ignored", index, refused);
        }
        // every task of this user gets the same answer
        Metrics.countFallback(Direction.DECODE, Format.GZIP, FallbackReason.SIDECAR_UNREADABLE);
        return null;
    }

    /**
     * Whether this is a file, not a folder, a link or a pipe. A pipe would be waited for without end when it is
     * opened. Hadoop's local file system follows links and takes a pipe for a file, so the JDK is asked there.
     */
    private static boolean isRegular(FileSystem fileSystem, FileStatus status) throws IOException {
        if (!status.isFile()) {
            return false;
        }
        if (!LOCAL_SCHEME.equals(fileSystem.getUri().getScheme())) {
            return true;
        }
        return Files.isRegularFile(Paths.get(status.getPath().toUri().getPath()), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public String name() {
        return index.getPath().toString();
    }

    @Override
    public long indexBytes() {
        return index.getLen();
    }

    @Override
    public long fileBytes() throws IOException {
        return fileSystem.getFileStatus(file).getLen();
    }

    @Override
    public void read(long offset, byte[] target) throws IOException {
        in.readFully(offset, target);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
