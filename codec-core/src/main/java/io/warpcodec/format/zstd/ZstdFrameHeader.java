package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.format.Window;

/**
 * A frame header (RFC 8878 §3.1.1.1), parsed by ourselves so that what we accept does not depend on a library's
 * version.
 *
 * @param bytes its length, magic included
 * @param windowBytes Window_Size, read as unsigned
 * @param hasContentSize whether the frame declares its content size
 * @param contentBytes that size, read as unsigned
 * @param dictionary Dictionary_ID, 0 for none
 * @param checksum whether a checksum ends the frame
 * @param reservedBit whether the reserved bit is set, which is an error
 * @param singleSegment whether there is no Window_Descriptor
 */
public record ZstdFrameHeader(
        int bytes,
        long windowBytes,
        boolean hasContentSize,
        long contentBytes,
        long dictionary,
        boolean checksum,
        boolean reservedBit,
        boolean singleSegment) {

    /** Index of Window_Descriptor where there is one. */
    public static final int WINDOW_DESCRIPTOR_AT = LEAST_HEADER_BYTES;

    private static final int[] DICTIONARY_BYTES = {0, 1, 2, 4};

    /** Length of the header that starts with a magic and this Frame_Header_Descriptor. */
    public static int bytes(int descriptor) {
        return LEAST_HEADER_BYTES
                + ((descriptor & SINGLE_SEGMENT) == 0 ? 1 : 0)
                + DICTIONARY_BYTES[descriptor & 3]
                + contentSizeBytes(descriptor);
    }

    /** Whether a frame whose header has this Frame_Header_Descriptor ends with a checksum. */
    static boolean hasChecksum(int descriptor) {
        return (descriptor & CHECKSUM) != 0;
    }

    private static int contentSizeBytes(int descriptor) {
        int flag = descriptor >> 6 & 3;
        return flag == 0 ? ((descriptor & SINGLE_SEGMENT) == 0 ? 0 : 1) : 1 << flag;
    }

    /** Parses the header at an index of the window; all of it is visible. */
    public static ZstdFrameHeader at(Window window, int index) {
        int descriptor = window.u8(index + MAGIC_BYTES);
        boolean singleSegment = (descriptor & SINGLE_SEGMENT) != 0;
        int at = index + LEAST_HEADER_BYTES;
        long windowBytes = 0;
        if (!singleSegment) {
            int exponent = window.u8(at) >> 3;
            int mantissa = window.u8(at) & 7;
            long base = 1L << MIN_WINDOW_LOG + exponent;
            windowBytes = base + (base >> 3) * mantissa;
            at++;
        }
        int dictionaryBytes = DICTIONARY_BYTES[descriptor & 3];
        long dictionary = number(window, at, dictionaryBytes);
        at += dictionaryBytes;
        int sizeBytes = contentSizeBytes(descriptor);
        long contentBytes = number(window, at, sizeBytes) + (sizeBytes == 2 ? 256 : 0);
        return new ZstdFrameHeader(
                at + sizeBytes - index,
                singleSegment ? contentBytes : windowBytes,
                sizeBytes > 0,
                contentBytes,
                dictionary,
                hasChecksum(descriptor),
                (descriptor & RESERVED_BIT) != 0,
                singleSegment);
    }

    private static long number(Window window, int at, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (long) window.u8(at + i) << 8 * i;
        }
        return value;
    }

    /** Whether the content size is declared and at most this. */
    public boolean declaresAtMost(long limitBytes) {
        return hasContentSize && contentBytes >= 0 && contentBytes <= limitBytes;
    }

    /** Whether the window is larger than what we stream. */
    public boolean windowIsTooLarge() {
        return windowBytes < 0 || windowBytes > MAX_WINDOW_BYTES;
    }

    /** Most bytes that a block of this frame may be long, or decode to. */
    public int maxBlockBytes() {
        return windowBytes < 0 ? MAX_BLOCK_BYTES : (int) Math.min(windowBytes, MAX_BLOCK_BYTES);
    }

    /**
     * Why a frame with this header is refused, or null.
     *
     * @param budgetBytes content size up to which any window is accepted
     */
    public String refusal(int budgetBytes) {
        if (reservedBit) {
            return "the frame header's reserved bit is set";
        }
        if (dictionary != 0) {
            return "the frame needs dictionary " + dictionary;
        }
        boolean beyondAll = !singleSegment && windowBytes >>> MAX_WINDOW_LOG + 1 != 0;
        if (beyondAll || windowIsTooLarge() && hasContentSize && !declaresAtMost(budgetBytes)) {
            return windowRefusal();
        }
        return null;
    }

    /** What is said of a frame whose window is too large for its content. */
    public String windowRefusal() {
        return "the frame needs a window of " + Long.toUnsignedString(windowBytes) + " bytes, more than "
                + MAX_WINDOW_BYTES;
    }

    /** The Window_Descriptor of the smallest window that holds this much content, and any block. */
    public static byte windowDescriptor(int contentBytes) {
        int log = 32 - Integer.numberOfLeadingZeros(Math.max(contentBytes, MAX_BLOCK_BYTES) - 1);
        return (byte) (log - MIN_WINDOW_LOG << 3);
    }
}
