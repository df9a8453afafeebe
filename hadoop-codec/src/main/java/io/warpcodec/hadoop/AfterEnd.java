package io.warpcodec.hadoop;

import java.io.IOException;
import org.apache.hadoop.io.compress.AlreadyClosedException;

/** The exception for a compressor or decompressor that is used after {@code end}. */
final class AfterEnd {
    private AfterEnd() {}

    /** Hadoop's own exception where it has one: the 3.3.4 that Spark 3.5 brings does not. */
    static IOException exception(String message) {
        try {
            return SinceHadoop335.exception(message);
        } catch (NoClassDefFoundError olderHadoop) {
            return new IOException(message);
        }
    }

    /** A class of its own, so that the JVM resolves Hadoop's class no earlier than here. */
    private static final class SinceHadoop335 {
        static IOException exception(String message) {
            return new AlreadyClosedException(message);
        }
    }
}
