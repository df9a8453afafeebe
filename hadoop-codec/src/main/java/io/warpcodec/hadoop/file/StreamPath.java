package io.warpcodec.hadoop.file;

import java.io.File;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.URI;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/**
 * Which file one of Hadoop's streams reads. A codec is given a stream and never a path, and no setting that all
 * record readers make tells it either (MapReduce's {@code mapreduce.map.input.file} exists only in jobs of the old
 * API, and Spark has none). So the streams are looked into: HDFS's and those of the local file system with checksums
 * keep the path in a field. Where that is not so, in another file system or a later Hadoop, the path is not known,
 * and so it is in every task of a job.
 */
public final class StreamPath {
    private static final String HDFS_STREAM = "org.apache.hadoop.hdfs.DFSInputStream";
    private static final String HDFS_CLIENT = "org.apache.hadoop.hdfs.DFSClient";
    private static final String CHECKED_STREAM = "org.apache.hadoop.fs.FSInputChecker";

    private StreamPath() {}

    /** The path, or null if the stream does not tell. */
    public static Path of(InputStream stream) {
        InputStream inner = stream;
        while (inner instanceof FSDataInputStream data) {
            inner = data.getWrappedStream();
        }
        if (field(inner, CHECKED_STREAM, "file") instanceof Path path) {
            // one without a scheme is of the local file system, whatever the default one is
            return path.toUri().getScheme() == null
                    ? new Path(new File(path.toUri().getPath()).toURI())
                    : path;
        }
        Object client = field(inner, HDFS_STREAM, "dfsClient");
        return field(inner, HDFS_STREAM, "src") instanceof String source
                        && field(client, HDFS_CLIENT, "namenodeUri") instanceof URI nameNode
                ? new Path(nameNode.getScheme(), nameNode.getAuthority(), source)
                : null;
    }

    /**
     * The value of a field that a class has; null if the object is not of that class, or there is no such field, or
     * no way to it.
     */
    private static Object field(Object object, String className, String name) {
        for (Class<?> type = object == null ? null : object.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(className)) {
                try {
                    Field field = type.getDeclaredField(name);
                    field.setAccessible(true);
                    return field.get(object);
                } catch (ReflectiveOperationException | RuntimeException noWay) {
                    return null;
                }
            }
        }
        return null;
    }
}
