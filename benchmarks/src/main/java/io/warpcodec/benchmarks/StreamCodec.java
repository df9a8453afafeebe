package io.warpcodec.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * One side of a comparison: streams in and out, as the host (Hadoop, Spark, an application) would open them.
 * Thread-safe.
 */
public interface StreamCodec {
    /** A stream that compresses into the sink; closing it ends the compressed stream. */
    OutputStream compress(OutputStream sink) throws IOException;

    /** A stream of what the source holds; closing it gives pooled objects back. */
    InputStream decompress(InputStream source) throws IOException;
}
