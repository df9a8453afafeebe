package io.warpcodec.engine.bzip2;

import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.format.bzip2.Bzip2Runs;
import io.warpcodec.format.checksum.Bzip2Crc32;
import java.nio.ByteBuffer;

/**
 * A block of which only the text is held, at most 900,000 bytes: its runs are expanded as it is read, to up to 46.6
 * MB. It holds nothing but heap memory. Not thread-safe.
 */
public final class Bzip2Expansion implements DecodedChunk.Source {
    private static final int PIECE_BYTES = 64 << 10;

    private Bzip2Runs runs;
    private int remaining;

    /**
     * Of a text that was expanded before.
     *
     * @param text what the block's symbols came to; must not change
     * @param length how much of it counts, in bytes
     * @param rawBytes what its runs come to
     */
    public Bzip2Expansion(byte[] text, int length, int rawBytes) {
        runs = new Bzip2Runs(text, length);
        remaining = rawBytes;
    }

    /**
     * Expands all of a text once, without keeping what comes, for its length and its CRC.
     *
     * @param text what the block's symbols came to; must not change
     * @param crc of the raw bytes, as the block says
     * @return null if it ends where a run's length should be, or its CRC is another
     */
    public static Bzip2Expansion verified(byte[] text, int crc) {
        Bzip2Runs runs = new Bzip2Runs(text, text.length);
        byte[] piece = new byte[PIECE_BYTES];
        int register = Bzip2Crc32.START;
        int rawBytes = 0;
        while (!runs.ended()) {
            int count = runs.read(piece, 0, PIECE_BYTES);
            register = Bzip2Crc32.update(register, piece, 0, count);
            rawBytes += count;
        }
        return runs.isCutShort() || Bzip2Crc32.value(register) != crc
                ? null
                : new Bzip2Expansion(text, text.length, rawBytes);
    }

    @Override
    public int remaining() {
        return remaining;
    }

    @Override
    public void read(ByteBuffer target) {
        if (target.hasArray()) {
            int start = target.arrayOffset() + target.position();
            int count = runs.read(target.array(), start, start + target.remaining());
            target.position(target.position() + count);
            remaining -= count;
            return;
        }
        byte[] piece = new byte[Math.min(PIECE_BYTES, target.remaining())];
        while (remaining > 0 && target.hasRemaining()) {
            int count = runs.read(piece, 0, Math.min(piece.length, target.remaining()));
            target.put(piece, 0, count);
            remaining -= count;
        }
    }

    @Override
    public void close() {
        runs = null;
        remaining = 0;
    }
}
