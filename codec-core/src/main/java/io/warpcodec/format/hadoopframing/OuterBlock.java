package io.warpcodec.format.hadoopframing;

import java.util.zip.DataFormatException;

/**
 * The meaning of an outer block's lengths, for the sessions of all formats that have this framing. It says which
 * length is an error, and where the block or the stream ends. A session is told what comes next, and tells each
 * length and what each chunk decoded to. Reused from block to block; not thread-safe.
 *
 * <p>Lenient, the stream ends where stock Hadoop's BlockDecompressorStream ends it without an error:
 * <ul>
 *   <li>anywhere in the input;
 *   <li>at a raw size of 0;
 *   <li>at a negative raw size behind the first block;
 *   <li>behind the first chunk of a first block whose raw size is negative;
 *   <li>behind a chunk with which a block holds more than it said.
 * </ul>
 * Chunks of length 0 are passed over.
 */
public final class OuterBlock {
    /** What comes next in the input. */
    public enum Next {
        RAW_BYTES,
        CHUNK_BYTES,
        CHUNK,
        /** Another outer block. */
        FINISHED,
        /** Nothing that counts: the stream is over, whatever follows. */
        DROPPED
    }

    private final boolean lenient;
    private boolean first;
    private boolean chunkAlone;
    private Next next;
    private int chunkBytes;
    private long rawLeftBytes;

    /** @param lenient read damaged streams as stock Hadoop does */
    public OuterBlock(boolean lenient) {
        this.lenient = lenient;
    }

    /** @param firstOfStream whether no other block stands before it */
    public void begin(boolean firstOfStream) {
        first = firstOfStream;
        chunkAlone = false;
        next = Next.RAW_BYTES;
    }

    /** A chunk with its length that stands in no outer block. */
    public void beginChunkAlone() {
        chunkAlone = true;
        rawLeftBytes = Integer.MAX_VALUE;
        next = Next.CHUNK_BYTES;
    }

    public Next next() {
        return next;
    }

    public void rawBytes(int bytes) throws DataFormatException {
        if (bytes < 0 && !lenient) {
            throw new DataFormatException("an outer block of " + bytes + " bytes");
        }
        rawLeftBytes = bytes;
        if (bytes > 0 || bytes < 0 && first) {
            next = Next.CHUNK_BYTES;
        } else {
            next = lenient ? Next.DROPPED : Next.FINISHED;
        }
    }

    public void chunkBytes(int bytes) throws DataFormatException {
        if (bytes < 0 || bytes == 0 && !lenient) {
            throw new DataFormatException("a chunk of " + bytes + " bytes");
        }
        chunkBytes = bytes;
        next = bytes == 0 ? Next.CHUNK_BYTES : Next.CHUNK;
    }

    /** The length of the chunk that comes next. */
    public int chunkBytes() {
        return chunkBytes;
    }

    /** Raw bytes that the block has not come to yet; negative if it said so. */
    public long rawLeftBytes() {
        return rawLeftBytes;
    }

    /** The most that the next chunk may decode to, if memory allows no more than this. */
    public int mostRawBytes(int budgetBytes) {
        return lenient ? budgetBytes : (int) Math.min(rawLeftBytes, budgetBytes);
    }

    /** The chunk has been decoded. */
    public void decoded(int rawBytes) {
        rawLeftBytes -= rawBytes;
        if (chunkAlone || rawLeftBytes == 0) {
            next = Next.FINISHED;
        } else {
            next = rawLeftBytes < 0 ? Next.DROPPED : Next.CHUNK_BYTES;
        }
    }

    /** Whether a stream that ends here passes as complete. */
    public boolean mayEndHere() {
        return lenient;
    }

    /** Where a stream stands that ends here. */
    public String missing() {
        return switch (next) {
            case RAW_BYTES -> "inside an outer block's size";
            case CHUNK_BYTES ->
                chunkAlone
                        ? "inside a chunk's length"
                        : "inside an outer block, " + rawLeftBytes + " raw bytes before its end";
            default -> "inside a chunk of " + chunkBytes + " bytes";
        };
    }
}
