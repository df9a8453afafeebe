package io.warpcodec.stream.unit;

import io.warpcodec.engine.Lease;
import io.warpcodec.format.Window;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * The compressed side of a stream: a window over leases. Bytes are read straight into the lease that chunks are then
 * cut from, so that cutting copies nothing. When a lease is full, the uncut rest moves to its front. As long as
 * chunks hold the lease, the rest moves to a fresh lease instead.
 *
 * <p>Bytes come from an {@link InputStream} (pull) or from {@link #append} (push). In pull mode the amount read ahead
 * starts at {@link #FIRST_READ_BYTES} and quadruples each time the consumer needs more, up to a maximum. A frugal
 * window starts at {@link #FRUGAL_READ_BYTES} and does not read further ahead before {@link #consumerReadsOn}. A
 * blocking window waits for what a scanner requires. Another window only takes what the source has at hand. It takes
 * that into the memory that it has and, in each batch, into fresh leases of as many bytes as are read ahead.
 *
 * <p>A lease has {@link #LEASE_BYTES} at most, unless a single unit needs more, or more bytes are of use
 * {@linkplain #showTogether together}. To the garbage collector G1, an array of more than half a region is a large
 * object. Its regions have 2 MiB where the heap has 4 GiB. And the less of a lease is read ahead for the next batch,
 * the less memory a stream takes.
 *
 * <p>Not thread-safe.
 */
public final class SourceWindow implements Window {
    static final int FIRST_READ_BYTES = 64 << 10;
    static final int FRUGAL_READ_BYTES = 16 << 10;
    private static final int SMALLEST_BYTES = 4 << 10;
    private static final int LEASE_BYTES = 512 << 10;

    private final InputStream source;
    private final IntFunction<Lease> leases;
    private final int maxReadAheadBytes;
    private int readAheadBytes = FIRST_READ_BYTES;
    private Lease lease;
    private int position;
    private int limit;
    private long offset;
    /** See {@link #expectTo}; 0 if that is not known. */
    private long expectedEnd;

    private boolean ended;
    private boolean blocking = true;
    /** Capacity of the leases that this batch took. */
    private long freshBytes;

    private int leaseBytes = LEASE_BYTES;

    private boolean growthAllowed;
    private boolean frugal;

    /**
     * @param source where bytes come from, or null when they are pushed
     * @param offset absolute offset of the first byte
     * @param leases gives heap memory of at least so many bytes, never null
     */
    SourceWindow(InputStream source, long offset, int maxReadAheadBytes, IntFunction<Lease> leases) {
        this.source = source;
        this.offset = offset;
        this.maxReadAheadBytes = maxReadAheadBytes;
        this.leases = leases;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public int buffered() {
        return limit - position;
    }

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public int u8(int index) {
        return lease.memory().get(position + index) & 0xff;
    }

    @Override
    public ByteBuffer view(int index, int bytes) {
        return lease == null ? ByteBuffer.allocate(0) : lease.memory().slice(position + index, bytes);
    }

    @Override
    public void consume(int bytes) {
        position += bytes;
        offset += bytes;
    }

    /** The source is known to go on to this absolute offset at least. */
    public void expectTo(long endOffset) {
        expectedEnd = endOffset;
    }

    /** Bytes from the window's front on that are known to be there, without waiting; there may be more. */
    long expectedBytes() throws IOException {
        if (source == null || ended) {
            return buffered();
        }
        return Math.max(buffered() + (long) source.available(), expectedEnd - offset);
    }

    /**
     * Makes the window frugal: for a stream whose consumer may want no more than its first bytes, as thousands of
     * open streams do.
     */
    SourceWindow frugal() {
        frugal = true;
        readAheadBytes = FRUGAL_READ_BYTES;
        return this;
    }

    /** The consumer has taken the first bytes and wants more: from now on the window reads ahead. */
    void consumerReadsOn() {
        frugal = false;
    }

    /**
     * Moves what is buffered to as little memory as it needs, if the window is frugal and nothing else holds its
     * memory.
     */
    void trim() {
        int needed = Math.max(buffered(), SMALLEST_BYTES);
        if (!frugal || lease == null || !lease.isHeldOnce() || lease.capacity() < 2 * needed) {
            return;
        }
        if (buffered() == 0) {
            release();
            return;
        }
        Lease less = leases.apply(needed);
        less.memory().put(0, lease.memory(), position, buffered());
        limit = buffered();
        position = 0;
        lease.release();
        lease = less;
    }

    /** Whether bytes come from {@link #append}. */
    boolean isPushed() {
        return source == null;
    }

    /** From now on so many bytes are of use together, so a lease may have as many, if that much is read ahead. */
    void showTogether(int bytes) {
        leaseBytes = Math.max(LEASE_BYTES, bytes);
    }

    /** Whether {@link #require} waits for the source from now on. */
    void setBlocking(boolean value) {
        blocking = value;
    }

    /**
     * A batch begins: a window that is not blocking may take leases for it, if the source has bytes at hand.
     *
     * @param consumerKeepsUp whether a batch was consumed since the last one began: else reading further ahead would
     *     only cost memory
     */
    void beginBatch(boolean consumerKeepsUp) {
        freshBytes = 0;
        growthAllowed = consumerKeepsUp;
    }

    /** Index in {@link #shareLease} of the window's index 0. */
    int position() {
        return position;
    }

    /** The lease under the window, with one holder more. */
    Lease shareLease() {
        return lease.retain();
    }

    @Override
    public boolean require(int bytes) throws IOException {
        return require(bytes, blocking);
    }

    /** A frugal window takes no more memory for it than it has for its first bytes. */
    @Override
    public boolean requireAtHand(int bytes) throws IOException {
        return frugal && bytes > FRUGAL_READ_BYTES ? buffered() >= bytes : require(bytes, false);
    }

    private boolean require(int bytes, boolean waits) throws IOException {
        if (buffered() >= bytes) {
            return true;
        }
        if (ended || source == null) {
            return false;
        }
        if (lease != null && !frugal && (blocking || growthAllowed)) {
            growthAllowed = false;
            readAheadBytes = Math.min(readAheadBytes * 4, Math.max(maxReadAheadBytes, FIRST_READ_BYTES));
        }
        while (buffered() < bytes) {
            boolean mayTakeMemory = blocking || freshBytes < readAheadBytes || canHold(bytes);
            if (!mayTakeMemory || !waits && source.available() <= 0) {
                return false;
            }
            ensureCapacity(bytes);
            int read = readSource(bytes);
            if (read < 0) {
                ended = true;
                return false;
            }
            limit += read;
        }
        return true;
    }

    /**
     * Takes what the source has at hand, as long as there is space for it and fewer bytes than {@code bytes} are
     * buffered. Never waits.
     */
    public void topUp(int bytes) throws IOException {
        while (!ended && lease != null && limit < lease.capacity() && buffered() < bytes && source.available() > 0) {
            int read = readSource(bytes);
            ended = read < 0;
            limit += Math.max(read, 0);
        }
    }

    /**
     * Takes what the source has at hand up to {@code most} bytes, with a larger lease if it takes one, unless half of
     * that is buffered. Never waits.
     *
     * @param least what is gathered in any case if it is at hand
     */
    public void gather(int least, int most) throws IOException {
        if (buffered() >= Math.max(least, most / 2)) {
            return;
        }
        while (!ended && buffered() < most && source.available() > 0) {
            ensureCapacity(most);
            int read = readSource(most);
            ended = read < 0;
            limit += Math.max(read, 0);
        }
    }

    private boolean canHold(int bytes) {
        return lease != null && limit < lease.capacity() && position + bytes <= lease.capacity();
    }

    private int readSource(int requiredBytes) throws IOException {
        ByteBuffer memory = lease.memory();
        int wanted = Math.max(Math.max(readAheadBytes, requiredBytes) - buffered(), SMALLEST_BYTES);
        return source.read(memory.array(), memory.arrayOffset() + limit, Math.min(memory.capacity() - limit, wanted));
    }

    /** Sees to it that the lease has space behind the limit and can hold {@code bytes} from the position. */
    private void ensureCapacity(int bytes) {
        if (canHold(bytes)) {
            return;
        }
        int readAhead = Math.min(Math.min(readAheadBytes, maxReadAheadBytes), leaseBytes);
        int wanted = source == null ? SMALLEST_BYTES : readAhead;
        // a unit that outgrows the read-ahead grows by half, so that a scanner may ask for one byte more at a time
        roll(bytes <= wanted ? wanted : bytes + (bytes >> 1));
        freshBytes += lease.capacity();
    }

    /** Moves what is buffered to the start of a lease that is large enough: this one if no chunk holds it any more. */
    private void roll(int capacityBytes) {
        int kept = buffered();
        if (lease != null && lease.isHeldOnce() && lease.capacity() >= Math.max(capacityBytes, kept + 1)) {
            lease.memory().put(0, lease.memory(), position, kept);
            position = 0;
            limit = kept;
            return;
        }
        Lease next = leases.apply(Math.max(capacityBytes, kept + 1));
        if (lease != null) {
            if (kept > 0) {
                next.memory().put(0, lease.memory(), position, kept);
            }
            lease.release();
        }
        lease = next;
        position = 0;
        limit = kept;
    }

    /** Adds pushed bytes at the end. */
    public void append(byte[] bytes, int start, int length) {
        if (lease == null || limit + length > lease.capacity()) {
            int needed = buffered() + length;
            boolean fits = lease != null && lease.capacity() > needed;
            roll(fits ? needed : Math.max(SMALLEST_BYTES, needed + (needed >> 1)));
        }
        lease.memory().put(limit, bytes, start, length);
        limit += length;
    }

    /** Takes bytes back: the window starts again at an earlier offset with these bytes before what it holds. */
    void pushBack(long earlierOffset, Lease restored, int restoredBytes) {
        int kept = buffered();
        Lease next = leases.apply(restoredBytes + kept + 1);
        next.memory().put(0, restored.memory(), 0, restoredBytes);
        if (kept > 0) {
            next.memory().put(restoredBytes, lease.memory(), position, kept);
        }
        if (lease != null) {
            lease.release();
        }
        lease = next;
        position = 0;
        limit = restoredBytes + kept;
        offset = earlierOffset;
    }

    /** Drops everything. The offset stays. */
    public void release() {
        if (lease != null) {
            lease.release();
            lease = null;
        }
        position = 0;
        limit = 0;
    }
}
