package io.warpcodec.engine.cpu.base;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.DecodedChunk.Status;
import io.warpcodec.engine.Lease;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.DataFormatException;

/**
 * Decodes chunks that are raw bodies with their lengths before them, in one go into one lease: an outer block of
 * Hadoop's framing, or blocks of a xerial stream.
 */
public final class FramedChunkDecoder implements CpuChunkDecoder {
    private static final int LENGTH_BYTES = 4;

    private final RawBodyDecoder decoder;
    private final boolean outerLength;
    private final HeapLeases leases;
    private final HeapView bytes = new HeapView();

    /**
     * @param outerLength whether a chunk starts with its raw size (Hadoop's framing); else the scanner's hint must be
     *     true
     */
    public FramedChunkDecoder(RawBodyDecoder decoder, boolean outerLength, HeapLeases leases) {
        this.decoder = decoder;
        this.outerLength = outerLength;
        this.leases = leases;
    }

    @Override
    public DecodedChunk decode(Chunk chunk, int budgetBytes, ByteBuffer target) {
        ByteBuffer input = chunk.bytesView();
        if (outerLength && input.remaining() < LENGTH_BYTES) {
            return DecodedChunk.failed(Status.UNDECODABLE, "chunk ends in its raw size");
        }
        int rawBytes = outerLength ? input.getInt() : chunk.rawBytes();
        if (rawBytes < 0) {
            return DecodedChunk.failed(Status.UNDECODABLE, "raw size is unknown");
        }
        if (rawBytes > budgetBytes) {
            return DecodedChunk.failed(Status.NEEDS_OUTPUT, "over the output budget");
        }
        Lease lease = leases.lease(Math.max(1, rawBytes), "decode", target);
        boolean done = false;
        try {
            bodies(input, lease, rawBytes);
            if (rawBytes == 0) {
                return DecodedChunk.done(List.of());
            }
            done = true;
            return DecodedChunk.done(List.of(new DecodedChunk.Output(lease, rawBytes)));
        } catch (DataFormatException bad) {
            return DecodedChunk.failed(Status.UNDECODABLE, bad.getMessage());
        } finally {
            if (!done) {
                lease.release();
            }
        }
    }

    private void bodies(ByteBuffer input, Lease lease, int rawBytes) throws DataFormatException {
        byte[] raw = lease.memory().array();
        int rawStart = lease.memory().arrayOffset();
        bytes.of(input);
        int base = bytes.start() - input.position();
        int rawAt = 0;
        while (rawAt < rawBytes || input.hasRemaining() && !outerLength) {
            if (input.remaining() < LENGTH_BYTES) {
                throw new DataFormatException("chunk ends in a length");
            }
            int bodyBytes = input.getInt();
            if (bodyBytes <= 0 || bodyBytes > input.remaining()) {
                throw new DataFormatException("body of " + bodyBytes + " bytes");
            }
            int bodyStart = base + input.position();
            int capacity = decoder.capacityFor(bytes.array(), bodyStart, bodyBytes, rawBytes - rawAt);
            rawAt += decoder.decode(bytes.array(), bodyStart, bodyBytes, raw, rawStart + rawAt, capacity);
            input.position(input.position() + bodyBytes);
        }
        if (input.hasRemaining()) {
            throw new DataFormatException(input.remaining() + " bytes are left over");
        }
    }

    @Override
    public void close() {
        // array libraries hold nothing
    }
}
