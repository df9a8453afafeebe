package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Cuts bzip2 streams into blocks. A block is a chunk; a header between streams and the end of a stream are skipped
 * bytes. The header of the first stream belongs to the first block, so that the first block starts at offset 0.
 *
 * <p>A block ends where the next magic stands. That is a guess, since the 48 bits may occur in a block by chance.
 * When the guess fails, or no magic follows, the end is found by walking the block's symbols, and what becomes of
 * that chunk is final.
 *
 * <p>Block CRCs are the decoder's; the scanner adds up the stored ones and compares the sum with COMBINED_CRC. A
 * scanner that begins in mid-stream cannot, until the next stream starts.
 */
public final class Bzip2Scanner implements Scanner {
    // Two thoughts are kept between calls for the same unit, both only to save time: how far the search for the next
    // magic has come, and the walk. They count in bits from the front of the window, which is the same at each call.

    /**
     * Where in the file the scanner stands.
     *
     * @param anyStream whether a stream was complete, or began before the scanner did
     * @param inStream whether the header of a stream has been passed, and not its end
     * @param bit first bit of the next unit in the window's first byte, 0 to 7
     * @param level of the stream, 1 to 9
     * @param combinedCrc of the blocks passed
     * @param crcKnown whether all blocks of the stream so far were passed by this scanner
     */
    record State(boolean anyStream, boolean inStream, int bit, int level, int combinedCrc, boolean crcKnown)
            implements ScannerState {
        static final State START = new State(false, false, 0, 0, 0, false);
        static final State BETWEEN_STREAMS = new State(true, false, 0, 0, 0, false);

        static State afterHeader(int level) {
            return new State(true, true, 0, level, 0, true);
        }

        /** At a block whose stream began before: any level may be assumed that is not too low. */
        static State atBlock(int bit) {
            return new State(true, true, bit, MAX_LEVEL, 0, false);
        }

        State afterBlock(int nextBit, int levelNow, int blockCrc) {
            return new State(true, true, nextBit, levelNow, combine(combinedCrc, blockCrc), crcKnown || !inStream);
        }
    }

    private final Bzip2BlockWalk walk = new Bzip2BlockWalk();
    private State state = State.START;
    /** The state behind the unit named last. */
    private State next = State.START;

    private int searchedBits;
    private boolean exact;
    /** Whether every block's end is found by walking it. */
    private boolean alwaysExact;

    private boolean walking;

    @Override
    public Unit next(Window window) throws IOException {
        if (!window.require(1)) {
            if (!window.ended()) {
                return Unit.NEEDS_INPUT;
            }
            if (!state.inStream() && state.anyStream()) {
                return Unit.END;
            }
            throw truncated(window, state.inStream() ? "inside a bzip2 stream" : "no bzip2 stream at all");
        }
        if (state.inStream()) {
            return content(window, state.bit(), state.level());
        }
        if (!requireHeader(window)) {
            return Unit.NEEDS_INPUT;
        }
        int level = window.u8(HEADER_BYTES - 1) - '0';
        if (state.anyStream()) {
            next = State.afterHeader(level);
            return Unit.skip(HEADER_BYTES, false);
        }
        return content(window, HEADER_BITS, level);
    }

    private boolean requireHeader(Window window) throws IOException {
        for (int index = 0; index < HEADER_BYTES; index++) {
            if (!window.require(index + 1)) {
                if (window.ended()) {
                    throw truncated(window, "inside the header of a bzip2 stream");
                }
                return false;
            }
            if (!isHeaderByte(index, window.u8(index))) {
                String what = state.anyStream() ? "bytes after the last bzip2 stream" : "not a bzip2 stream";
                throw corrupt(window, what + ": it does not start with BZh1 to BZh9");
            }
        }
        return true;
    }

    /** Names what stands at a bit behind the header: a block or the end of the stream. */
    private Unit content(Window window, int bit, int level) throws IOException {
        int trailerBytes = bytes(bit + TRAILER_BITS);
        if (!window.require(trailerBytes)) {
            if (window.ended()) {
                throw truncated(window, "inside a bzip2 stream");
            }
            return Unit.NEEDS_INPUT;
        }
        ByteBuffer view = window.view(0, trailerBytes);
        long magic = Bzip2Magic.peek(view, bit, MAGIC_BITS);
        int crc = (int) Bzip2Magic.peek(view, bit + MAGIC_BITS, CRC_BITS);
        if (magic == END_MAGIC) {
            if (state.crcKnown() && crc != state.combinedCrc() || !state.inStream() && crc != 0) {
                throw corrupt(window, "the combined CRC of the stream that ends here is wrong");
            }
            next = State.BETWEEN_STREAMS;
            return Unit.skip(trailerBytes, true);
        }
        if (magic != BLOCK_MAGIC) {
            throw corrupt(window, "neither a bzip2 block nor the end of the stream");
        }
        int end = exact ? walkedEnd(window, bit, level) : searchedEnd(window, bit, level);
        if (end < 0) {
            return Unit.NEEDS_INPUT;
        }
        next = state.afterBlock(end & 7, level, crc);
        return new Unit(
                Unit.Kind.CHUNK, bytes(end), end >>> 3, -1, false, new Bzip2Block(bit, end - bit, level, exact));
    }

    private static int bytes(int bits) {
        return bits + 7 >>> 3;
    }

    /** The first bit of the next magic, or -1 to wait for more bytes. */
    private int searchedEnd(Window window, int bit, int level) throws IOException {
        searchedBits = Math.max(searchedBits, bit + TRAILER_BITS);
        while (true) {
            int buffered = window.buffered();
            int end = Bzip2Magic.find(window.view(0, buffered), searchedBits);
            if (end >= 0) {
                return end;
            }
            searchedBits = Math.max(searchedBits, 8 * buffered - MAGIC_BITS + 1);
            if (buffered < MAX_BLOCK_BYTES && window.require(buffered + 1)) {
                continue;
            }
            if (buffered < MAX_BLOCK_BYTES && !window.ended()) {
                return -1;
            }
            exact = true;
            return walkedEnd(window, bit, level);
        }
    }

    /** The bit at which the block's symbols end, or -1 to wait for more bytes. */
    private int walkedEnd(Window window, int bit, int level) throws IOException {
        if (!walking) {
            walk.start(bit, level, window.offset() + (bit >>> 3));
            walking = true;
        }
        while (true) {
            int buffered = window.buffered();
            int end = walk.end(window.view(0, buffered));
            if (end >= 0) {
                return end;
            }
            if (buffered >= MAX_BLOCK_BYTES) {
                throw corrupt(window, "the block that starts here is longer than any");
            }
            if (!window.require(buffered + 1)) {
                if (window.ended()) {
                    throw truncated(window, "inside a bzip2 block");
                }
                return -1;
            }
        }
    }

    private static CorruptDataException corrupt(Window window, String reason) {
        return new CorruptDataException(Format.BZIP2, window.offset(), reason);
    }

    private static TruncatedDataException truncated(Window window, String where) {
        return new TruncatedDataException(
                Format.BZIP2, window.offset() + window.buffered(), "the stream ends " + where);
    }

    @Override
    public void passed(Unit unit) {
        enter(next);
    }

    private void enter(State entered) {
        state = entered;
        searchedBits = 0;
        exact = alwaysExact;
        walking = false;
    }

    @Override
    public Unit again(Window window, Unit failed, String reason) throws IOException {
        if (((Bzip2Block) failed.detail()).exact()) {
            throw corrupt(window, "in the block that starts here, " + reason);
        }
        exact = true;
        return next(window);
    }

    @Override
    public void ignoreHints() {
        alwaysExact = true;
        exact = true;
    }

    @Override
    public ScannerState state() {
        return state;
    }

    @Override
    public void restore(ScannerState saved) {
        enter((State) saved);
    }
}
