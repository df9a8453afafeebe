package io.warpcodec.engine.gpu.block;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What became of one block of LZ4, Snappy or bzip2, or one DEFLATE body, that was decoded or encoded.
 *
 * @param status the answer
 * @param outputBytes bytes written; 0 unless the block is sound, or expands
 * @param defectOffset where in the block the sequence with the defect starts, or the defect was seen; 0 if the block is sound
 */
public record BlockResult(Status status, int outputBytes, int defectOffset) {

    /** What was found. */
    public enum Status {
        /** Decoded, or encoded. */
        SOUND("sound"),
        /** The input ends within a sequence, or before the last one. */
        TRUNCATED("the block ends within a sequence"),
        /** The output limit does not hold the block. */
        OUTPUT_EXCEEDED("the block decodes to more bytes than it may"),
        /** An offset of zero, or one that reaches before the block. */
        BAD_OFFSET("a match reaches before the block, or has no distance"),
        /** The kernel found its table at odds with the buffers, which the host checks: a defect of this software. */
        BAD_ENTRY("the block's table entry is wrong"),
        /** Not the number of bytes that the block promises. */
        BAD_LENGTH("the block does not decode to the length that it names"),
        /** A match that ends, or begins, too near the end: LZ4 only. */
        BAD_END("a match lies too near the end of the block"),
        /** A block type, a length or a header that does not exist: DEFLATE only. */
        BAD_HEADER("a block's header is not valid"),
        /** Bits that are no code, or a code that stands for nothing: DEFLATE. A byte that has no code: a stream that was to be encoded with one. */
        BAD_SYMBOL("bits that are no code"),
        /** The last step of decoding makes more bytes than the slot holds, which holds what it is to be made of, so many bytes: bzip2's runs. */
        EXPANDS("the block's runs expand beyond its slot"),
        /** The decoded bytes have another checksum than the container says, where the kernel compares it. */
        BAD_CHECKSUM("the checksum is wrong");

        private final String reason;

        Status(String reason) {
            this.reason = reason;
        }
    }

    /**
     * The status codes of a module, as constants that its contract names: {@link Status} is the list of {@code common/status.cuh}, by name and order.
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

    /** Status codes of the kernel, in the order of {@link Status}. */
    static BlockResult of(int statusWord, int outputBytes) {
        int code = statusWord & 0xFF;
        Status[] known = Status.values();
        Status status = code < known.length ? known[code] : Status.BAD_ENTRY;
        return new BlockResult(status, outputBytes, statusWord >>> 8);
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
