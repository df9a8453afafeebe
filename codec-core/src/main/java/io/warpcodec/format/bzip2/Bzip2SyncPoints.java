package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.format.Window;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The split rule of bzip2: every block is a sync point, and belongs to the split in which the first bit of its magic
 * lies.
 *
 * <p>A magic alone is not believed. The 48 bits occur by chance, and can be made to occur on purpose; so the block
 * must have a legal header and symbols that end exactly where another magic stands. A block that fails this because
 * it is damaged belongs to the split before it, whose reader then reports it.
 *
 * <p>The header of the file belongs to its first block: a split that starts within the header, or right behind it,
 * does not own that block.
 */
public final class Bzip2SyncPoints implements SyncPoints {
    /**
     * Most bytes of false blocks that one search walks through. Chance makes one false magic in 2^48 bits; a file
     * made to have many, each with a long way to go, must not keep a reader busy for hours.
     */
    private static final int MAX_FALSE_BYTES = 8 << 20;

    private final Bzip2BlockWalk walk = new Bzip2BlockWalk();

    @Override
    public int headBytes() {
        return HEADER_BYTES;
    }

    @Override
    public boolean fileHasSyncPoints(Window head) throws IOException {
        return head.require(HEADER_BYTES) && isHeader(head);
    }

    @Override
    public boolean isSyncPoint(Window window) throws IOException {
        if (window.offset() == 0) {
            return true;
        }
        window.require(bytesOf(7 + MAGIC_BITS));
        ByteBuffer start = window.view(0, Math.min(window.buffered(), bytesOf(7 + MAGIC_BITS)));
        int bit = 0;
        while (bit < 8 && Bzip2Magic.peek(start, bit, MAGIC_BITS) != BLOCK_MAGIC) {
            bit++;
        }
        return bit < 8 && isBlock(window, bit);
    }

    private static int bytesOf(int bits) {
        return bits + 7 >>> 3;
    }

    /** Whether the block whose magic stands at this bit of the window ends where another magic stands. */
    private boolean isBlock(Window window, int bit) throws IOException {
        walk.start(bit, MAX_LEVEL, window.offset());
        try {
            int end;
            while ((end = walk.end(window.view(0, window.buffered()))) < 0) {
                if (window.buffered() >= MAX_BLOCK_BYTES || !window.require(window.buffered() + 1)) {
                    return false;
                }
            }
            if (!window.require(bytesOf(end + MAGIC_BITS))) {
                return false;
            }
            return isMagic(Bzip2Magic.peek(window.view(0, window.buffered()), end, MAGIC_BITS));
        } catch (CorruptDataException noBlock) {
            return false;
        }
    }

    @Override
    public ScannerState seek(Window window, long limitOffset) throws IOException {
        int falseBytes = 0;
        if (window.offset() <= HEADER_BYTES) {
            int skipped = (int) (HEADER_BYTES + 1 - window.offset());
            if (!window.require(skipped)) {
                return null;
            }
            window.consume(skipped);
        }
        int fromBit = 0;
        while (window.offset() < limitOffset) {
            int found = Bzip2Magic.find(window.view(0, window.buffered()), fromBit);
            if (found < 0) {
                // the bytes in which a magic may still start stay
                int searched = Math.max(0, window.buffered() - bytesOf(MAGIC_BITS));
                fromBit = Math.max(0, fromBit - 8 * searched);
                window.consume(searched);
                if (!window.require(window.buffered() + 1)) {
                    return null;
                }
                continue;
            }
            window.consume(found >>> 3);
            fromBit = found & 7;
            if (window.offset() < limitOffset
                    && Bzip2Magic.peek(window.view(0, window.buffered()), fromBit, MAGIC_BITS) == BLOCK_MAGIC) {
                if (isBlock(window, fromBit)) {
                    return Bzip2Scanner.State.atBlock(fromBit);
                }
                falseBytes += walk.reachedBit() >>> 3;
                if (falseBytes > MAX_FALSE_BYTES) {
                    throw new CorruptDataException(
                            Format.BZIP2,
                            window.offset(),
                            "too many false block magics in a search for the first block");
                }
            }
            fromBit++;
        }
        return null;
    }
}
