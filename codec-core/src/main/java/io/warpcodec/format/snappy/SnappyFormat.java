package io.warpcodec.format.snappy;

import io.warpcodec.format.Window;
import io.warpcodec.format.hadoopframing.BodySizes;

/**
 * Constants and wire layout of raw Snappy bodies and of the stream that Spark's snappy codec writes (snappy-java's,
 * called xerial). {@code .snappy} files have Hadoop's framing instead:
 * {@link io.warpcodec.format.hadoopframing.HadoopFraming}.
 *
 * <pre>
 * body:         RAW_BYTES     varint, little-endian groups of 7 bits, at most 5 bytes
 *               elements      literals and copies that decode to exactly RAW_BYTES
 *
 * xerial stream:
 *  0  MAGIC                   82 53 4e 41 50 50 59 00
 *  8  VERSION                 i32 big-endian, 1
 * 12  COMPATIBLE_VERSION      i32 big-endian, 1
 * 16  block, repeated         i32 big-endian length, body
 * </pre>
 *
 * Xerial streams may follow one another: a header may stand wherever a block may.
 */
public final class SnappyFormat {
    /** Most bytes of the varint before a body. */
    public static final int MAX_VARINT_BYTES = 5;

    /** No element makes more than 64 raw bytes of 3 compressed ones: a body never grows more than this. */
    public static final int MAX_EXPANSION = 22;

    /** The most bytes that an encoder needs for a body of so many raw bytes: what the reference library reserves. */
    public static int maxBodyBytes(int rawBytes) {
        return 32 + rawBytes + rawBytes / 6;
    }

    /** First 4 bytes of a xerial header, as a big-endian number: negative, so no block's length. */
    static final int MAGIC_HEAD = 0x82534e41;

    static final int MAGIC_TAIL = 0x50505900;

    /** Bytes of a xerial header. */
    static final int XERIAL_HEADER_BYTES = 16;

    static final int XERIAL_VERSION = 1;

    /** Raw bytes of a xerial block that we write: what Spark writes by default. */
    public static final int XERIAL_BLOCK_BYTES = 32 << 10;

    /** Sizes as the bodies' varints declare them. */
    public static final BodySizes SIZES = new BodySizes() {
        @Override
        public int prefixBytes() {
            return MAX_VARINT_BYTES;
        }

        @Override
        public int rawBytes(Window window, int index, int prefixBytes) {
            long rawBytes = declaredBytes(window, index, prefixBytes);
            return rawBytes > Integer.MAX_VALUE ? -1 : (int) rawBytes;
        }
    };

    private SnappyFormat() {}

    /**
     * The decoded size that a body declares.
     *
     * @param bodyBytes length of the body at this index, or at least of its varint
     * @return up to 2^35; -1 if the varint is longer than the body, or than {@link #MAX_VARINT_BYTES}
     */
    public static long declaredBytes(Window window, int index, int bodyBytes) {
        long rawBytes = 0;
        for (int i = 0; i < Math.min(bodyBytes, MAX_VARINT_BYTES); i++) {
            int group = window.u8(index + i);
            rawBytes |= (group & 0x7fL) << 7 * i;
            if (group < 0x80) {
                return rawBytes;
            }
        }
        return -1;
    }
}
