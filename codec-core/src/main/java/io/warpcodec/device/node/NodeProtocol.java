package io.warpcodec.device.node;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a node's service and its clients say to each other over a Unix domain socket. A message is its length (32
 * bits, of what follows), its kind (8 bits) and its fields, little-endian; a string is its length (16 bits) and
 * UTF-8. The bytes of work itself lie in segments: files that both sides map.
 *
 * <pre>
 * client                                                     service
 *   HELLO magic, version, what the jobs are, name       -->
 *                                                       <--  WELCOME bounds, programs
 *   WANT, or WANT name of a file that it has made       -->
 *                                                       <--  SEGMENT id, bytes, name      or NO_SEGMENT
 *   WORK id, program, where, order                      -->  (the file has no name any more)
 *   WITHDRAW id                                         -->
 *                                                       <--  OVER id, how, answer         exactly once for each WORK
 *   REPORT                                              -->  (root and the service's user)
 *                                                       <--  REPORTED how it stands
 *                                                       <--  REFUSED why                  at any time, then the end
 * </pre>
 *
 * A client makes files for its memory where the welcome says so. The service then answers no WANT without a name, and
 * the name in SEGMENT is empty.
 *
 * <p>A service that meets a message which is none of these ends the connection; so does a client. Between WORK and
 * OVER the memory of a job belongs to the device.
 */
public final class NodeProtocol {
    /** Raised with every change of a message, or of a job's order or answer. */
    public static final int VERSION = 4;

    /** {@code WPNS}. */
    public static final int MAGIC = 0x534e5057;

    /** Longest message, in bytes, its length not counted. */
    public static final int MOST_MESSAGE_BYTES = 256 << 10;

    /** Bytes in front of a message's fields. */
    public static final int HEAD_BYTES = Integer.BYTES + 1;

    /** Name of the socket in the node's folder. */
    public static final String SOCKET = "socket";

    /** Name of the folder of segments in the node's folder. */
    public static final String SEGMENTS = "segments";

    /** Name of a file in the node's folder that says which process of the service cannot be ended. */
    public static final String STUCK = "stuck";

    /**
     * Name of a file in the node's folder that its supervisor touches whenever the service has decoded a block for it.
     */
    public static final String ANSWERED = "answered";

    /** Name of the group whose members may enter the node's folder, where no other is set. */
    public static final String GROUP = "warpcodec";

    // kinds from the client
    public static final byte HELLO = 1;
    public static final byte WANT = 2;
    public static final byte WORK = 4;
    public static final byte WITHDRAW = 5;
    public static final byte REPORT = 7;

    // kinds from the service
    public static final byte WELCOME = 65;
    public static final byte REFUSED = 66;
    public static final byte SEGMENT = 67;
    public static final byte NO_SEGMENT = 68;
    public static final byte OVER = 69;
    public static final byte REPORTED = 71;

    // how work is over
    public static final byte DONE = 0;
    public static final byte WITHDRAWN = 1;
    public static final byte FAILED = 2;

    private static final int MOST_STRING_BYTES = 1024;

    private NodeProtocol() {}

    /** Begins a message that has so many bytes of fields. */
    public static ByteBuffer begin(byte kind, int fieldBytes) {
        ByteBuffer message = ByteBuffer.allocate(HEAD_BYTES + fieldBytes).order(ByteOrder.LITTLE_ENDIAN);
        return message.putInt(1 + fieldBytes).put(kind);
    }

    /** A message without fields. */
    public static ByteBuffer of(byte kind) {
        return begin(kind, 0).flip();
    }

    /** The first message of a client. */
    static ByteBuffer hello(String name) {
        ByteBuffer hello = begin(HELLO, 2 * Integer.BYTES + bytes(name));
        hello.putInt(MAGIC).putInt(VERSION);
        put(hello, name);
        return hello.flip();
    }

    /**
     * Asks for memory.
     *
     * @param file name of the file that the client has made for it; null if the service makes it
     */
    public static ByteBuffer want(String file) {
        if (file == null) {
            return of(WANT);
        }
        ByteBuffer want = begin(WANT, bytes(file));
        put(want, file);
        return want.flip();
    }

    /** Bytes of a string's field. */
    public static int bytes(String text) {
        return Short.BYTES + encoded(text).length;
    }

    private static byte[] encoded(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes.length > MOST_STRING_BYTES ? Arrays.copyOf(bytes, MOST_STRING_BYTES) : bytes;
    }

    /** Writes a string's field; of a very long one the beginning. */
    public static void put(ByteBuffer message, String text) {
        byte[] bytes = encoded(text);
        message.putShort((short) bytes.length).put(bytes);
    }

    /**
     * Reads a string's field.
     *
     * @throws IllegalArgumentException if it is longer than any string is
     * @throws java.nio.BufferUnderflowException if the message ends before it does
     */
    public static String string(ByteBuffer message) {
        int length = message.getShort();
        if (length < 0 || length > MOST_STRING_BYTES) {
            throw new IllegalArgumentException("a string of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        message.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
