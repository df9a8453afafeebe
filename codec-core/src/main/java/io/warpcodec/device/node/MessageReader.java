package io.warpcodec.device.node;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/**
 * Cuts what comes from a channel into messages. It holds no more than the longest message, whatever comes. Not
 * thread-safe.
 */
public final class MessageReader {
    private static final int FIRST_BYTES = 8 << 10;

    private ByteBuffer buffer = buffer(new byte[FIRST_BYTES]);
    private int mostBytes = NodeProtocol.MOST_MESSAGE_BYTES;

    /** What takes a message. */
    @FunctionalInterface
    public interface Taker {
        /**
         * Takes one.
         *
         * @param kind of it
         * @param fields little-endian, from position to limit; must not be kept
         * @throws IOException if it ends the connection
         */
        void take(byte kind, ByteBuffer fields) throws IOException;
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** From the next message on, none is longer than so many bytes. */
    public void limit(int bytes) {
        mostBytes = bytes;
    }

    /**
     * Reads once, and hands out what is complete.
     *
     * @return whether anything came
     * @throws EOFException if the other side has ended the connection
     * @throws ProtocolException if the other side does not keep to the protocol
     * @throws IOException if it is broken
     */
    public boolean read(ReadableByteChannel channel, Taker taker) throws IOException {
        int count = channel.read(buffer);
        if (count < 0) {
            throw new EOFException("the other side has ended the connection");
        }
        if (count == 0) {
            return false;
        }
        buffer.flip();
        while (buffer.remaining() >= Integer.BYTES) {
            int length = buffer.getInt(buffer.position());
            if (length < 1 || length > mostBytes) {
                throw new ProtocolException("a message of " + length + " bytes");
            }
            if (buffer.remaining() < Integer.BYTES + length) {
                makeSpaceFor(Integer.BYTES + length);
                break;
            }
            int end = buffer.position() + Integer.BYTES + length;
            ByteBuffer fields = buffer.duplicate()
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .position(buffer.position() + NodeProtocol.HEAD_BYTES)
                    .limit(end);
            byte kind = buffer.get(buffer.position() + Integer.BYTES);
            try {
                taker.take(kind, fields);
            } catch (RuntimeException malformed) {
                ProtocolException wrong = new ProtocolException("message of kind " + kind + ": " + malformed);
                wrong.initCause(malformed);
                throw wrong;
            }
            buffer.position(end);
        }
        buffer.compact();
        shrink();
        return true;
    }

    /** Gives the memory of a long message back. */
    private void shrink() {
        if (buffer.capacity() > FIRST_BYTES && buffer.position() == 0) {
            buffer = buffer(new byte[FIRST_BYTES]);
        }
    }

    /** So much of a message that is not complete; the buffer stays flipped. */
    private void makeSpaceFor(int bytes) {
        if (buffer.capacity() < bytes) {
            int limit = buffer.limit();
            buffer = buffer(Arrays.copyOf(buffer.array(), bytes))
                    .position(buffer.position())
                    .limit(limit);
        }
    }
}
