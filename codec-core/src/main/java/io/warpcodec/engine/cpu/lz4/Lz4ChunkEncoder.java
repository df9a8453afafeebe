package io.warpcodec.engine.cpu.lz4;

import static io.warpcodec.format.lz4.Lz4Format.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.base.CpuChunkEncoder;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.lz4.Lz4BlockHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * Encodes chunks as LZ4 blocks through lz4-java, laid as the framing's assembler expects them: blocks of 64 KiB with
 * their sizes for a frame, chunks of 128 KiB with theirs for Hadoop, one bare block for LZ4Block.
 */
final class Lz4ChunkEncoder implements CpuChunkEncoder {
    private static final int LAST_FAST_LEVEL = 2;
    private static final int HIGHEST_LEVEL = 12;

    private final LZ4Compressor compressor;
    private final Framing framing;
    private final HeapLeases leases;

    /** @param options level 1 and 2 are LZ4's fast mode, 3 to 12 its high compression */
    Lz4ChunkEncoder(CodecOptions options, HeapLeases leases) {
        int level = options.level(Format.LZ4);
        LZ4Factory factory = LZ4Factory.fastestInstance();
        this.compressor = level <= LAST_FAST_LEVEL
                ? factory.fastCompressor()
                : factory.highCompressor(Math.min(level, HIGHEST_LEVEL));
        this.framing = options.framing();
        this.leases = leases;
    }

    @Override
    public EncodedChunk encode(Chunk chunk) {
        ByteBuffer raw = chunk.bytesView();
        int blockRawBytes = blockRawBytes(chunk.bytes());
        int blocks = (chunk.bytes() + blockRawBytes - 1) / blockRawBytes;
        Lease lease = leases.lease(blocks * (4 + (int) maxBlockBytes(blockRawBytes)), "encode");
        ByteBuffer body = lease.memory().duplicate().order(order());
        for (int at = 0; at < chunk.bytes(); at += blockRawBytes) {
            block(raw, at, Math.min(blockRawBytes, chunk.bytes() - at), body);
        }
        body.flip();
        return new EncodedChunk(body, 8L * body.remaining(), chunk.bytes(), checksum(raw), lease::release);
    }

    private int blockRawBytes(int chunkBytes) {
        return switch (framing) {
            case STANDARD -> Math.min(chunkBytes, OUR_BLOCK_BYTES);
            case HADOOP -> Math.min(chunkBytes, HADOOP_CHUNK_BYTES);
            case SPARK -> chunkBytes;
        };
    }

    private ByteOrder order() {
        return framing == Framing.HADOOP ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /** Encodes raw bytes as one block at the body's position, with its size before it where the framing has one. */
    private void block(ByteBuffer raw, int at, int bytes, ByteBuffer body) {
        int sizeAt = body.position();
        int blockAt = framing == Framing.SPARK ? sizeAt : sizeAt + 4;
        int blockBytes = compressor.compress(raw, at, bytes, body, blockAt, body.capacity() - blockAt);
        int size = blockBytes;
        if (framing != Framing.HADOOP && blockBytes >= bytes) {
            body.put(blockAt, raw, at, bytes);
            blockBytes = bytes;
            size = bytes | UNCOMPRESSED;
        }
        if (framing != Framing.SPARK) {
            body.putInt(sizeAt, size);
        }
        body.position(blockAt + blockBytes);
    }

    private int checksum(ByteBuffer raw) {
        return switch (framing) {
            case STANDARD -> Lz4Hash.of(raw, raw.position(), raw.remaining(), 0);
            case HADOOP -> 0;
            case SPARK ->
                Lz4BlockHeader.checksum(Lz4Hash.of(raw, raw.position(), raw.remaining(), Lz4BlockHeader.CHECKSUM_SEED));
        };
    }

    @Override
    public void close() {
        // lz4-java's compressors hold nothing
    }
}
