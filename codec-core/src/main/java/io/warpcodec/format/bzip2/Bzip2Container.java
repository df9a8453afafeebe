package io.warpcodec.format.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.BufferWindow;
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
        ByteBuffer bytes = head.slice(0, head.limit());
        return isHeader(new BufferWindow(bytes, 0)) && isMagic(Bzip2Magic.peek(bytes, HEADER_BITS, MAGIC_BITS));
    }

    @Override
    public ContainerHeader describe(ByteBuffer head) {
        return new ContainerHeader("bzip2", "CRC-32", "not needed");
    }
}
