package io.warpcodec.format;

import java.io.IOException;

/**
 * The way through one frame from block to block, by the lengths that the blocks tell, to the frame's end. Nothing is
 * decoded. The frame's own layout reads the lengths; the walk shows it their bytes and ends at its limits. So a false
 * length gathers no more than a limit, and a frame that is not all there yet may be walked again and again.
 *
 * <p>One object per frame, not thread-safe.
 */
public final class FrameWalk {
    /** How a walk ended. */
    public enum End {
        /** At the end of the frame. */
        COMPLETE,
        /** At the end of what the window can show now. */
        NOT_VISIBLE,
        /** At a limit, or at something that is no valid frame: a session will tell. */
        GIVEN_UP
    }

    /** Blocks that a frame may have, so that looking for its end again and again stays cheap. */
    public static final int MAX_BLOCKS = 256;

    /** A frame without a content size is cut as one chunk if it cannot decode to more than this. */
    public static final int MAX_UNDECLARED_BYTES = 256 << 10;

    private final Window window;
    private final boolean waits;
    private final int index;
    private final int limitBytes;
    private final long limitRawBytes;
    private int at;
    private int blocks;
    private long maxRawBytes;
    private End end;

    /**
     * @param waits whether to wait for bytes that the window's source does not have at hand
     * @param index where the frame begins in the window
     * @param headerBytes of the frame, in front of its first block
     * @param limitBytes most bytes of the frame, header and trailer aside
     * @param limitRawBytes most that its blocks may decode to
     */
    public FrameWalk(Window window, boolean waits, int index, int headerBytes, int limitBytes, long limitRawBytes) {
        this.window = window;
        this.waits = waits;
        this.index = index;
        this.at = index + headerBytes;
        this.limitBytes = limitBytes;
        this.limitRawBytes = limitRawBytes;
    }

    /** Makes this many bytes of a window visible if it can. */
    public static boolean require(Window window, boolean waits, int bytes) throws IOException {
        return waits ? window.require(bytes) : window.requireAtHand(bytes);
    }

    /** Comes to the header of one more block: whether all of it can be seen. If not, the walk has ended. */
    public boolean comesToBlock(int headerBytes) throws IOException {
        return require(window, waits, at + headerBytes) || ends(End.NOT_VISIBLE);
    }

    /** Where in the window the walk has come to. */
    public int at() {
        return at;
    }

    /**
     * Passes the block.
     *
     * @param bytes its length, with what belongs to it
     * @param mostRawBytes most that it can decode to
     * @return false if a limit ends the walk
     */
    public boolean passes(int bytes, int mostRawBytes) {
        blocks++;
        maxRawBytes += mostRawBytes;
        at += bytes;
        boolean within = blocks <= MAX_BLOCKS && at - index <= limitBytes && maxRawBytes <= limitRawBytes;
        return within || ends(End.GIVEN_UP);
    }

    /** Comes to the end of the frame, behind so many bytes of trailer. */
    public void comesToEnd(int trailerBytes) throws IOException {
        at += trailerBytes;
        ends(require(window, waits, at) ? End.COMPLETE : End.NOT_VISIBLE);
    }

    private boolean ends(End how) {
        end = how;
        return false;
    }

    /** How the walk has ended. */
    public End end() {
        return end;
    }

    /** Length of the frame, up to where the walk has come. */
    public int bytes() {
        return at - index;
    }

    /** Most that the blocks can decode to. */
    public long maxRawBytes() {
        return maxRawBytes;
    }
}
