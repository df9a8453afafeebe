package io.warpcodec.format.bzip2;

/** Eight bytes as a word, the first one lowest: runs of four are looked for in all of them at once. */
final class EightBytes {
    private static final long LOW_BITS = 0x7f7f_7f7f_7f7f_7f7fL;

    private EightBytes() {}

    /**
     * Where four equal bytes begin.
     *
     * @param first eight bytes
     * @param second the eight bytes from the next byte on
     * @param third from the one behind that
     * @param fourth likewise
     * @return the highest bit of each byte of the first word with which four equal bytes begin
     */
    static long whereFoursBegin(long first, long second, long third, long fourth) {
        long unlike = first ^ second | first ^ third | first ^ fourth;
        return ~((unlike & LOW_BITS) + LOW_BITS | unlike | LOW_BITS);
    }

    /** The number of the first byte whose highest bit is set, 0 to 7; one is. */
    static int firstOf(long marks) {
        return Long.numberOfTrailingZeros(marks) / Byte.SIZE;
    }
}
