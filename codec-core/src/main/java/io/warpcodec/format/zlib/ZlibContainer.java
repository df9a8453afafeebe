package io.warpcodec.format.zlib;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.Container;
import io.warpcodec.format.ContainerHeader;
import io.warpcodec.format.Scanner;
import java.nio.ByteBuffer;

/** zlib streams. */
public enum ZlibContainer implements Container {
    INSTANCE;

    @Override
    public Format format() {
        return Format.ZLIB;
    }

    @Override
    public Scanner scanner(CodecOptions options) {
        return new ZlibScanner(options.framing());
    }

    @Override
    public Assembler assembler(CodecOptions options) {
        return new ZlibAssembler(options.level(Format.ZLIB));
    }

    /**
     * RFC 1950: method 8, window up to 32 KiB, no dictionary, header a multiple of 31. One text in a thousand begins
     * so.
     */
    @Override
    public boolean isPossible(ByteBuffer head) {
        return head.limit() >= ZlibFormat.HEADER_BYTES
                && ZlibFormat.headerDefect(head.get(0) & 0xff, head.get(1) & 0xff) == null;
    }

    @Override
    public ContainerHeader describe(ByteBuffer head) {
        return new ContainerHeader("zlib", "Adler-32", ContainerHeader.NONE);
    }
}
