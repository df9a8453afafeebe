package io.warpcodec.forge;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Bytes that are laid down field by field, in wire order.
 *
 * @param <F> the class itself, which every step returns
 */
public abstract class Fields<F extends Fields<F>> {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    abstract F self();

    public F put(byte... bytes) {
        out.writeBytes(bytes);
        return self();
    }

    public F u8(int value) {
        out.write(value);
        return self();
    }

    public F le16(int value) {
        return little(value, 2);
    }

    public F le32(long value) {
        return little(value, 4);
    }

    public F le64(long value) {
        return little(value, 8);
    }

    /** A little-endian number of so many bytes. */
    public F little(long value, int count) {
        for (int i = 0; i < count; i++) {
            out.write((int) (value >>> 8 * i));
        }
        return self();
    }

    public F be32(long value) {
        return little(Integer.reverseBytes((int) value), 4);
    }

    public F ascii(String text) {
        return put(text.getBytes(StandardCharsets.US_ASCII));
    }

    public int size() {
        return out.size();
    }

    public byte[] toArray() {
        return out.toByteArray();
    }
}
