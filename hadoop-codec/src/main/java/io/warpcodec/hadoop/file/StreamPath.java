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
    static final String HDFS_STREAM = "org.apache.hadoop.hdfs.DFSInputStream";
    private static final String HDFS_CLIENT = "org.apache.hadoop.hdfs.DFSClient";
    private static final String CHECKED_STREAM = "org.apache.hadoop.fs.FSInputChecker";

    private StreamPath() {}

    /** The path, or null if the stream does not tell. */
    public static Path of(InputStream stream) {
        InputStream inner = innermost(stream);
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

    /** The file system's own stream, inside of Hadoop's. */
    static InputStream innermost(InputStream stream) {
        InputStream inner = stream;
        while (inner instanceof FSDataInputStream data) {
            inner = data.getWrappedStream();
        }
        return inner;
    }

    /** The class of this name among those of an object; null if it is of no such class. */
    static Class<?> classNamed(String name, Object object) {
        Class<?> type = object == null ? null : object.getClass();
        while (type != null && !type.getName().equals(name)) {
            type = type.getSuperclass();
        }
        return type;
    }

    /**
     * The value of a field that a class has; null if the object is not of that class, or there is no such field, or
     * no way to it.
     */
    private static Object field(Object object, String className, String name) {
        Class<?> type = classNamed(className, object);
        if (type == null) {
            return null;
        }
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException | RuntimeException noWay) {
            return null;
        }
    }
}
