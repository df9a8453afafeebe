package io.warpcodec;

/**
 * How chunks are laid in a stream where one format has several incompatible containers.
 *
 * <p>Only LZ4 and Snappy differ. For LZ4, {@link #STANDARD} is the LZ4 frame format; for Snappy it stands for
 * {@link #HADOOP}. Every other format ignores the framing.
 */
public enum Framing {
    /** What the format's own tools read: LZ4 frames. When reading {@code .lz4}, Hadoop's framing is recognised too. */
    STANDARD,
    /** Hadoop's BlockCompressorStream: big-endian raw length, then compressed lengths and chunks. */
    HADOOP,
    /** Spark's streams: LZ4Block for LZ4, xerial for Snappy. */
    SPARK
}
