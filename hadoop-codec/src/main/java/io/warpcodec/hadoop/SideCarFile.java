package io.warpcodec.hadoop;

import io.warpcodec.Format;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.SideCar;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

/** The side-car index beside a gzip file, in the file system that the gzip file is in. */
final class SideCarFile implements SideCar {
    private final FileSystem fileSystem;
    private final Path file;
    private final Path index;
    private final FSDataInputStream in;

    private SideCarFile(FileSystem fileSystem, Path file, Path index, FSDataInputStream in) {
        this.fileSystem = fileSystem;
        this.file = file;
        this.index = index;
        this.in = in;
    }

    /**
     * Opens the index beside the file that a stream reads.
     *
     * @param conf null means defaults
     * @return null if there is none, it is not ours to read, or nobody knows which file the stream reads
     */
    static SideCarFile beside(InputStream stream, Configuration conf) throws IOException {
        Path file = StreamPath.of(stream);
        if (file == null) {
            return null;
        }
        FileSystem fileSystem = file.getFileSystem(conf == null ? new Configuration() : conf);
        Path index = new Path(file.getParent(), GzipIndex.nameFor(file.getName()));
        try {
            return new SideCarFile(fileSystem, file, index, fileSystem.open(index));
        } catch (FileNotFoundException absent) {
            return null;
        } catch (AccessControlException refused) {
            // every task of this user gets the same answer
            Metrics.countFallback("decode", Format.GZIP, "sidecar-unreadable");
            return null;
        }
    }

    @Override
    public String name() {
        return index.toString();
    }

    @Override
    public long indexBytes() throws IOException {
        return fileSystem.getFileStatus(index).getLen();
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
