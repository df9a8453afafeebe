package io.warpcodec.engine.zstd;

/**
 * A table of a block's sequences (RFC 8878 §3.1.1.3.2.1).
 *
 * @param mode how it is given: one of the constants
 * @param description bytes that give it; none if it is predefined
 */
public record ZstdTable(int mode, byte[] description) {
    public static final int PREDEFINED = 0;
    public static final int ONE_SYMBOL = 1;
    public static final int DESCRIBED = 2;

    /** Number of kinds of tables. */
    public static final int KINDS = 3;
}
