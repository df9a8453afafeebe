package io.warpcodec.hadoop;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Lays bytes down field by field, in wire order. */
final class Bytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    static byte[] concat(byte[]... parts) {
        Bytes bytes = new Bytes();
        for (byte[] part : parts) {
            bytes.put(part);
        }
        return bytes.toArray();
    }

    Bytes put(byte... bytes) {
        out.writeBytes(bytes);
        return this;
    }

    Bytes u8(int value) {
        out.write(value);
        return this;
    }

    Bytes le16(int value) {
        return u8(value).u8(value >>> 8);
    }

    Bytes le32(long value) {
        return le16((int) value).le16((int) (value >>> 16));
    }

    Bytes le64(long value) {
        return le32(value).le32(value >>> 32);
    }

    Bytes be32(long value) {
        return put(ByteBuffer.allocate(4)
                .order(ByteOrder.BIG_ENDIAN)
                .putInt((int) value)
                .array());
    }

    Bytes ascii(String text) {
        return put(text.getBytes(StandardCharsets.US_ASCII));
    }

    int size() {
        return out.size();
    }

    byte[] toArray() {
        return out.toByteArray();
    }

    /** The first offset of {@code needle} at or behind {@code from}, or -1. */
    static int indexOf(byte[] hay, byte[] needle, int from) {
        for (int i = from; i + needle.length <= hay.length; i++) {
            if (java.util.Arrays.equals(hay, i, i + needle.length, needle, 0, needle.length)) {
                return i;
            }
        }
        return -1;
    }
}
