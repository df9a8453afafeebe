package io.warpcodec.forge;

import io.warpcodec.Format;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.xerial.snappy.Snappy;

/** Builds Hadoop's framing of LZ4 or Snappy length by length: a block's raw size, then chunks with their sizes. */
public final class HadoopFramingForge {
    private final boolean lz4;
    private final Bytes file = new Bytes();

    public HadoopFramingForge(Format format) {
        this.lz4 = format == Format.LZ4;
    }

    /** A block of one chunk for each part. */
    public HadoopFramingForge block(byte[]... parts) {
        int total = 0;
        for (byte[] part : parts) {
            total += part.length;
        }
        total(total);
        for (byte[] part : parts) {
            chunk(part);
        }
        return this;
    }

    /** A block's length field alone. */
    public HadoopFramingForge total(long rawBytes) {
        file.be32(rawBytes);
        return this;
    }

    public HadoopFramingForge chunk(byte[] raw) {
        byte[] data = compress(raw);
        return chunk(data.length, data);
    }

    /** Any length before any bytes. */
    public HadoopFramingForge chunk(long length, byte... data) {
        file.be32(length).put(data);
        return this;
    }

    public byte[] compress(byte[] raw) {
        try {
            return lz4 ? Lz4Forge.block(raw) : Snappy.compress(raw);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public byte[] build() {
        return file.toArray();
    }
}
