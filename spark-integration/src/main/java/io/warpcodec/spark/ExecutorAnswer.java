package io.warpcodec.spark;

import io.warpcodec.doctor.NodeExamination;
import io.warpcodec.doctor.NodeReport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import org.apache.spark.SparkEnv;

/**
 * What one process of an application found on its node.
 *
 * <p>It travels as bytes of Java's own serialisation: the application's serializer may be another one, which has not
 * been told of these classes.
 *
 * @param executor Spark's name for the process; {@code driver} for the driver, and in local mode
 */
record ExecutorAnswer(String executor, String host, NodeReport report) implements Serializable {
    private static NodeReport found;

    /** Looks at the node; once a process, however many tasks ask. */
    static ExecutorAnswer ofThisProcess() {
        SparkEnv environment = SparkEnv.get();
        return new ExecutorAnswer(
                environment.executorId(),
                environment.blockManager().blockManagerId().host(),
                found());
    }

    private static synchronized NodeReport found() {
        if (found == null) {
            found = NodeExamination.examine();
        }
        return found;
    }

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(this);
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return bytes.toByteArray();
    }

    static ExecutorAnswer fromBytes(byte[] bytes) {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (ExecutorAnswer) in.readObject();
        } catch (ClassNotFoundException other) {
            throw new UncheckedIOException(new InvalidObjectException("an executor has another version: " + other));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
