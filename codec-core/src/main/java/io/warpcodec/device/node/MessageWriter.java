package io.warpcodec.device.node;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Sends messages through a channel that does not block: what it does not take at once waits here, in order. Thread-safe; no method waits.
 */
public final class MessageWriter {
    private final WritableByteChannel channel;
    private final int mostWaitingBytes;
    private final Runnable whenWaiting;
    private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private long waitingSinceNanos;

    /**
     * @param mostWaitingBytes of messages that wait; the other side does not read if there would be more
     * @param whenWaiting told that something waits: {@link #goOn} is to be called once the channel takes bytes again
     */
    public MessageWriter(WritableByteChannel channel, int mostWaitingBytes, Runnable whenWaiting) {
        this.channel = channel;
        this.mostWaitingBytes = mostWaitingBytes;
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
            if (waiting.isEmpty()) {
                channel.write(message);
            }
            waits = message.hasRemaining();
            if (waits) {
                if (waitingBytes > mostWaitingBytes - message.remaining()) {
                    throw new ProtocolException("the other side has not read " + waitingBytes + " bytes");
                }
                if (waiting.isEmpty()) {
                    waitingSinceNanos = System.nanoTime();
                }
                waiting.add(message);
                waitingBytes += message.remaining();
            }
        }
        if (waits) {
            whenWaiting.run();
        }
    }

    /**
     * Sends what waits, as far as the channel takes it.
     *
     * @return whether nothing waits any more
     * @throws IOException if the connection is broken
     */
    public synchronized boolean goOn() throws IOException {
        while (!waiting.isEmpty()) {
            ByteBuffer first = waiting.peek();
            int sent = channel.write(first);
            waitingBytes -= sent;
            if (sent > 0) {
                waitingSinceNanos = System.nanoTime();
            }
            if (first.hasRemaining()) {
                return false;
            }
            waiting.remove();
        }
        return true;
    }

    /** How long the other side has taken nothing of what waits, in nanoseconds; 0 if nothing waits. */
    public synchronized long stuckNanos() {
        return waiting.isEmpty() ? 0 : System.nanoTime() - waitingSinceNanos;
    }
}
