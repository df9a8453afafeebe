package io.warpcodec.device.node;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.lease.MemoryAccess;
import io.warpcodec.device.lease.WaveJob;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A lease of the node's devices: memory that this process and the service map, and a place in the service's queue. One thread at a time uses it; the connection's thread does the rest. */
final class NodeLease implements DeviceLease {
    /** The service answers within this, unless it does not answer at all. */
    private static final long WITHDRAWAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Where a lease stands; changed under the monitor of the connection only. */
    enum State {
        FILLING,
        /** The service has it: devices may touch the memory. */
        SENT,
        /** The results are there. */
        DONE,
        /** Not done; no device touches the memory. */
        FAILED,
        /** Done and taken back; the memory is lent to others. */
        REVOKED,
        CLOSED
    }

    private final NodeConnection connection;
    private final int program;
    private final NodeMemory.Region region;
    private final int inputBytes;
    private final int outputBytes;
    private final int entryCount;
    private final CountDownLatch over = new CountDownLatch(1);
    private final MemoryAccess access = new MemoryAccess();

    /** When a thread last filled or read it, by {@link System#nanoTime}. */
    volatile long lastUseNanos;

    private WaveJob job;
    private ByteBuffer outputView;
    private volatile FallbackReason failure;

    /** The rest is guarded by the monitor of the connection. */
    State state = State.FILLING;

    long id;
    boolean abandoned;
    private long sentNanos;
    private long elapsedNanos;
    private long poolNanos;

    NodeLease(
            NodeConnection connection,
            int program,
            NodeMemory.Region region,
            int inputBytes,
            int outputBytes,
            int entryCount) {
        this.connection = connection;
        this.program = program;
        this.region = region;
        this.inputBytes = inputBytes;
        this.outputBytes = outputBytes;
        this.entryCount = entryCount;
    }

    /** Bytes of memory that a lease needs. */
    static int regionBytes(int inputBytes, int outputBytes) {
        return FreeRanges.roundedUp(inputBytes) + outputBytes;
    }

    int outputBytes() {
        return outputBytes;
    }

    NodeMemory.Region region() {
        return region;
    }

    MemoryAccess access() {
        return access;
    }

    @Override
    public boolean fill(Consumer<ByteBuffer> filler) {
        return use(() -> filler.accept(part(0, inputBytes)));
    }

    private ByteBuffer part(int at, int bytes) {
        return region.memory().slice(at, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private boolean use(Runnable work) {
        if (!access.tryBegin()) {
            return false;
        }
        try {
            work.run();
        } catch (InternalError cut) {
            // the memory is gone: the service took this process for dead, which stood still for long
            connection.end("its memory is gone");
            failure = FallbackReason.NODE_LOST;
            return false;
        } finally {
            lastUseNanos = System.nanoTime();
            if (access.end()) {
                connection.giveBack(this);
            }
        }
        return true;
    }

    @Override
    public void submit(WaveJob work) {
        if (work.entryCount() > entryCount) {
            throw new IllegalArgumentException(work.entryCount() + " units; " + entryCount + " were asked for");
        }
        job = work;
        sentNanos = System.nanoTime();
        lastUseNanos = sentNanos;
        connection.send(this);
    }

    /** The message that asks for the work. */
    ByteBuffer order() {
        ByteBuffer message = NodeProtocol.begin(NodeProtocol.WORK, Long.BYTES + 5 * Integer.BYTES + job.orderBytes());
        message.putLong(id).putInt(program);
        message.putInt(region.segment())
                .putInt(region.offset())
                .putInt(inputBytes)
                .putInt(outputBytes);
        job.putOrder(message);
        return message.flip();
    }

    @Override
    public boolean await() throws InterruptedException {
        over.await();
        return failure == null;
    }

    /** {@inheritDoc} Asks the service, and waits for its answer some milliseconds at most: if it does not come in time, the work may still be taken back later. */
    @Override
    public boolean withdraw() {
        if (!connection.askToWithdraw(this)) {
            return false;
        }
        try {
            if (over.await(WITHDRAWAL_NANOS, TimeUnit.NANOSECONDS) && failure == FallbackReason.AUTO) {
                close();
                return true;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    @Override
    public boolean isOver() {
        return over.getCount() == 0;
    }

    /** The service has done the work. Called under the monitor of the connection. */
    void take(ByteBuffer answer, long spentNanos) {
        job.takeAnswer(answer);
        poolNanos = spentNanos;
        lastUseNanos = System.nanoTime();
        elapsedNanos = lastUseNanos - sentNanos;
    }

    @Override
    public long elapsedNanos() {
        return elapsedNanos;
    }

    @Override
    public long poolNanos() {
        return poolNanos;
    }

    @Override
    public FallbackReason failure() {
        return failure;
    }

    @Override
    public boolean read(Consumer<ByteBuffer> reader) {
        boolean read = use(() -> {
            if (outputView == null) {
                outputView = part(FreeRanges.roundedUp(inputBytes), outputBytes)
                        .asReadOnlyBuffer()
                        .order(ByteOrder.LITTLE_ENDIAN);
            }
            reader.accept(outputView);
        });
        if (!read && failure == null) {
            failure = FallbackReason.CANCELLED;
        }
        return read;
    }

    /** Ends every {@link #await}; the work is done if there is no reason why not. */
    void finish(FallbackReason why) {
        failure = why;
        over.countDown();
    }

    @Override
    public void close() {
        connection.close(this);
    }
}
