package io.warpcodec.engine.gpu;

import static io.warpcodec.format.lz4.Lz4Format.HADOOP_CHUNK_BYTES;
import static io.warpcodec.format.lz4.Lz4Format.OUR_BLOCK_BYTES;
import static io.warpcodec.format.lz4.Lz4Format.UNCOMPRESSED;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.format.hadoopframing.HadoopFraming;
import io.warpcodec.format.lz4.Lz4BlockHeader;
import io.warpcodec.format.lz4.Lz4Format;
import io.warpcodec.format.snappy.SnappyFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How the blocks of an encoded chunk are cut and laid behind each other, as the framing's assembler expects them: the same as the CPU engine
 * does.
 *
 * @param blockRawBytes most raw bytes of a block
 * @param length what is put before each block: its length in this byte order; null for nothing
 * @param storedMark set in the length of a block that is kept as it is, which only 0 forbids
 * @param hash what the container keeps of the hash of the raw bytes that the program computes, or null
 * @param continued whether chunks continue each other's DEFLATE stream: their matches may reach into what precedes them, and the host computes their
 *     Adler-32
 * @param level how hard the program looks for matches
 */
record EncodeLayout(
        int blockRawBytes, ByteOrder length, int storedMark, Hash hash, boolean continued, EncodeLevel level) {
    /** Highest level of LZ4's own scale that is its fast mode; above it the CPU's libraries make smaller blocks than ours. */
    private static final int LAST_FAST_LZ4_LEVEL = 2;

    /** Highest levels of zlib's scale for which our two quicker levels do. Level 0 stores, which is no work for a device. */
    private static final int LAST_FAST_ZLIB_LEVEL = 2;

    private static final int LAST_DEFAULT_ZLIB_LEVEL = 6;

    static final int LENGTH_BYTES = 4;

    /** Seed of a hash, and which of its bits are kept. */
    record Hash(int seed, int mask) {}

    /** The layout for chunks under these options, or null if the CPU has to encode them. */
    static EncodeLayout of(Format format, CodecOptions options) {
        return switch (format) {
            case GZIP, ZLIB -> options.level(format) <= 0 ? null : deflate(format, options.level(format));
            case LZ4 -> options.level(format) > LAST_FAST_LZ4_LEVEL ? null : lz4(options.framing());
            case SNAPPY ->
                new EncodeLayout(
                        options.framing() == Framing.SPARK
                                ? SnappyFormat.XERIAL_BLOCK_BYTES
                                : HadoopFraming.INNER_RAW_BYTES,
                        ByteOrder.BIG_ENDIAN,
                        0,
                        null,
                        false,
                        EncodeLevel.FAST);
            default -> null;
        };
    }

    private static EncodeLayout lz4(Framing framing) {
        return switch (framing) {
            case STANDARD ->
                new EncodeLayout(
                        OUR_BLOCK_BYTES,
                        ByteOrder.LITTLE_ENDIAN,
                        UNCOMPRESSED,
                        new Hash(0, -1),
                        false,
                        EncodeLevel.FAST);
            case HADOOP -> new EncodeLayout(HADOOP_CHUNK_BYTES, ByteOrder.BIG_ENDIAN, 0, null, false, EncodeLevel.FAST);
            case SPARK ->
                new EncodeLayout(
                        CodecOptions.MAX_CHUNK_BYTES,
                        null,
                        UNCOMPRESSED,
                        new Hash(Lz4BlockHeader.CHECKSUM_SEED, Lz4BlockHeader.CHECKSUM_MASK),
                        false,
                        EncodeLevel.FAST);
        };
    }

    /** A gzip member is one stream, whose CRC-32 is kept; of a zlib stream, a chunk is a piece. */
    private static EncodeLayout deflate(Format format, int zlibLevel) {
        EncodeLevel level = zlibLevel <= LAST_FAST_ZLIB_LEVEL
                ? EncodeLevel.FAST
                : zlibLevel <= LAST_DEFAULT_ZLIB_LEVEL ? EncodeLevel.DEFAULT : EncodeLevel.HIGH;
        boolean continued = format == Format.ZLIB;
        Hash hash = continued ? null : new Hash(0, -1);
        return new EncodeLayout(CodecOptions.MAX_CHUNK_BYTES, null, 0, hash, continued, level);
    }

    /** Blocks of a chunk. */
    int blockCount(int chunkRawBytes) {
        return (chunkRawBytes + blockRawBytes - 1) / blockRawBytes;
    }

    /** The most bytes that a block may have: below its raw bytes if it may be kept as it is, else what the format can need. */
    int mostBlockBytes(Format format, int rawBytes) {
        if (storedMark != 0) {
            return rawBytes - 1;
        }
        return switch (format) {
            case GZIP, ZLIB -> DeflateGpuEncoder.maxEncodedBytes(rawBytes);
            case LZ4 -> Math.toIntExact(Lz4Format.maxBlockBytes(rawBytes));
            default -> SnappyFormat.maxBodyBytes(rawBytes);
        };
    }

    /** Puts a block's length where there is one. */
    void putLength(ByteBuffer body, int blockBytes, boolean stored) {
        if (length != null) {
            body.order(length).putInt(stored ? blockBytes | storedMark : blockBytes);
        }
    }
}
