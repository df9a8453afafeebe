package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.zstd.ZstdFormat;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Walks through one frame block by block. Not thread-safe. */
final class ZstdReferenceFrame {
    private final byte[] file;
    private final ZstdFrameHeader header;
    private final ZstdReferenceDecoder decoder = new ZstdReferenceDecoder();
    private int at;
    private boolean ended;

    /** @param from where the frame's magic stands */
    ZstdReferenceFrame(byte[] file, int from) throws ZstdDefect {
        ZstdDefect.unless(file.length - from >= ZstdFormat.LEAST_HEADER_BYTES, "a header that is cut off");
        int headerBytes = ZstdFrameHeader.bytes(file[from + ZstdFormat.MAGIC_BYTES] & 0xff);
        ZstdDefect.unless(file.length - from >= headerBytes, "a header that is cut off");
        this.file = file;
        header = ZstdFrameHeader.at(new BufferWindow(ByteBuffer.wrap(file), 0), from);
        ZstdDefect.unless(header.refusal(Integer.MAX_VALUE) == null, "a header that is refused");
        at = from + headerBytes;
    }

    ZstdFrameHeader header() {
        return header;
    }

    /** The state behind the blocks that were decoded. */
    ZstdReferenceDecoder state() {
        return decoder;
    }

    /** Where the next block begins, or the checksum. */
    int at() {
        return at;
    }

    boolean ended() {
        return ended;
    }

    /** All bytes that were decoded. */
    byte[] content() {
        return Arrays.copyOf(decoder.content, decoder.contentBytes);
    }

    private int blockHeader(int index) throws ZstdDefect {
        ZstdDefect.unless(file.length - index >= ZstdFormat.BLOCK_HEADER_BYTES, "a block that is cut off");
        return ZstdBits.forward(file, 8 * index, 24, file.length);
    }

    /** Decodes the next block. */
    void block() throws ZstdDefect {
        int block = blockHeader(at);
        int type = block >> 1 & 3;
        int size = block >> 3;
        int before = decoder.contentBytes;
        at += ZstdFormat.BLOCK_HEADER_BYTES;
        int bytes = type == 1 ? 1 : size;
        ZstdDefect.unless(type != 3 && size <= header.maxBlockBytes(), "a block of no type, or too long");
        ZstdDefect.unless(bytes <= file.length - at, "a block that is cut off");
        switch (type) {
            case 0 -> decoder.put(file, at, size);
            case 1 -> {
                byte[] run = new byte[size];
                Arrays.fill(run, file[at]);
                decoder.put(run, 0, size);
            }
            default -> decoder.block(file, at, at + size);
        }
        ZstdDefect.unless(decoder.contentBytes - before <= header.maxBlockBytes(), "a block over its maximum");
        at += bytes;
        ended = (block & 1) != 0;
        if (ended) {
            ZstdDefect.unless(
                    !header.hasContentSize() || header.contentBytes() == decoder.contentBytes, "a wrong content size");
            at += header.checksum() ? ZstdFormat.CHECKSUM_BYTES : 0;
            ZstdDefect.unless(at <= file.length, "a checksum that is cut off");
        }
    }

    /** The modes of the next block that has sequences; 0 if there is none. */
    int nextModes() throws ZstdDefect {
        boolean last = ended;
        for (int index = at; !last; ) {
            int block = blockHeader(index);
            last = (block & 1) != 0;
            int begin = index + ZstdFormat.BLOCK_HEADER_BYTES;
            int bytes = (block >> 1 & 3) == 1 ? 1 : block >> 3;
            ZstdDefect.unless(bytes <= file.length - begin, "a block that is cut off");
            int modes = (block >> 1 & 3) == 2 ? ZstdReferenceDecoder.modes(file, begin, begin + bytes) : -1;
            if (modes >= 0) {
                return modes;
            }
            index = begin + bytes;
        }
        return 0;
    }
}
