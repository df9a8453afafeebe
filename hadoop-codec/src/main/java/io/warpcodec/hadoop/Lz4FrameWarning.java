package io.warpcodec.hadoop;

import io.warpcodec.CodecOptions;
import io.warpcodec.Framing;
import io.warpcodec.Settings;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that LZ4 frames go into files which Hadoop's own codec may be expected to read. Due for a file of a
 * Hadoop file system, not for what a job writes for itself (map output, blocks of SequenceFiles), and not where
 * {@code lz4.framing} is set: then frames are meant. Thread-safe.
 */
final class Lz4FrameWarning {
    private static final Logger LOG = LoggerFactory.getLogger(GpuLz4Codec.class);
    private static final String FRAMING_KEY = Settings.HADOOP_PREFIX + "lz4.framing";

    static final Lz4FrameWarning OF_THE_PROCESS = new Lz4FrameWarning();

    private final AtomicBoolean said = new AtomicBoolean();

    /** To be called for each stream that is to be written. */
    void beforeWriting(OutputStream out, CodecOptions options, Configuration conf) {
        if (options.framing() == Framing.STANDARD
                && out instanceof FSDataOutputStream
                && (conf == null || conf.get(FRAMING_KEY) == null)
                && said.compareAndSet(false, true)) {
            LOG.warn(
                    "Writing .lz4 files as LZ4 frames. Hadoop's and Spark's own Lz4Codec cannot read them; with {}=hadoop it can,"
                            + " but the files do not split. {}=frame keeps frames without this line.",
                    FRAMING_KEY,
                    FRAMING_KEY);
        }
    }

    /** Whether it has been said. */
    boolean wasGiven() {
        return said.get();
    }
}
