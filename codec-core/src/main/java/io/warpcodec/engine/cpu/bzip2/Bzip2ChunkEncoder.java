package io.warpcodec.engine.cpu.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.base.CpuChunkEncoder;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.bzip2.Bzip2BitWriter;
import io.warpcodec.format.checksum.Bzip2Crc32;
import java.nio.ByteBuffer;

/**
 * Encodes a chunk as bzip2 blocks: mostly one, more where the chunk does not fit in one after the first run-length
 * coding, which makes 4 to 255 equal bytes five.
 *
 * <p>Why not commons-compress: it is slower than Hadoop's own encoder, and writes streams, not blocks.
 */
final class Bzip2ChunkEncoder implements CpuChunkEncoder {
    private static final int MAX_RUN = 255;

    private final int maxBlockBytes;
    private final HeapLeases leases;
    private final Bzip2Sorter sorter = new Bzip2Sorter();
    private final Bzip2SymbolEncoder symbols = new Bzip2SymbolEncoder();
    /** The block after the first run-length coding, then its last column. */
    private byte[] text = new byte[0];

    private byte[] column = new byte[0];
    private int textBytes;

    Bzip2ChunkEncoder(int level, HeapLeases leases) {
        this.maxBlockBytes = maxEncodedBlockBytes(level);
        this.leases = leases;
    }

    @Override
    public EncodedChunk encode(Chunk chunk) {
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
        int capacityBytes =
                Math.min(maxBlockBytes, chunk.bytes() + (chunk.bytes() >> 2) + RUN_BYTES) + Bzip2Sorter.PADDING_BYTES;
        if (text.length < capacityBytes) {
            text = new byte[capacityBytes];
            column = new byte[capacityBytes];
        }
        Body body = new Body(leases);
        int combinedCrc = 0;
        int blocks = 0;
        while (at < limit) {
            int blockLimit = shortenRuns(bytes, at, limit);
            int crc = Bzip2Crc32.value(Bzip2Crc32.update(Bzip2Crc32.START, bytes, at, blockLimit - at));
            int origPtr = sorter.transform(text, textBytes, column);
            int mostBytes = symbols.prepare(column, textBytes);
            symbols.write(crc, origPtr, body.writer, body.reserve(mostBytes));
            combinedCrc = combine(combinedCrc, crc);
            blocks++;
            at = blockLimit;
        }
        return body.chunk(chunk.bytes(), combinedCrc, blocks);
    }

    /** Fills the text with as much as fits in a block; returns where the rest begins. */
    private int shortenRuns(byte[] bytes, int start, int limit) {
        byte[] to = text;
        int capacity = maxBlockBytes;
        int out = 0;
        int at = start;
        while (at < limit) {
            byte value = bytes[at];
            int runLimit = Math.min(limit, at + MAX_RUN);
            int end = at + 1;
            while (end < runLimit && bytes[end] == value) {
                end++;
            }
            int run = end - at;
            if (out + (run < RUN_BYTES ? run : RUN_BYTES + 1) > capacity) {
                break;
            }
            for (int i = Math.min(run, RUN_BYTES); i > 0; i--) {
                to[out++] = value;
            }
            if (run >= RUN_BYTES) {
                to[out++] = (byte) (run - RUN_BYTES);
            }
            at = end;
        }
        textBytes = out;
        return at;
    }

    /** The blocks of one chunk, bit to bit, in a lease that grows. */
    private static final class Body {
        final Bzip2BitWriter writer = new Bzip2BitWriter();
        private final HeapLeases leases;
        private Lease lease;
        private ByteBuffer target;

        Body(HeapLeases leases) {
            this.leases = leases;
        }

        /** The target, with a capacity of so many bytes and those that the writer holds back. */
        ByteBuffer reserve(int bytes) {
            int filled = target == null ? 0 : target.position();
            int needed = filled + bytes + Long.BYTES;
            if (lease == null || lease.capacity() < needed) {
                Lease next = leases.lease(needed, "encode");
                if (lease != null) {
                    next.memory().put(0, lease.memory(), 0, filled);
                    lease.release();
                }
                lease = next;
                target = lease.memory().duplicate().position(filled);
            }
            return target;
        }

        EncodedChunk chunk(int rawBytes, int combinedCrc, int blocks) {
            long bits = 8L * target.position() + writer.heldBits();
            writer.pad(target);
            return new EncodedChunk(target.flip(), bits, rawBytes, combinedCrc, blocks, lease::release);
        }
    }

    @Override
    public void close() {
        // only heap memory
    }
}
