package io.warpcodec.engine.zstd;

/**
 * The border between two blocks of a zstd frame, and all that a decoder has to know there. Immutable, for as long as
 * its arrays are not changed.
 *
 * @param history decoded bytes before it: the frame's window or, if there are fewer, all
 * @param tree description of the last tree of literals; null before there is one
 * @param tables the last one of each kind, literal lengths, offsets, match lengths; null before there is one
 * @param repeats offsets that may be repeated, the last one first
 * @param rawBytes of the frame before it
 * @param ended whether the last block lies before it
 */
public record ZstdPosition(
        byte[] history, byte[] tree, ZstdTable[] tables, int[] repeats, long rawBytes, boolean ended) {
    /** Begin of a frame. */
    public static final ZstdPosition BEGIN =
            new ZstdPosition(new byte[0], null, new ZstdTable[ZstdTable.KINDS], new int[] {1, 4, 8}, 0, false);

    /** Whether a frame begins here. */
    public boolean isBegin() {
        return rawBytes == 0;
    }
}
