package io.warpcodec.engine.cpu.base;

import com.github.luben.zstd.Zstd;
import io.warpcodec.Format;
import java.io.IOException;
import java.io.UncheckedIOException;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/**
 * The libraries of the host that three formats need on the CPU, and what to tell where one is absent or does not
 * load: plain Hadoop, for example, has no zstd-jni on its class path. Without this a stream would end in a
 * NoClassDefFoundError, which Hadoop's and Spark's readers do not expect.
 *
 * <p>A library is asked for when the first stream of its format works, so that codecs are made and configured without
 * it. The answer holds as long as the process: a class that has not loaded never will. Thread-safe.
 */
public enum CpuLibrary {
    LZ4_JAVA("lz4-java", "at.yawk.lz4:lz4-java", "", () -> LZ4Factory.fastestInstance()),
    SNAPPY_JAVA("snappy-java", "org.xerial.snappy:snappy-java", "org.xerial.snappy.tempdir", () -> roundTripOfSnappy()),
    ZSTD_JNI(
            "zstd-jni",
            "com.github.luben:zstd-jni",
            "ZstdTempFolder",
            () -> Zstd.maxCompressionLevel(),
            "; Apache Hadoop has it in share/hadoop/tools/lib only");

    private final String jar;
    private final String coordinates;
    private final String folderProperty;
    private final Runnable use;
    private final String hint;
    private volatile Answer answer;

    /** @param problem null where the library works */
    private record Answer(String problem, Throwable cause) {}

    CpuLibrary(String jar, String coordinates, String folderProperty, Runnable use) {
        this(jar, coordinates, folderProperty, use, "");
    }

    /**
     * @param folderProperty system property of the folder that its native code is unpacked to; empty for a library
     *     that does without native code
     * @param use loads its classes and its native code: a lambda, whose body is linked when it runs; a method
     *     reference is linked when it is made
     * @param hint where the jar is found
     */
    CpuLibrary(String jar, String coordinates, String folderProperty, Runnable use, String hint) {
        this.jar = jar;
        this.coordinates = coordinates;
        this.folderProperty = folderProperty;
        this.use = use;
        this.hint = hint;
    }

    /**
     * Loads the library, the first time it is asked for.
     *
     * @param format that needs it, for the message
     * @throws IOException if the library cannot be used, naming its jar and what to do
     */
    public void require(Format format) throws IOException {
        Answer known = answer;
        if (known == null) {
            known = ask();
            answer = known;
        }
        if (known.problem != null) {
            throw new IOException(format.suffix() + " needs " + jar + ", " + known.problem, known.cause);
        }
    }

    /** Old versions go on without their native code until a byte is compressed, and fail then. */
    private static void roundTripOfSnappy() {
        try {
            Snappy.uncompress(Snappy.compress(new byte[1]));
        } catch (IOException bad) {
            throw new UncheckedIOException(bad);
        }
    }

    private Answer ask() {
        try {
            use.run();
            return new Answer(null, null);
        } catch (NoClassDefFoundError unknown) {
            return unknown.getCause() instanceof ClassNotFoundException
                    ? new Answer(
                            "which is not on the class path: put the jar " + jar + " (" + coordinates
                                    + ") there, for example with HADOOP_CLASSPATH and, for tasks, -libjars or"
                                    + " mapreduce.application.classpath" + hint,
                            unknown)
                    : unloadable(unknown);
        } catch (IncompatibleClassChangeError otherVersion) {
            return new Answer("of another version than the one on the class path: " + otherVersion, otherVersion);
        } catch (VirtualMachineError ofTheProcess) {
            throw ofTheProcess;
        } catch (Error unloadable) {
            return unloadable(unloadable);
        }
    }

    /** A class whose first use failed throws a NoClassDefFoundError from then on, whose cause is what failed. */
    private Answer unloadable(Error unloadable) {
        Throwable first = unloadable instanceof NoClassDefFoundError && unloadable.getCause() != null
                ? unloadable.getCause()
                : unloadable;
        return new Answer(
                "which does not load (" + firstLine(first) + "): it unpacks native code into " + folder()
                        + ", a folder that must be writable and not mounted noexec; the system property "
                        + folderProperty + " names another",
                unloadable);
    }

    /** What such a library throws may have several lines, and the remedy behind it is to be read. */
    private static String firstLine(Throwable unloadable) {
        return unloadable.toString().lines().findFirst().orElse("");
    }

    private String folder() {
        return System.getProperty(folderProperty, System.getProperty("java.io.tmpdir"));
    }
}
