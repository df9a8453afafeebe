package io.warpcodec.device.lease;

/**
 * What a lease is asked for.
 *
 * @param program name of the kind of work
 * @param inputBytes memory for input, at least 1
 * @param outputBytes memory for output, at least 1
 * @param entryCount most entries of its job
 */
public record LeaseTerms(String program, int inputBytes, int outputBytes, int entryCount) {
    /** @throws IllegalArgumentException if a number is too small */
    public LeaseTerms {
        if (inputBytes < 1 || outputBytes < 1 || entryCount < 0) {
            throw new IllegalArgumentException(
                    inputBytes + " bytes in, " + outputBytes + " bytes out, " + entryCount + " entries");
        }
    }

    /** Where the output begins in the memory. */
    public int outputAt() {
        return FreeRanges.roundedUp(inputBytes);
    }

    /** Bytes of memory. */
    public int regionBytes() {
        return outputAt() + outputBytes;
    }
}
