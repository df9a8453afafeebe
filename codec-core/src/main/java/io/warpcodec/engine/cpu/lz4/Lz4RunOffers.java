package io.warpcodec.engine.cpu.lz4;

import io.warpcodec.engine.BlockRun;
import io.warpcodec.engine.BlockRunDecoder;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decides which blocks of a unit a session offers to a {@link BlockRunDecoder}, and tells that decoder of those that
 * the session decodes itself. Without a decoder nothing is offered. Not thread-safe.
 */
final class Lz4RunOffers {
    private final BlockRunDecoder runs;
    /** Whether this unit has blocks that no run is made of: one was refused. */
    private boolean refused;
    /** Blocks of a run that was not decoded, which come next. */
    private int undecodedBlocks;

    private boolean toldThatLeft;

    /** @param runs null if the session decodes all by itself */
    Lz4RunOffers(BlockRunDecoder runs) {
        this.runs = runs;
    }

    /** Begins with a unit. */
    void restart() {
        refused = false;
        undecodedBlocks = 0;
        toldThatLeft = false;
    }

    /** Compressed bytes that are worth having at hand at once. */
    int usefulInputBytes() {
        return runs == null ? 1 : runs.usefulInputBytes();
    }

    /** Whether a run may be offered now. */
    boolean areOpen() {
        return runs != null && !refused && undecodedBlocks == 0;
    }

    /** Most decoded bytes of a run, when {@link #areOpen}. */
    int mostRawBytes(boolean linked) {
        return runs.mostRawBytes(linked);
    }

    /** Whether blocks that decode to so much are a run now. */
    boolean isRunOf(int rawBytes, boolean linked) {
        return areOpen() && rawBytes >= runs.leastRawBytes() && rawBytes <= runs.mostRawBytes(linked);
    }

    /**
     * Has a run decoded.
     *
     * @return decoded bytes; negative if the session has to decode these blocks
     */
    int decode(BlockRun run, ByteBuffer target, int targetAt) throws IOException {
        int rawBytes = runs.decode(run, target, targetAt);
        if (rawBytes < 0) {
            refused = rawBytes == BlockRunDecoder.REFUSED;
            undecodedBlocks = run.blocks().size();
        }
        return rawBytes;
    }

    /**
     * Takes note of a block that the session decodes; whether it is of a run that was tried. The decoder is told of
     * others once a unit.
     */
    boolean leaveToSession() {
        if (undecodedBlocks > 0) {
            undecodedBlocks--;
            return true;
        }
        if (runs != null && !refused && !toldThatLeft) {
            toldThatLeft = true;
            runs.leave();
        }
        return false;
    }

    /** Tells what it took the session to decode a block of a run that was tried. */
    void sessionDid(int rawBytes, long nanos) {
        runs.sessionDid(rawBytes, nanos);
    }
}
