package io.warpcodec.engine.cpu.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.DecodedChunk.Output;
import io.warpcodec.engine.DecodedChunk.Status;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.bzip2.Bzip2Expansion;
import io.warpcodec.engine.cpu.base.CpuChunkDecoder;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.format.bzip2.Bzip2Block;
import io.warpcodec.format.bzip2.Bzip2Randomisation;
import io.warpcodec.format.bzip2.Bzip2Runs;
import io.warpcodec.format.checksum.Bzip2Crc32;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes one bzip2 block: its symbols, then the inverse Burrows-Wheeler transform, then the runs, then the CRC. The
 * text between the transform and the runs is at most 900,000 bytes, what the runs make of it up to 46.6 MB. So a
 * block always fits, whatever the budget. A block that makes more than {@link #MOST_WHOLE_BYTES} is expanded once for
 * its CRC, and again piece by piece while it is read.
 *
 * <p>Why not commons-compress: it does not refuse all that bzip2 refuses. It takes a block that runs out of
 * selectors, a single prefix code, and code lengths out of range. It cannot say where a block ends, and is slower
 * than Hadoop's own decoder.
 */
final class Bzip2ChunkDecoder implements CpuChunkDecoder {
    // The inverse transform is the usual one: element i of the column gets, above its byte, the index of the row that
    // follows the row which byte i starts; the text is then a walk from row to row. The walk waits for memory at each
    // step and is most of a block's time; so it does nothing else.

    /** More than a block of text without many runs comes to. */
    private static final int MOST_WHOLE_BYTES = 1 << 20;

    private static final int MIN_LEASE_BYTES = 4 << 10;

    private final HeapLeases leases;
    private final Bzip2SymbolDecoder symbols = new Bzip2SymbolDecoder();
    private byte[] text = new byte[0];

    private final List<Output> outputs = new ArrayList<>();
    private Lease lease;

    Bzip2ChunkDecoder(HeapLeases leases) {
        this.leases = leases;
    }

    @Override
    public DecodedChunk decode(Chunk chunk, int budgetBytes, ByteBuffer target) {
        try {
            symbols.decode(chunk.bytesView(), (Bzip2Block) chunk.detail(), chunk.offset());
            unsort();
            if (symbols.header().randomised()) {
                Bzip2Randomisation.undo(text, symbols.length());
            }
            return expand(chunk.offset());
        } catch (CorruptDataException corrupt) {
            releaseOutputs();
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

    /** Expands all of the text for its CRC, and keeps what comes while that is not too much. */
    private DecodedChunk expand(long offset) throws CorruptDataException {
        Bzip2Runs runs = new Bzip2Runs(text, symbols.length());
        int crc = Bzip2Crc32.START;
        int rawBytes = 0;
        while (!runs.ended()) {
            nextLease(runs.leastBytesLeft(), rawBytes);
            byte[] to = lease.memory().array();
            int start = lease.memory().arrayOffset();
            int count = runs.read(to, start, start + lease.capacity());
            crc = Bzip2Crc32.update(crc, to, start, count);
            rawBytes += count;
            if (rawBytes <= MOST_WHOLE_BYTES) {
                outputs.add(new Output(lease, count));
                lease = null;
            } else {
                releaseOutputs();
            }
        }
        if (runs.isCutShort()) {
            throw new CorruptDataException(Format.BZIP2, offset, "it ends where a run's length should be");
        }
        if (Bzip2Crc32.value(crc) != symbols.header().crc()) {
            throw new CorruptDataException(Format.BZIP2, offset, "its CRC is wrong");
        }
        if (rawBytes <= MOST_WHOLE_BYTES) {
            return DecodedChunk.done(List.copyOf(outputs));
        }
        DecodedChunk expanding = DecodedChunk.done(new Bzip2Expansion(text, symbols.length(), rawBytes));
        text = new byte[0];
        return expanding;
    }

    /** Takes a lease for as many bytes as are left if no run expands, and for as many as came before. */
    private void nextLease(int leastBytesLeft, int rawBytes) {
        if (lease == null) {
            int wanted = Math.max(leastBytesLeft + (leastBytesLeft >> 4), rawBytes);
            lease = leases.lease(Math.max(MIN_LEASE_BYTES, Math.min(MOST_WHOLE_BYTES, wanted)), "decode");
        }
    }

    private void releaseOutputs() {
        outputs.forEach(output -> output.lease().release());
        outputs.clear();
    }

    @Override
    public void close() {
        // only heap memory
    }
}
