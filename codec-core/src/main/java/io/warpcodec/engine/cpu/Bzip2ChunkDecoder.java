package io.warpcodec.engine.cpu;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.DecodedChunk.Output;
import io.warpcodec.engine.DecodedChunk.Status;
import io.warpcodec.engine.Lease;
import io.warpcodec.format.bzip2.Bzip2Block;
import io.warpcodec.format.bzip2.Bzip2Randomisation;
import io.warpcodec.format.checksum.Bzip2Crc32;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes one bzip2 block: its symbols, then the inverse Burrows-Wheeler transform, then the runs, then the CRC. A block is at
 * most 46.6 MB of raw bytes, so it always fits, whatever the budget; it comes in leases of at most {@link #MAX_LEASE_BYTES}.
 *
 * <p>Why not commons-compress: it does not refuse all that bzip2 refuses (a block that runs out of selectors, a single prefix
 * code, code lengths out of range), cannot say where a block ends, and is slower than Hadoop's own decoder.
 */
final class Bzip2ChunkDecoder implements CpuChunkDecoder {
    // The inverse transform is the usual one: element i of the column gets, above its byte, the index of the row that
    // follows the row which byte i starts; the text is then a walk from row to row. The walk waits for memory at each
    // step
    // and is most of a block's time; so it does nothing else.

    private static final int MAX_LEASE_BYTES = 1 << 20;
    private static final int MIN_LEASE_BYTES = 4 << 10;
    /** What one step of expanding runs can write. */
    private static final int STEP_BYTES = MAX_RUN_RAW_BYTES + 1;

    /** Equals no byte. */
    private static final int NO_BYTE = 256;

    private final HeapLeases leases;
    private final Bzip2SymbolDecoder symbols = new Bzip2SymbolDecoder();
    private byte[] text = new byte[0];

    private final List<Output> outputs = new ArrayList<>();
    private Lease lease;
    private int leaseBytes;
    private int crc;

    Bzip2ChunkDecoder(HeapLeases leases) {
        this.leases = leases;
    }

    @Override
    public DecodedChunk decode(Chunk chunk, int budgetBytes, ByteBuffer room) {
        try {
            symbols.decode(chunk.bytesView(), (Bzip2Block) chunk.detail(), chunk.offset());
            unsort();
            if (symbols.header().randomised()) {
                Bzip2Randomisation.undo(text, symbols.length());
            }
            expandRuns(chunk.offset());
            if (Bzip2Crc32.value(crc) != symbols.header().crc()) {
                throw new CorruptDataException(Format.BZIP2, chunk.offset(), "its CRC is wrong");
            }
            return DecodedChunk.done(List.copyOf(outputs));
        } catch (CorruptDataException corrupt) {
            outputs.forEach(output -> output.lease().release());
            return DecodedChunk.failed(Status.UNDECODABLE, corrupt.reason());
        } finally {
            outputs.clear();
            if (lease != null) {
                lease.release();
                lease = null;
            }
        }
    }

    private void unsort() {
        int[] column = symbols.column();
        int length = symbols.length();
        int[] rows = symbols.counts();
        int row = 0;
        for (int value = 0; value < 256; value++) {
            int count = rows[value];
            rows[value] = row;
            row += count;
        }
        for (int i = 0; i < length; i++) {
            column[rows[column[i] & 0xff]++] |= i << 8;
        }
        if (text.length < length) {
            text = new byte[column.length];
        }
        byte[] bytes = text;
        int next = column[symbols.header().origPtr()] >>> 8;
        for (int i = 0; i < length; i++) {
            int element = column[next];
            bytes[i] = (byte) element;
            next = element >>> 8;
        }
    }

    /** Copies the text; after four equal bytes, a fifth tells how many more follow. */
    private void expandRuns(long offset) throws CorruptDataException {
        byte[] from = text;
        int length = symbols.length();
        crc = Bzip2Crc32.START;
        leaseBytes = 0;
        int at = 0;
        int run = 0;
        int before = NO_BYTE;
        while (at < length) {
            nextLease(length - at);
            byte[] to = lease.memory().array();
            int start = lease.memory().arrayOffset();
            int out = start;
            int limit = start + lease.capacity() - STEP_BYTES;
            while (at < length && out <= limit) {
                byte value = from[at++];
                to[out++] = value;
                if (value != before) {
                    before = value;
                    run = 1;
                } else if (++run == RUN_BYTES) {
                    if (at == length) {
                        throw new CorruptDataException(Format.BZIP2, offset, "it ends where a run's length should be");
                    }
                    int more = from[at++] & 0xff;
                    for (int i = 0; i < more; i++) {
                        to[out++] = value;
                    }
                    before = NO_BYTE;
                    run = 0;
                }
            }
            crc = Bzip2Crc32.update(crc, to, start, out - start);
            outputs.add(new Output(lease, out - start));
            lease = null;
        }
    }

    /** Takes a lease for as many bytes as are left if no run expands, and for twice as many as last time. */
    private void nextLease(int bytesLeft) {
        int wanted = Math.max(bytesLeft + (bytesLeft >> 4), 2 * leaseBytes) + STEP_BYTES;
        leaseBytes = Math.max(MIN_LEASE_BYTES, Math.min(MAX_LEASE_BYTES, wanted));
        lease = leases.lease(leaseBytes, "decode");
    }

    @Override
    public void close() {
        // only heap memory
    }
}
