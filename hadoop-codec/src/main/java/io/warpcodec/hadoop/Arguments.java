package io.warpcodec.hadoop;

/** The argument checks of Hadoop's coders, with exactly their exceptions. */
final class Arguments {
    private Arguments() {}

    /**
     * @throws NullPointerException if the array is null
     * @throws ArrayIndexOutOfBoundsException if the range is not in it: Hadoop's callers and tests expect this class
     */
    static void checkRange(byte[] bytes, int start, int length) {
        if (bytes == null) {
            throw new NullPointerException();
        }
        if (start < 0 || length < 0 || start > bytes.length - length) {
            throw new ArrayIndexOutOfBoundsException(
                    "start " + start + ", length " + length + " of " + bytes.length + " bytes");
        }
    }
}
