package io.warpcodec.device.node;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Sends messages through a channel that does not block: what it does not take at once waits here, in order.
 * Thread-safe; no method waits.
 */
public final class MessageWriter {
    /** What a message that waits takes of the heap beside its bytes. */
    private static final int OVERHEAD_BYTES = 128;
    /** Bytes that each writer may have waiting beside the shared budget, however full others have made that. */
    static final int OWN_BYTES = 64 << 10;

    private final WritableByteChannel channel;
    private final int mostWaitingBytes;
    private final WaitingBudget budget;
    private final Runnable whenWaiting;
    private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private long waitingSinceNanos;
    private boolean closed;

    /**
     * @param mostWaitingBytes of the heap for messages that wait; the other side does not read if there would be more
     * @param whenWaiting told that something waits: {@link #goOn} is to be called once the channel takes bytes again
     */
    public MessageWriter(WritableByteChannel channel, int mostWaitingBytes, Runnable whenWaiting) {
        this(channel, mostWaitingBytes, new WaitingBudget(mostWaitingBytes), whenWaiting);
    }

    /**
     * As {@link #MessageWriter(WritableByteChannel, int, Runnable)}, but with a budget that other writers share.
     *
     * @param budget of all writers that share it
     */
    public MessageWriter(
            WritableByteChannel channel, int mostWaitingBytes, WaitingBudget budget, Runnable whenWaiting) {
        this.channel = channel;
        this.mostWaitingBytes = mostWaitingBytes;
        this.budget = budget;
        this.whenWaiting = whenWaiting;
    }

    /**
     * Sends a message, or as much of it as the channel takes; the rest follows.
     *
     * @param message from position to limit; belongs to the writer from now on
     * @throws ProtocolException if the other side does not read
     * @throws IOException if the connection is broken
     */
    public void send(ByteBuffer message) throws IOException {
        boolean waits;
        synchronized (this) {
            if (closed) {
                throw new ClosedChannelException();
            }
            if (waiting.isEmpty()) {
                channel.write(message);
            }
            waits = message.hasRemaining();
            if (waits) {
                int bytes = held(message);
                if (waitingBytes > mostWaitingBytes - bytes
                        || !budget.tryTake(shared(waitingBytes + bytes) - shared(waitingBytes))) {
                    throw new ProtocolException("the other side has not read " + waitingBytes + " bytes");
                }
                if (waiting.isEmpty()) {
                    waitingSinceNanos = System.nanoTime();
                }
                waiting.add(message);
                waitingBytes += bytes;
            }
        }
        if (waits) {
            whenWaiting.run();
        }
    }

    /**
     * Sends what waits, until the channel takes no more.
     *
     * @return whether nothing waits any more
     * @throws IOException if the connection is broken
     */
    public synchronized boolean goOn() throws IOException {
        while (!waiting.isEmpty()) {
            ByteBuffer first = waiting.peek();
            if (channel.write(first) > 0) {
                waitingSinceNanos = System.nanoTime();
            }
            if (first.hasRemaining()) {
                return false;
            }
            release(waiting.remove());
        }
        return true;
    }

    /** All of it, however much of it is sent. */
    private static int held(ByteBuffer message) {
        return message.capacity() + OVERHEAD_BYTES;
    }

    private void release(ByteBuffer message) {
        int before = waitingBytes;
        waitingBytes -= held(message);
        budget.give(shared(before) - shared(waitingBytes));
    }

    /** Of so many bytes, what the budget has to give. */
    private static int shared(int bytes) {
        return Math.max(0, bytes - OWN_BYTES);
    }

    /**
     * Drops the messages that wait. A message that is sent in part stays: what follows it is then read as it should
     * be.
     */
    public synchronized void dropWhole() {
        ByteBuffer first = waiting.peek();
        boolean torn = first != null && first.position() > 0;
        drop(torn ? 1 : 0);
    }

    /** Drops all that waits: the channel is about to be closed. No thread uses it behind this. */
    public synchronized void dropAll() {
        closed = true;
        drop(0);
    }

    private void drop(int kept) {
        while (waiting.size() > kept) {
            release(waiting.removeLast());
        }
    }

    /** How long the other side has taken nothing of what waits, in nanoseconds; 0 if nothing waits. */
    public synchronized long stuckNanos() {
        return waiting.isEmpty() ? 0 : System.nanoTime() - waitingSinceNanos;
    }
}
