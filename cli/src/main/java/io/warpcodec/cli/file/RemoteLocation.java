package io.warpcodec.cli.file;

import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** A file behind one of Hadoop's file systems. The only class of the tool's everyday verbs that loads Hadoop. */
final class RemoteLocation implements Location {

    private final String name;
    private final Path path;
    private final FileSystem fileSystem;

    RemoteLocation(String name) throws IOException {
        this.name = name;
        try {
            this.path = new Path(name);
            this.fileSystem = path.getFileSystem(new Configuration());
        } catch (IllegalArgumentException wrong) {
            throw new FileProblem(name, String.valueOf(wrong.getMessage()));
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CountedInput open() throws IOException {
        FileStatus status = statusOrNull();
        if (status == null) {
            throw new FileProblem(name, "no such file");
        }
        if (status.isDirectory()) {
            throw new FileProblem(name, "is a folder");
        }
        try {
            return new CountedInput(name, new SeekingInput(fileSystem.open(path), status.getLen()), status.getLen());
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public void requireReadable() throws IOException {
        open().close();
    }

    @Override
    public PendingOutput create(boolean replace) throws IOException {
        FileStatus status = statusOrNull();
        if (status != null && status.isDirectory()) {
            throw new FileProblem(name, "is a folder");
        }
        if (status != null && !replace) {
            throw new FileProblem(name, "exists already, not replaced");
        }
        Path partial =
                new Path(path.getParent(), "." + path.getName() + ".partial-" + Long.toHexString(System.nanoTime()));
        try {
            return new RemoteOutput(fileSystem.create(partial, false), partial);
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public boolean isFolder() throws IOException {
        FileStatus status = statusOrNull();
        return status != null && status.isDirectory();
    }

    @Override
    public boolean exists() throws IOException {
        return statusOrNull() != null;
    }

    @Override
    public List<String> filesBelow() throws IOException {
        List<String> files = new ArrayList<>();
        try {
            URI root = URI.create(fileSystem.makeQualified(path).toUri() + "/");
            for (RemoteIterator<LocatedFileStatus> all = fileSystem.listFiles(path, true); all.hasNext(); ) {
                String file = root.relativize(all.next().getPath().toUri()).getPath();
                if (!Location.isHidden(file)) {
                    files.add(file);
                }
            }
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
        files.sort(null);
        return files;
    }

    @Override
    public long modifiedMillis() throws IOException {
        FileStatus status = statusOrNull();
        if (status == null) {
            throw new FileProblem(name, "no such file");
        }
        return status.getModificationTime();
    }

    @Override
    public void delete() throws IOException {
        if (!fileSystem.delete(path, false)) {
            throw new FileProblem(name, "cannot be deleted");
        }
    }

    private FileStatus statusOrNull() throws IOException {
        try {
            return fileSystem.getFileStatus(path);
        } catch (FileNotFoundException absent) {
            return null;
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }

    private final class RemoteOutput extends PendingOutput {

        private final FSDataOutputStream sink;
        private final Path partial;

        RemoteOutput(FSDataOutputStream sink, Path partial) throws IOException {
            super(RemoteLocation.this.name);
            this.sink = sink;
            this.partial = partial;
            fileSystem.deleteOnExit(partial);
        }

        @Override
        void writeBytes(byte[] bytes, int start, int length) throws IOException {
            sink.write(bytes, start, length);
        }

        @Override
        void makeDurable() throws IOException {
            if (sink.hasCapability("hsync")) {
                sink.hsync();
            }
            sink.close();
            // HDFS does not rename onto a file; the old one goes only now that the new one is complete.
            fileSystem.delete(path, false);
            if (!fileSystem.rename(partial, path)) {
                throw new IOException("complete, but cannot be renamed from " + partial);
            }
            fileSystem.cancelDeleteOnExit(partial);
        }

        @Override
        void discard() throws IOException {
            sink.close();
            fileSystem.delete(partial, false);
            fileSystem.cancelDeleteOnExit(partial);
        }
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
