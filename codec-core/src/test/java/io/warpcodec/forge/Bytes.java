package io.warpcodec.forge;

import java.util.Arrays;

/** Fields of no format in particular, and questions about bytes. */
public final class Bytes extends Fields<Bytes> {
    public static byte[] concat(byte[]... parts) {
        Bytes bytes = new Bytes();
        for (byte[] part : parts) {
            bytes.put(part);
        }
        return bytes.toArray();
    }

    /** The first offset of {@code needle} at or behind {@code from}, or -1. */
    public static int indexOf(byte[] hay, byte[] needle, int from) {
        for (int i = from; i + needle.length <= hay.length; i++) {
            if (Arrays.equals(hay, i, i + needle.length, needle, 0, needle.length)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    Bytes self() {
        return this;
    }
}
