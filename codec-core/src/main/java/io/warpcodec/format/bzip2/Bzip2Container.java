package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.Container;
import io.warpcodec.format.ContainerHeader;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.SyncPoints;
import java.nio.ByteBuffer;

/** bzip2 streams. */
public enum Bzip2Container implements Container {
    INSTANCE;

    @Override
    public Format format() {
        return Format.BZIP2;
    }

    @Override
    public Scanner scanner(CodecOptions options) {
        return new Bzip2Scanner();
    }

    @Override
    public Assembler assembler(CodecOptions options) {
        return new Bzip2Assembler(options.level(Format.BZIP2));
    }

    @Override
    public SyncPoints syncPoints() {
        return new Bzip2SyncPoints();
    }

    /** A signature, a level, and the magic of a block or of the end. */
    @Override
    public boolean isRecognised(ByteBuffer head) {
        if (head.limit() < HEADER_BYTES + MAGIC_BITS / Byte.SIZE) {
            return false;
        }
        int level = head.get(HEADER_BYTES - 1) - '0';
        long magic = 0;
        for (int at = 0; at < MAGIC_BITS / Byte.SIZE; at++) {
            magic = magic << Byte.SIZE | head.get(HEADER_BYTES + at) & 0xff;
        }
        return Integer.reverseBytes(head.getInt(0)) >>> Byte.SIZE == SIGNATURE
                && level >= MIN_LEVEL
                && level <= MAX_LEVEL
                && (magic == BLOCK_MAGIC || magic == END_MAGIC);
    }

    @Override
    public ContainerHeader describe(ByteBuffer head) {
        return new ContainerHeader("bzip2", "CRC-32", "not needed");
    }
}
