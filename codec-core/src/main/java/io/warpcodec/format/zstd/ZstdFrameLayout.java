package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * Extent of a whole frame, found by walking its block headers without decoding anything.
 *
 * @param header its header
 * @param bytes its length, 0 if the walk did not come to its end
 * @param maxRawBytes most that it can decode to, by the sum of its blocks
 * @param end why the walk ended
 */
public record ZstdFrameLayout(ZstdFrameHeader header, int bytes, int maxRawBytes, End end) {

    /** How a walk ended. */
    public enum End {
        /** At the end of the frame. */
        COMPLETE,
        /** At the end of what the window can show now. */
        NOT_VISIBLE,
        /** At a limit, or at something that is no valid frame: a session will tell. */
        GIVEN_UP
    }

    private static ZstdFrameLayout incomplete(ZstdFrameHeader header, End end) {
        return new ZstdFrameLayout(header, 0, 0, end);
    }

    /**
     * Walks the frame whose magic stands at an index.
     *
     * @param budgetBytes most raw bytes of a frame that declares its size
     * @param limitBytes most bytes of the frame
     * @param limitUndeclaredBytes most raw bytes of a frame that does not declare its size
     */
    public static ZstdFrameLayout at(
            Window window, int index, int budgetBytes, int limitBytes, int limitUndeclaredBytes) throws IOException {
        if (!window.require(index + LEAST_HEADER_BYTES)) {
            return incomplete(null, End.NOT_VISIBLE);
        }
        int headerBytes = ZstdFrameHeader.bytes(window.u8(index + MAGIC_BYTES));
        if (!window.require(index + headerBytes)) {
            return incomplete(null, End.NOT_VISIBLE);
        }
        ZstdFrameHeader header = ZstdFrameHeader.at(window, index);
        int limitRawBytes = header.hasContentSize() ? budgetBytes : limitUndeclaredBytes;
        if (header.refusal(budgetBytes) != null || header.hasContentSize() && !header.declaresAtMost(budgetBytes)) {
            return incomplete(header, End.GIVEN_UP);
        }
        int at = index + headerBytes;
        long maxRawBytes = 0;
        boolean last = false;
        for (int blocks = 0; !last; blocks++) {
            if (blocks == MAX_FOREIGN_BLOCKS) {
                return incomplete(header, End.GIVEN_UP);
            }
            if (!window.require(at + BLOCK_HEADER_BYTES)) {
                return incomplete(header, End.NOT_VISIBLE);
            }
            int blockHeader = window.u16le(at) | window.u8(at + 2) << 16;
            last = (blockHeader & 1) != 0;
            int type = blockHeader >> 1 & 3;
            int size = blockHeader >> 3;
            maxRawBytes += type == ZstdFrameTracker.COMPRESSED ? header.maxBlockBytes() : size;
            at += BLOCK_HEADER_BYTES + (type == ZstdFrameTracker.RLE ? 1 : size);
            if (type == ZstdFrameTracker.RESERVED
                    || size > header.maxBlockBytes()
                    || at - index > limitBytes
                    || !header.hasContentSize() && maxRawBytes > limitRawBytes) {
                return incomplete(header, End.GIVEN_UP);
            }
        }
        at += header.checksum() ? CHECKSUM_BYTES : 0;
        if (header.hasContentSize() && header.contentBytes() > maxRawBytes) {
            return incomplete(header, End.GIVEN_UP);
        }
        return window.require(at)
                ? new ZstdFrameLayout(header, at - index, (int) Math.min(maxRawBytes, limitRawBytes), End.COMPLETE)
                : incomplete(header, End.NOT_VISIBLE);
    }

    /** Room that decoding needs: the declared size, else the most that the blocks can make. */
    public int roomBytes() {
        return header.hasContentSize() ? (int) header.contentBytes() : maxRawBytes;
    }
}
