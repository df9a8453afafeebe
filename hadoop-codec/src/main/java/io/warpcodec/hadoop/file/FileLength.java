package io.warpcodec.hadoop.file;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Paths;
import org.apache.hadoop.fs.Path;

/**
 * The length of the file that one of Hadoop's streams reads. HDFS's streams have a method for it; local files are asked
 * by their {@linkplain StreamPath path}. Elsewhere the length is not known, in every task of a job.
 */
public final class FileLength {
    private static final String LOCAL_SCHEME = "file";

    private FileLength() {}

    /**
     * The length in bytes; -1 if nothing tells it.
     *
     * @throws IOException if the file system cannot say
     */
    public static long of(InputStream stream) throws IOException {
        InputStream inner = StreamPath.innermost(stream);
        Class<?> hdfs = StreamPath.classNamed(StreamPath.HDFS_STREAM, inner);
        if (hdfs != null) {
            return hdfsLength(hdfs, inner);
        }
        Path path = StreamPath.of(stream);
        if (path == null || !LOCAL_SCHEME.equals(path.toUri().getScheme())) {
            return -1;
        }
        try {
            return Files.size(Paths.get(path.toUri().getPath()));
        } catch (NoSuchFileException deleted) {
            return -1; // and read all the same; no other task can open it
        }
    }

    private static long hdfsLength(Class<?> type, InputStream stream) throws IOException {
        try {
            return (long) type.getMethod("getFileLength").invoke(stream);
        } catch (InvocationTargetException failed) {
            throw new IOException("the length of the file that is read is not known", failed.getCause());
        } catch (ReflectiveOperationException | RuntimeException noWay) {
            return -1;
        }
    }
}
