package io.warpcodec.engine.cpu;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.bzip2.Bzip2BitWriter;
import io.warpcodec.format.bzip2.Bzip2Magic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/**
 * Encodes a chunk as bzip2 blocks through commons-compress: mostly one, more where the chunk does not fit in one. Each block
 * is written as a stream of its own, out of which its bits are then taken.
 */
final class Bzip2ChunkEncoder implements CpuChunkEncoder {
    // How much fits in a block is decided by its size after the first run-length coding, which makes four equal bytes
    // five
    // and up to 255 equal ones five too. It is counted here first, so that the library never ends a block by itself:
    // the
    // number of blocks, which the combined CRC depends on, cannot be seen in the bits.
    //
    // The library sizes its tables by its level, about 9 bytes per byte of the largest block; a block gets the lowest
    // level
    // that holds it. The level is not in the block.

    /** Where the library ends a run. */
    private static final int MAX_RUN = 255;

    private static final int SLACK_BYTES = 1 << 10;

    private final int maxBlockBytes;
    private final HeapLeases leases;
    private final Sink sink = new Sink();

    /** The stream of one block. */
    private static final class Sink extends ByteArrayOutputStream {
        Sink() {
            super(SLACK_BYTES);
        }

        @Override
        public synchronized void write(int value) {
            if (count == buf.length) {
                super.write(value);
            } else {
                buf[count++] = (byte) value;
            }
        }

        ByteBuffer view() {
            return ByteBuffer.wrap(buf, 0, count).slice();
        }
    }

    Bzip2ChunkEncoder(int level, HeapLeases leases) {
        this.maxBlockBytes = maxEncodedBlockBytes(level);
        this.leases = leases;
    }

    @Override
    public EncodedChunk encode(Chunk chunk) throws IOException {
        ByteBuffer raw = chunk.bytesView();
        byte[] bytes;
        int at;
        if (raw.hasArray()) {
            bytes = raw.array();
            at = raw.arrayOffset();
        } else {
            bytes = new byte[raw.remaining()];
            raw.get(bytes);
            at = 0;
        }
        int limit = at + chunk.bytes();
        Body body = new Body(leases);
        int combinedCrc = 0;
        int blocks = 0;
        try {
            while (at < limit) {
                int blockLimit = blockLimit(bytes, at, limit);
                combinedCrc = combine(combinedCrc, encodeBlock(bytes, at, blockLimit, body));
                blocks++;
                at = blockLimit;
            }
        } catch (IOException | RuntimeException failed) {
            body.release();
            throw failed;
        }
        return body.chunk(chunk.bytes(), combinedCrc, blocks);
    }

    /** How far from {@code start} on the bytes fit in one block. */
    private int blockLimit(byte[] bytes, int start, int limit) {
        int room = maxBlockBytes;
        int at = start;
        while (at < limit) {
            byte value = bytes[at];
            int runLimit = Math.min(limit, at + MAX_RUN);
            int end = at + 1;
            while (end < runLimit && bytes[end] == value) {
                end++;
            }
            room -= runBytes(end - at);
            if (room < 0) {
                break;
            }
            at = end;
        }
        return at;
    }

    private static int runBytes(int run) {
        return run < RUN_BYTES ? run : RUN_BYTES + 1;
    }

    /** Adds a block to the body and returns its CRC. */
    private int encodeBlock(byte[] bytes, int start, int limit, Body body) throws IOException {
        sink.reset();
        int mostBytes = limit - start + (limit - start >> 2) + maxBlockBytes(1) - maxEncodedBlockBytes(1);
        int level = Math.min(MAX_LEVEL, mostBytes / maxBlockBytes(1) + 1);
        try (BZip2CompressorOutputStream out = new BZip2CompressorOutputStream(sink, level)) {
            out.write(bytes, start, limit - start);
        }
        ByteBuffer stream = sink.view();
        int trailerBit = 8 * stream.capacity() - TRAILER_BITS;
        while (Bzip2Magic.peek(stream, trailerBit, MAGIC_BITS) != END_MAGIC) {
            trailerBit--;
        }
        body.add(stream.position(HEADER_BYTES), trailerBit - HEADER_BITS);
        return (int) Bzip2Magic.peek(stream, HEADER_BITS + MAGIC_BITS, CRC_BITS);
    }

    /** The blocks of one chunk, bit to bit, in a lease that grows. */
    private static final class Body {
        private final HeapLeases leases;
        private final Bzip2BitWriter writer = new Bzip2BitWriter();
        private Lease lease;
        private ByteBuffer target;
        private long bits;

        Body(HeapLeases leases) {
            this.leases = leases;
        }

        void add(ByteBuffer block, int blockBits) {
            int filled = target == null ? 0 : target.position();
            int needed = filled + block.remaining() + Long.BYTES;
            if (lease == null || lease.capacity() < needed) {
                Lease next = leases.lease(needed, "encode");
                if (lease != null) {
                    next.memory().put(0, lease.memory(), 0, filled);
                    lease.release();
                }
                lease = next;
                target = lease.memory().duplicate().position(filled);
            }
            writer.put(block, blockBits, target);
            bits += blockBits;
        }

        EncodedChunk chunk(int rawBytes, int combinedCrc, int blocks) {
            writer.pad(target);
            return new EncodedChunk(target.flip(), bits, rawBytes, combinedCrc, blocks, lease::release);
        }

        void release() {
            if (lease != null) {
                lease.release();
            }
        }
    }

    @Override
    public void close() {
        // only heap memory
    }
}
