package io.warpcodec.format;

/**
 * What the head of a file says about its container.
 *
 * @param container the framing in words
 * @param checksum which checksum protects the content, {@code none} where none does
 * @param index which index the file carries, {@code none} where it carries none
 */
public record ContainerHeader(String container, String checksum, String index) {
    /** The word for what is not there. */
    public static final String NONE = "none";

    /** Whether the file carries an index, ours or another. */
    public boolean hasIndex() {
        return !index.equals(NONE);
    }
}
