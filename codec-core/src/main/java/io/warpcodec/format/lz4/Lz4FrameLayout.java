package io.warpcodec.format.lz4;

import static io.warpcodec.format.lz4.Lz4Format.*;

import io.warpcodec.format.FrameWalk;
import io.warpcodec.format.FrameWalk.End;
import io.warpcodec.format.Window;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Extent of a whole frame that a window has at hand, found by walking its block sizes without decoding anything.
 *
 * @param bytes its length, 0 if the walk did not come to its end
 * @param capacityBytes output capacity that decoding needs: the declared size, else the most that the blocks can make
 * @param end why the walk ended
 */
record Lz4FrameLayout(int bytes, int capacityBytes, End end) {
    private static final int WORD_BYTES = 4;

    private static Lz4FrameLayout incomplete(End end) {
        return new Lz4FrameLayout(0, 0, end);
    }

    /**
     * Walks the frame whose magic stands at the front of the window.
     *
     * @param limitRawBytes most raw bytes
     */
    static Lz4FrameLayout at(Window window, int limitRawBytes) throws IOException {
        if (!window.requireAtHand(Lz4FrameHeader.LEAST_BYTES)) {
            return incomplete(End.NOT_VISIBLE);
        }
        int headerBytes = Lz4FrameHeader.bytes(window.u8(Lz4FrameHeader.LEAST_BYTES - 1));
        if (!window.requireAtHand(headerBytes)) {
            return incomplete(End.NOT_VISIBLE);
        }
        ByteBuffer bytes = window.view(0, headerBytes);
        if (Lz4FrameHeader.defect(bytes) != null) {
            return incomplete(End.GIVEN_UP);
        }
        Lz4FrameHeader header = Lz4FrameHeader.of(bytes);
        if (header.hasContentBytes() && !(header.contentBytes() >= 0 && header.contentBytes() <= limitRawBytes)) {
            return incomplete(End.GIVEN_UP);
        }
        return blocks(window, header, headerBytes, limitRawBytes);
    }

    private static Lz4FrameLayout blocks(Window window, Lz4FrameHeader header, int headerBytes, int limitRawBytes)
            throws IOException {
        boolean declared = header.hasContentBytes();
        int most = declared ? (int) header.contentBytes() : Math.min(limitRawBytes, FrameWalk.MAX_UNDECLARED_BYTES);
        FrameWalk walk =
                new FrameWalk(window, false, 0, headerBytes, maxFrameBytes(most), declared ? Long.MAX_VALUE : most);
        int checksumBytes = header.blockChecksums() ? WORD_BYTES : 0;
        while (walk.comesToBlock(WORD_BYTES)) {
            int word = window.i32le(walk.at());
            if (word == 0) {
                if (declared && header.contentBytes() > walk.maxRawBytes()) {
                    return incomplete(End.GIVEN_UP);
                }
                walk.comesToEnd(header.contentChecksum() ? 2 * WORD_BYTES : WORD_BYTES);
                break;
            }
            int bytes = word & ~UNCOMPRESSED;
            int rawBytes = word < 0 ? bytes : (int) Math.min(header.blockMaxBytes(), maxRawBytes(bytes));
            if (bytes > header.blockMaxBytes() || !walk.passes(WORD_BYTES + bytes + checksumBytes, rawBytes)) {
                return incomplete(End.GIVEN_UP);
            }
        }
        return walk.end() == End.COMPLETE
                ? new Lz4FrameLayout(walk.bytes(), declared ? most : (int) walk.maxRawBytes(), End.COMPLETE)
                : incomplete(walk.end());
    }
}
