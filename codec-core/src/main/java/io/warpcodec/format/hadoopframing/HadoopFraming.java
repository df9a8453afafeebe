package io.warpcodec.format.hadoopframing;

/**
 * Constants and wire layout of the framing that Hadoop's BlockCompressorStream writes. All numbers are big-endian and
 * signed.
 *
 * <pre>
 * stream:       outer block, repeated
 * outer block:  RAW_BYTES         i32, decoded size of the whole outer block; 0 = no chunks follow
 *               inner chunk, repeated until RAW_BYTES are decoded
 * inner chunk:  COMPRESSED_BYTES  i32, length of the body
 *               body              raw Snappy or a raw LZ4 block, decodes on its own
 * </pre>
 *
 * A stream of nothing is one outer block of size 0, or no bytes at all. There is no checksum.
 */
public final class HadoopFraming {
    /** Bytes of each length. */
    public static final int LENGTH_BYTES = 4;

    /**
     * Most raw bytes of an inner chunk that we write: stock Hadoop decodes into a buffer of 256 KiB by default, and
     * HBase and others set it down to 64 KiB.
     */
    public static final int INNER_RAW_BYTES = 64 << 10;

    /** Outer blocks up to this size, as read, are cut as one chunk; larger ones are streamed. */
    public static final int MAX_CHUNK_BYTES = 1 << 20;

    /** Inner chunks that one chunk may hold, so that looking for its end again and again stays cheap. */
    static final int MAX_INNER_CHUNKS = 64;

    private HadoopFraming() {}
}
