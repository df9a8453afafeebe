package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.format.FrameWalk;
import io.warpcodec.format.FrameWalk.End;
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
        FrameWalk walk = new FrameWalk(
                window, true, index, headerBytes, limitBytes, header.hasContentSize() ? Long.MAX_VALUE : limitRawBytes);
        boolean last = false;
        while (!last) {
            if (!walk.comesToBlock(BLOCK_HEADER_BYTES)) {
                return incomplete(header, walk.end());
            }
            ZstdBlockHeader block = ZstdBlockHeader.of(window.u16le(walk.at()) | window.u8(walk.at() + 2) << 16);
            last = block.last();
            if (block.type() == ZstdBlockHeader.RESERVED
                    || block.size() > header.maxBlockBytes()
                    || !walk.passes(
                            BLOCK_HEADER_BYTES + block.contentBytes(),
                            block.type() == ZstdBlockHeader.COMPRESSED ? header.maxBlockBytes() : block.size())) {
                return incomplete(header, End.GIVEN_UP);
            }
        }
        if (header.hasContentSize() && header.contentBytes() > walk.maxRawBytes()) {
            return incomplete(header, End.GIVEN_UP);
        }
        walk.comesToEnd(header.checksum() ? CHECKSUM_BYTES : 0);
        return walk.end() == End.COMPLETE
                ? new ZstdFrameLayout(
                        header, walk.bytes(), (int) Math.min(walk.maxRawBytes(), limitRawBytes), End.COMPLETE)
                : incomplete(header, walk.end());
    }

    /** Output capacity that decoding needs: the declared size, else the most that the blocks can make. */
    public int capacityBytes() {
        return header.hasContentSize() ? (int) header.contentBytes() : maxRawBytes;
    }
}
