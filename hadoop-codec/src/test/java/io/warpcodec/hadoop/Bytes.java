package io.warpcodec.hadoop;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Lays bytes down field by field, in wire order. */
public final class Bytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public static byte[] concat(byte[]... parts) {
        Bytes bytes = new Bytes();
        for (byte[] part : parts) {
            bytes.put(part);
        }
        return bytes.toArray();
    }

    public Bytes put(byte... bytes) {
        out.writeBytes(bytes);
        return this;
    }

    public Bytes u8(int value) {
        out.write(value);
        return this;
    }

    public Bytes le16(int value) {
        return u8(value).u8(value >>> 8);
    }

    public Bytes le32(long value) {
        return le16((int) value).le16((int) (value >>> 16));
    }

    public Bytes le64(long value) {
        return le32(value).le32(value >>> 32);
    }

    public Bytes be32(long value) {
        return put(ByteBuffer.allocate(4)
                .order(ByteOrder.BIG_ENDIAN)
                .putInt((int) value)
                .array());
    }

    public Bytes ascii(String text) {
        return put(text.getBytes(StandardCharsets.US_ASCII));
    }

    public int size() {
        return out.size();
    }

    public byte[] toArray() {
        return out.toByteArray();
    }

    /** The first offset of {@code needle} at or behind {@code from}, or -1. */
    public static int indexOf(byte[] hay, byte[] needle, int from) {
        for (int i = from; i + needle.length <= hay.length; i++) {
            if (java.util.Arrays.equals(hay, i, i + needle.length, needle, 0, needle.length)) {
                return i;
            }
        }
        return -1;
    }
}
