package io.warpcodec.engine.gpu.deflate;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Writes members as others' tools do. */
public final class GzipMembers {
    static final int BGZF_RAW_BYTES = 65_280;
    private static final int FNAME = 8;

    private GzipMembers() {}

    /** Members of BGZF, as many as are needed. */
    public static byte[] bgzf(byte[] raw) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (int at = 0; at < raw.length; at += BGZF_RAW_BYTES) {
            byte[] part = Arrays.copyOfRange(raw, at, Math.min(raw.length, at + BGZF_RAW_BYTES));
            file.writeBytes(member(part, false));
        }
        return file.toByteArray();
    }

    /** One member of BGZF that has a name too. */
    public static byte[] bgzfWithName(byte[] raw) {
        return member(raw, true);
    }

    /** A raw DEFLATE body. */
    static byte[] body(byte[] raw, int level, int strategy) {
        Deflater deflater = new Deflater(level, true);
        deflater.setStrategy(strategy);
        deflater.setInput(raw);
        deflater.finish();
        byte[] body = new byte[raw.length + raw.length / 8 + 64];
        int bytes = 0;
        while (!deflater.finished()) { // a new strategy may take a call of its own
            if (bytes == body.length) {
                throw new AssertionError("no room for " + raw.length + " bytes");
            }
            bytes += deflater.deflate(body, bytes, body.length - bytes);
        }
        deflater.end();
        return Arrays.copyOf(body, bytes);
    }

    private static byte[] member(byte[] raw, boolean named) {
        byte[] body = body(raw, 6, Deflater.DEFAULT_STRATEGY);
        CRC32 crc = new CRC32();
        crc.update(raw);
        int bytes = 18 + (named ? 2 : 0) + body.length + 8;
        ByteBuffer member = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        member.put((byte) 0x1f).put((byte) 0x8b).put((byte) 8).put((byte) (4 | (named ? FNAME : 0)));
        member.putInt(0).put((byte) 0).put((byte) 255).putShort((short) 6);
        member.put((byte) 'B').put((byte) 'C').putShort((short) 2).putShort((short) (bytes - 1));
        if (named) {
            member.put((byte) 'n').put((byte) 0);
        }
        member.put(body).putInt((int) crc.getValue()).putInt(raw.length);
        return member.array();
    }
}
