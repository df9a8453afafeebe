package io.warpcodec.stream.lz4;

import io.warpcodec.forge.Lz4Forge;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes frames whose blocks refer to the ones before, which no Java library does at a bearable speed: greedy, one
 * place tried per position.
 */
public final class Lz4LinkedBlocks {
    private static final int HASH_BITS = 14;
    private static final int MOST_DISTANCE = 65_535;

    private final byte[] raw;
    private final int[] latest = new int[1 << HASH_BITS];

    private Lz4LinkedBlocks(byte[] raw) {
        this.raw = raw;
        Arrays.fill(latest, -1);
    }

    /**
     * A whole frame; what does not compress is stored.
     *
     * @param flags of the frame header beside the version
     * @param blockBytesLog2 16, 18, 20 or 22
     */
    public static byte[] frame(byte[] raw, int flags, int blockBytesLog2) {
        byte[] size = (flags & Lz4Forge.CONTENT_SIZE) != 0
                ? new Lz4Forge().le64(raw.length).toArray()
                : new byte[0];
        Lz4Forge forge = new Lz4Forge().header(Lz4Forge.VERSION_1 | flags, (blockBytesLog2 - 8) / 2 << 4, size);
        int blockBytes = 1 << blockBytesLog2;
        int at = 0;
        for (byte[] body : blocks(raw, blockBytes)) {
            int limit = Math.min(raw.length, at + blockBytes);
            if (body.length < limit - at) {
                forge.sized(body);
            } else {
                forge.uncompressed(Arrays.copyOfRange(raw, at, limit));
            }
            if ((flags & Lz4Forge.BLOCK_CHECKSUMS) != 0) {
                forge.checksum(body.length < limit - at ? body : Arrays.copyOfRange(raw, at, limit));
            }
            at = limit;
        }
        forge.end();
        return ((flags & Lz4Forge.CONTENT_CHECKSUM) != 0 ? forge.checksum(raw) : forge).toArray();
    }

    /** The blocks alone, each of so many raw bytes but the last. */
    public static List<byte[]> blocks(byte[] raw, int blockBytes) {
        Lz4LinkedBlocks linked = new Lz4LinkedBlocks(raw);
        List<byte[]> blocks = new ArrayList<>();
        for (int at = 0; at < raw.length; at += blockBytes) {
            blocks.add(linked.block(at, Math.min(raw.length, at + blockBytes)));
        }
        return blocks;
    }

    private byte[] block(int start, int limit) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int literals = start;
        int at = start;
        while (at < limit - 12) {
            int slot = (raw[at] | raw[at + 1] << 8 | raw[at + 2] << 16 | raw[at + 3] << 24) * 0x9E3779B1
                    >>> 32 - HASH_BITS;
            int earlier = latest[slot];
            latest[slot] = at;
            int length = 0;
            if (earlier >= 0 && at - earlier <= MOST_DISTANCE) {
                while (at + length < limit - 5 && raw[earlier + length] == raw[at + length]) {
                    length++;
                }
            }
            if (length < 4) {
                at++;
                continue;
            }
            sequence(out, literals, at, at - earlier, length);
            at += length;
            literals = at;
        }
        sequence(out, literals, limit, 0, 0);
        return out.toByteArray();
    }

    private void sequence(ByteArrayOutputStream out, int literalsAt, int literalsLimit, int distance, int length) {
        int literals = literalsLimit - literalsAt;
        out.write(Math.min(15, literals) << 4 | Math.min(15, Math.max(0, length - 4)));
        more(out, literals - 15);
        out.write(raw, literalsAt, literals);
        if (length > 0) {
            out.write(distance);
            out.write(distance >> 8);
            more(out, length - 4 - 15);
        }
    }

    private static void more(ByteArrayOutputStream out, int rest) {
        for (; rest >= 255; rest -= 255) {
            out.write(255);
        }
        if (rest >= 0) {
            out.write(rest);
        }
    }
}
