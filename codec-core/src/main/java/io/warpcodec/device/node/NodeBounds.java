package io.warpcodec.device.node;

import io.warpcodec.device.lease.DevicePool;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node's service takes, as its welcome says it.
 *
 * @param mostLeaseBytes most input bytes, and output bytes, of a lease of any program
 * @param mostEntries most entries of one job
 * @param mostMemoryBytes most bytes of segments that this client may have
 * @param madeBytes of each file that this client has to make for its memory; 0 if the service makes them
 * @param mostOutputBytes most output bytes of one lease, by the names of programs; their order is their numbers
 */
public record NodeBounds(
        int mostLeaseBytes,
        int mostEntries,
        long mostMemoryBytes,
        int madeBytes,
        Map<String, Integer> mostOutputBytes) {
    private static final int MOST_PROGRAMS = 256;
    private static final int FIXED_BYTES = 4 * Integer.BYTES + Long.BYTES;

    /** @throws IllegalArgumentException if a number is not above zero */
    public NodeBounds {
        if (mostLeaseBytes <= 0 || mostEntries <= 0 || mostMemoryBytes <= 0 || madeBytes < 0) {
            throw new IllegalArgumentException("bounds that hold nothing");
        }
    }

    /**
     * These bounds for a client that has to make files of so many bytes for its memory; 0 if the service makes them.
     */
    public NodeBounds making(int bytes) {
        return new NodeBounds(mostLeaseBytes, mostEntries, mostMemoryBytes, bytes, mostOutputBytes);
    }

    /** Most input bytes of one lease of a program. */
    public int mostInputBytes(String program) {
        return DevicePool.mostInputBytes(mostLeaseBytes, mostOutputBytes.getOrDefault(program, 0));
    }

    /** The names of programs by their numbers. */
    public List<String> programs() {
        return List.copyOf(mostOutputBytes.keySet());
    }

    /** As a message. */
    public ByteBuffer message() {
        int bytes = FIXED_BYTES;
        for (String program : mostOutputBytes.keySet()) {
            bytes += NodeProtocol.bytes(program) + Integer.BYTES;
        }
        ByteBuffer message = NodeProtocol.begin(NodeProtocol.WELCOME, bytes);
        message.putInt(mostLeaseBytes)
                .putInt(mostEntries)
                .putLong(mostMemoryBytes)
                .putInt(madeBytes);
        message.putInt(mostOutputBytes.size());
        mostOutputBytes.forEach((program, most) -> {
            NodeProtocol.put(message, program);
            message.putInt(most);
        });
        return message.flip();
    }

    /**
     * Reads the fields of that message.
     *
     * @throws IllegalArgumentException if they cannot be right
     */
    static NodeBounds read(ByteBuffer fields) {
        int mostLeaseBytes = fields.getInt();
        int mostEntries = fields.getInt();
        long mostMemoryBytes = fields.getLong();
        int madeBytes = fields.getInt();
        int count = fields.getInt();
        if (count < 0 || count > MOST_PROGRAMS) {
            throw new IllegalArgumentException(count + " programs");
        }
        Map<String, Integer> mostOutputBytes = new LinkedHashMap<>();
        for (int program = 0; program < count; program++) {
            mostOutputBytes.put(NodeProtocol.string(fields), fields.getInt());
        }
        return new NodeBounds(mostLeaseBytes, mostEntries, mostMemoryBytes, madeBytes, mostOutputBytes);
    }
}
