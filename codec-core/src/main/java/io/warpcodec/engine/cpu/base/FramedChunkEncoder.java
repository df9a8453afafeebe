package io.warpcodec.engine.cpu.base;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.format.EncodedChunk;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Encodes a chunk as raw bodies of bounded size, each with its length before it as a big-endian number: inner chunks of
 * Hadoop's framing, blocks of a xerial stream.
 */
public final class FramedChunkEncoder implements CpuChunkEncoder {
    private static final int LENGTH_BYTES = 4;

    private final RawBodyEncoder encoder;
    private final int bodyRawBytes;
    private final HeapLeases leases;
    private final HeapView raw = new HeapView();

    /** @param bodyRawBytes most raw bytes of one body */
    public FramedChunkEncoder(RawBodyEncoder encoder, int bodyRawBytes, HeapLeases leases) {
        this.encoder = encoder;
        this.bodyRawBytes = bodyRawBytes;
        this.leases = leases;
    }

    @Override
    public EncodedChunk encode(Chunk chunk) throws IOException {
        raw.of(chunk.bytesView());
        int bodies = (chunk.bytes() + bodyRawBytes - 1) / bodyRawBytes;
        int mostBytes = bodies * (LENGTH_BYTES + encoder.maxBodyBytes(Math.min(bodyRawBytes, chunk.bytes())));
        Lease lease = leases.lease(mostBytes, "encode");
        ByteBuffer body = lease.memory().duplicate();
        boolean done = false;
        try {
            for (int at = 0; at < chunk.bytes(); at += bodyRawBytes) {
                int count = Math.min(bodyRawBytes, chunk.bytes() - at);
                int bodyAt = body.position() + LENGTH_BYTES;
                int bodyBytes =
                        encoder.encode(raw.array(), raw.start() + at, count, body.array(), body.arrayOffset() + bodyAt);
                body.putInt(bodyBytes).position(bodyAt + bodyBytes);
            }
            done = true;
        } finally {
            if (!done) {
                lease.release();
            }
        }
        body.flip();
        return new EncodedChunk(body, 8L * body.remaining(), chunk.bytes(), 0, lease::release);
    }

    @Override
    public void close() {
        encoder.close();
    }
}
