package io.warpcodec.engine.cpu.base;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.DecodedChunk.Status;
import io.warpcodec.engine.Lease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes chunks by running a session over each: the chunk must be exactly one unit or, for formats whose scanner
 * groups them, a sequence of at most so many whole units as the scanner means.
 *
 * <p>What a chunk's hint claims falsely costs no more than the claim: a chunk is given up where its first units do
 * not fill it, and where it makes more than its raw size says. The first output has that size, within the budget;
 * without one, outputs come as they are needed, up to the budget.
 */
public final class SessionChunkDecoder implements CpuChunkDecoder {
    private static final int GUESS_BYTES = 64 << 10;
    private static final int MORE_BYTES = 256 << 10;

    private final DecodeSession session;
    private final HeapLeases leases;
    private final int mostUnits;

    /** For chunks of exactly one unit. */
    public SessionChunkDecoder(DecodeSession session, HeapLeases leases) {
        this(session, leases, 1);
    }

    /**
     * For chunks of several units.
     *
     * @param session this decoder's own, which it closes
     * @param mostUnits units that a chunk may consist of
     */
    public SessionChunkDecoder(DecodeSession session, HeapLeases leases, int mostUnits) {
        this.session = session;
        this.leases = leases;
        this.mostUnits = mostUnits;
    }

    @Override
    public DecodedChunk decode(Chunk chunk, int budgetBytes, ByteBuffer target) {
        List<DecodedChunk.Output> outputs = new ArrayList<>(1);
        boolean done = false;
        Lease lease = null;
        try {
            session.reset(chunk.offset());
            ByteBuffer input = chunk.bytesView();
            boolean claims = chunk.rawBytes() >= 0;
            int wanted = claims ? chunk.rawBytes() : GUESS_BYTES;
            long producedBytes = 0;
            int units = 1;
            ByteBuffer firstTarget = target;
            while (true) {
                lease = leases.lease(Math.max(1, Math.min(wanted, budgetBytes)), "decode", firstTarget);
                firstTarget = null;
                ByteBuffer output = lease.memory().duplicate();
                DecodeSession.State state = session.decode(input, output);
                while (state == DecodeSession.State.FINISHED && units < mostUnits && input.hasRemaining()) {
                    units++;
                    session.reset(chunk.offset() + input.position());
                    state = session.decode(input, output);
                }
                producedBytes += output.position();
                if (output.position() > 0) {
                    outputs.add(new DecodedChunk.Output(lease, output.position()));
                } else {
                    lease.release();
                }
                lease = null;
                switch (state) {
                    case FINISHED -> {
                        if (input.hasRemaining()) {
                            return DecodedChunk.failed(
                                    Status.UNDECODABLE, "unit ends " + input.remaining() + " bytes before its chunk");
                        }
                        done = true;
                        return DecodedChunk.done(outputs);
                    }
                    case NEEDS_INPUT -> {
                        return DecodedChunk.failed(Status.UNDECODABLE, "chunk ends " + session.missing());
                    }
                    case NEEDS_OUTPUT -> {
                        if (producedBytes >= budgetBytes) {
                            return DecodedChunk.failed(Status.NEEDS_OUTPUT, "over the output budget");
                        }
                        if (claims && producedBytes > chunk.rawBytes()) {
                            return DecodedChunk.failed(
                                    Status.UNDECODABLE,
                                    "unit makes more than the " + chunk.rawBytes() + " bytes claimed");
                        }
                        // with all that was claimed made, nothing more should come
                        wanted = claims ? 1 : MORE_BYTES;
                    }
                }
            }
        } catch (IOException corrupt) {
            return DecodedChunk.failed(Status.UNDECODABLE, corrupt.getMessage());
        } finally {
            if (lease != null) {
                lease.release();
            }
            if (!done) {
                outputs.forEach(output -> output.lease().release());
            }
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
