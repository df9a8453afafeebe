package io.warpcodec.forge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A file of zstd's seekable format, with what its table says of each frame. */
public final class SeekTableForge {
    private static final long TABLE_MAGIC = ZstdForge.SKIPPABLE_MAGIC + 0xe;
    private static final long FOOTER_MAGIC = 0x8F92EAB1L;

    private final ZstdForge frames = new ZstdForge();
    private final List<long[]> entries = new ArrayList<>();
    private boolean checksums;
    private int reservedBits;

    /** Frames of so many raw bytes, without content size or checksum, as the format's own encoder makes them. */
    public static SeekTableForge of(byte[] raw, int frameBytes, int level) throws IOException {
        SeekTableForge file = new SeekTableForge();
        for (int at = 0; at < raw.length; at += frameBytes) {
            int bytes = Math.min(frameBytes, raw.length - at);
            file.frame(PzstdForge.frame(raw, at, bytes, level, false), bytes);
        }
        return file;
    }

    public SeekTableForge frame(byte[] frame, long rawBytes) {
        return bytes(frame).entry(frame.length, rawBytes);
    }

    public SeekTableForge bytes(byte[] bytes) {
        frames.put(bytes);
        return this;
    }

    public SeekTableForge entry(long bytes, long rawBytes) {
        entries.add(new long[] {bytes, rawBytes});
        return this;
    }

    public SeekTableForge withChecksums() {
        checksums = true;
        return this;
    }

    public SeekTableForge withReservedBits(int bits) {
        reservedBits = bits;
        return this;
    }

    /** The frames and the table. */
    public byte[] build() {
        ZstdForge table = new ZstdForge();
        for (long[] entry : entries) {
            table.le32(entry[0]).le32(entry[1]);
            if (checksums) {
                table.le32(0);
            }
        }
        table.le32(entries.size()).u8((checksums ? 0x80 : 0) | reservedBits).le32(FOOTER_MAGIC);
        byte[] content = table.toArray();
        return new ZstdForge()
                .put(frames.toArray())
                .le32(TABLE_MAGIC)
                .le32(content.length)
                .put(content)
                .toArray();
    }
}
