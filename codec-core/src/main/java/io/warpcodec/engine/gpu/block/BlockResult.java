package io.warpcodec.engine.gpu.block;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What became of one block of LZ4, Snappy or bzip2, or one DEFLATE body, that was decoded or encoded.
 *
 * @param status the answer
 * @param outputBytes bytes written; 0 unless the block is sound, or expands
 * @param defectOffset where in the block the sequence with the defect starts, or the defect was seen; 0 if the block
 *     is sound
 * @param outputBits bits written: 8 for each byte, but for encoded bzip2 blocks, which end anywhere in their last byte
 * @param checksum of the raw bytes, of an encoded bzip2 block; else 0
 */
public record BlockResult(Status status, int outputBytes, int defectOffset, long outputBits, int checksum) {

    /** What was found. */
    public enum Status {
        /** Decoded, or encoded. */
        SOUND("sound"),
        /** The input ends within a sequence, or before the last one. */
        TRUNCATED("the block ends within a sequence"),
        /** The output limit does not hold the block. */
        OUTPUT_EXCEEDED("the block decodes to more bytes than it may"),
        /** A match offset of zero, or beyond all bytes before it; bzip2: a row beyond the text. */
        BAD_OFFSET("a match reaches before the block, or has no distance"),
        /** The kernel found its table at odds with the buffers, which the host checks: a defect of this software. */
        BAD_ENTRY("the block's table entry is wrong"),
        /** Not the number of bytes that the block promises. */
        BAD_LENGTH("the block does not decode to the length that it names"),
        /** A match that ends, or begins, too near the end: LZ4 only. */
        BAD_END("a match lies too near the end of the block"),
        /** A block type, a length or a header that does not exist: DEFLATE only. */
        BAD_HEADER("a block's header is not valid"),
        /**
         * Bits that are no code, or a code that stands for nothing: DEFLATE. A byte that has no code: a stream that
         * was to be encoded with one.
         */
        BAD_SYMBOL("bits that are no code"),
        /**
         * The last step of decoding makes more bytes than the slot holds, which holds what it is to be made of, so
         * many bytes: bzip2's runs.
         */
        EXPANDS("the block's runs expand beyond its slot"),
        /** The decoded bytes have another checksum than the container says, where the kernel compares it. */
        BAD_CHECKSUM("the checksum is wrong");

        private final String reason;

        Status(String reason) {
            this.reason = reason;
        }
    }

    /**
     * The status codes of a module, as constants that its contract names: {@link Status} is the list of
     * {@code common/status.cuh}, by name and order.
     *
     * @param word the module's name
     */
    public static Map<String, Integer> statusConstants(String word) {
        Map<String, Integer> constants = new HashMap<>();
        for (Status status : Status.values()) {
            constants.put(word + "_status_" + status.name().toLowerCase(Locale.ROOT), status.ordinal());
        }
        constants.put(word + "_status_count", Status.values().length);
        return constants;
    }

    /** A result of whole bytes, without a checksum. */
    public BlockResult(Status status, int outputBytes, int defectOffset) {
        this(status, outputBytes, defectOffset, (long) Byte.SIZE * outputBytes, 0);
    }

    /** Status codes of the kernel, in the order of {@link Status}. */
    static BlockResult of(int statusWord, int outputBytes) {
        return new BlockResult(status(statusWord), outputBytes, statusWord >>> Byte.SIZE);
    }

    /** As {@link #of}, but of a block that ends anywhere in its last byte and has a checksum. */
    public static BlockResult ofBits(int statusWord, int outputBits, int checksum) {
        int bytes = (outputBits + Byte.SIZE - 1) / Byte.SIZE;
        return new BlockResult(status(statusWord), bytes, statusWord >>> Byte.SIZE, outputBits, checksum);
    }

    private static Status status(int statusWord) {
        int code = statusWord & 0xFF;
        Status[] known = Status.values();
        return code < known.length ? known[code] : Status.BAD_ENTRY;
    }

    /** Bytes of {@link #put}. */
    static final int ANSWER_BYTES = 4 * Integer.BYTES + Long.BYTES;

    /** Writes it for another process, little-endian. */
    void put(ByteBuffer message) {
        message.putInt(status.ordinal()).putInt(outputBytes).putInt(defectOffset);
        message.putLong(outputBits).putInt(checksum);
    }

    /** Reads what {@link #put} wrote; may be anything. */
    static BlockResult read(ByteBuffer message) {
        return new BlockResult(
                status(message.getInt()), message.getInt(), message.getInt(), message.getLong(), message.getInt());
    }

    /** Whether what it says was written is no more than a slot of so many bytes holds. */
    boolean fits(int slotBytes) {
        return status != Status.SOUND && status != Status.EXPANDS
                || outputBytes >= 0
                        && outputBytes <= slotBytes
                        && outputBits <= (long) Byte.SIZE * outputBytes
                        && outputBits > (long) Byte.SIZE * (outputBytes - 1);
    }

    /** Whether the block was decoded or encoded. */
    public boolean isSound() {
        return status == Status.SOUND;
    }

    /**
     * Checks that the block was decoded.
     *
     * @param format what the block was taken for
     * @param blockOffset where the block starts in its stream, in bytes
     * @throws CorruptDataException if it was not
     */
    public void requireSound(Format format, long blockOffset) throws CorruptDataException {
        if (!isSound()) {
            throw new CorruptDataException(format, blockOffset + defectOffset, status.reason);
        }
    }
}
