package io.warpcodec.format.lz4;

import io.warpcodec.CodecOptions;
import io.warpcodec.format.FrameWalk;

/**
 * Constants of the three containers that carry LZ4 blocks. All numbers are little-endian except Hadoop's.
 *
 * <p>LZ4 frame (the LZ4 frame format document 1.6.x): {@link Lz4FrameHeader}, then blocks. A block is a u32 size
 * whose highest bit marks uncompressed bytes, the bytes, and a u32 XXH32 of them where the header says so. Size 0
 * ends the frame. Then, where the header says so, follows the u32 XXH32 of the content. A legacy frame is its magic
 * and blocks of u32 size and bytes, up to {@link #LEGACY_BLOCK_BYTES} when decoded. It ends with the file or at the
 * next magic. A skippable frame is its magic, a u32 size and so many bytes. What we put into a skippable frame:
 * {@link Lz4Marker}.
 *
 * <p>Hadoop's framing: u32 big-endian raw size of an outer block, then chunks until the raw size is reached. A chunk
 * is a u32 big-endian size and an LZ4 block. An outer block of raw size 0 is nothing else.
 *
 * <p>LZ4Block, the stream of lz4-java and Spark: {@link Lz4BlockHeader}.
 */
public final class Lz4Format {
    public static final int FRAME_MAGIC = 0x184D_2204;
    public static final int LEGACY_MAGIC = 0x184C_2102;

    /** A legacy block decodes to at most this. */
    public static final int LEGACY_BLOCK_BYTES = 8 << 20;

    /** Set in a frame's block size: the bytes are not compressed. */
    public static final int UNCOMPRESSED = 1 << 31;

    /** How far a match reaches back at most. */
    public static final int WINDOW_BYTES = 64 << 10;

    /** Raw bytes of a block in the frames that we write. */
    public static final int OUR_BLOCK_BYTES = 64 << 10;

    /** Raw bytes of a chunk inside an outer block that we write: fits the 256 KiB buffer of a stock reader. */
    public static final int HADOOP_CHUNK_BYTES = 128 << 10;

    /** The largest block that a frame can declare. */
    static final int MAX_FRAME_BLOCK_BYTES = 4 << 20;

    /** What follows the fixed part of a marker is at most this long; we write {@link Lz4Marker#FIRST_BYTES} in all. */
    static final int MAX_MARKER_TAIL_BYTES = 1 << 16;

    /**
     * The largest marker with its frame that is believed: incompressible blocks are stored, so a frame is never
     * longer than its raw bytes, 4 bytes a block, its header of 15 and its end of 8.
     */
    static final int MAX_MARKED_BYTES = Lz4Marker.BYTES
            + MAX_MARKER_TAIL_BYTES
            + CodecOptions.MAX_CHUNK_BYTES
            + 4 * (CodecOptions.MAX_CHUNK_BYTES / OUR_BLOCK_BYTES)
            + 15
            + 8;

    private Lz4Format() {}

    /**
     * The most bytes of an LZ4 block that decodes to this many: literals cost one byte more for every 255, and a
     * match, worth 4 or more, costs at most 3 and one more for every 255.
     */
    public static long maxBlockBytes(long rawBytes) {
        return rawBytes + rawBytes / 255 + 16;
    }

    /** The most raw bytes that an LZ4 block of this many can hold: a length byte stands for 255 at most. */
    public static long maxRawBytes(long blockBytes) {
        return blockBytes * 255;
    }

    /**
     * The most bytes of a frame's header and blocks. The frame decodes to this many in at most
     * {@link FrameWalk#MAX_BLOCKS} blocks, none longer than it need be. A block has up to 16 bytes and a 255th more
     * than its raw bytes, and a size and perhaps a checksum.
     */
    static int maxFrameBytes(int rawBytes) {
        return (int) maxBlockBytes(rawBytes) + FrameWalk.MAX_BLOCKS * (16 + 8) + Lz4FrameHeader.MAX_BYTES;
    }

    /** Whether a word in a legacy frame is the size of one more block, not the next frame's magic. */
    public static boolean isLegacyBlockBytes(int word) {
        return word > 0 && word <= maxBlockBytes(LEGACY_BLOCK_BYTES);
    }
}
