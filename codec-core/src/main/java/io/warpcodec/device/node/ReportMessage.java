package io.warpcodec.device.node;

import io.warpcodec.device.node.ServiceReport.Client;
import io.warpcodec.device.node.ServiceReport.Window;
import io.warpcodec.device.node.ServiceReport.Work;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A {@link ServiceReport} as a message. Clients that would make it longer than a message may be are left out, the
 * last first.
 */
public final class ReportMessage {
    /** Most bytes of all that is not a client: five dozen figures and words. */
    private static final int MOST_TOTAL_BYTES = 16 << 10;

    private static final int MOST_CLIENT_BYTES = 8 << 10;
    private static final int MOST_NAMED = 256;
    private static final int MOST_CLIENTS = 1 << 16;

    private ReportMessage() {}

    /**
     * The message {@code REPORTED}.
     *
     * @param report of which names and users have 1,024 bytes at most
     */
    public static ByteBuffer of(ServiceReport report) {
        ByteBuffer totals = ByteBuffer.allocate(MOST_TOTAL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        totals.putInt(report.clientCount())
                .putLong(report.memoryBytes())
                .putLong(report.mostMemoryBytes())
                .putLong(report.backlogBytes())
                .putLong(report.upNanos());
        put(totals, report.work());
        put(totals, report.window());
        put(totals, report.refused());
        put(totals, report.denied());
        totals.flip();
        int bytes = totals.remaining() + Integer.BYTES;
        List<ByteBuffer> clients = new ArrayList<>();
        for (Client client : report.clients()) {
            ByteBuffer one = encoded(client);
            // its kind is a byte
            if (1 + bytes + one.remaining() > NodeProtocol.MOST_MESSAGE_BYTES) {
                break;
            }
            bytes += one.remaining();
            clients.add(one);
        }
        ByteBuffer message = NodeProtocol.begin(NodeProtocol.REPORTED, bytes);
        message.put(totals).putInt(clients.size());
        clients.forEach(message::put);
        return message.flip();
    }

    private static ByteBuffer encoded(Client client) {
        ByteBuffer one = ByteBuffer.allocate(MOST_CLIENT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        NodeProtocol.put(one, client.name());
        NodeProtocol.put(one, client.user());
        one.putLong(client.memoryBytes()).putInt(client.works()).putLong(client.connectedNanos());
        put(one, client.work());
        put(one, client.window());
        return one.flip();
    }

    private static void put(ByteBuffer message, Work work) {
        message.putLong(work.received())
                .putLong(work.done())
                .putLong(work.withdrawn())
                .putLong(work.dropped());
        put(message, work.failed());
        message.putLong(work.inputBytes())
                .putLong(work.outputBytes())
                .putLong(work.waitNanos())
                .putLong(work.mostWaitNanos());
    }

    private static void put(ByteBuffer message, Window window) {
        message.putLong(window.nanos())
                .putLong(window.waited())
                .putLong(window.outputBytes())
                .putLong(window.waitNanos())
                .putLong(window.mostWaitNanos());
    }

    private static void put(ByteBuffer message, Map<String, Long> counts) {
        message.putInt(counts.size());
        counts.forEach((word, count) -> {
            NodeProtocol.put(message, word);
            message.putLong(count);
        });
    }

    /**
     * Reads the fields of that message.
     *
     * @throws IllegalArgumentException if they cannot be right
     * @throws java.nio.BufferUnderflowException if they end too early
     */
    public static ServiceReport read(ByteBuffer fields) {
        int clientCount = fields.getInt();
        long memoryBytes = fields.getLong();
        long mostMemoryBytes = fields.getLong();
        long backlogBytes = fields.getLong();
        long upNanos = fields.getLong();
        Work work = work(fields);
        Window window = window(fields);
        Map<String, Long> refused = counts(fields);
        Map<String, Long> denied = counts(fields);
        int listed = within(fields.getInt(), MOST_CLIENTS);
        List<Client> clients = new ArrayList<>();
        for (int client = 0; client < listed; client++) {
            clients.add(new Client(
                    NodeProtocol.string(fields),
                    NodeProtocol.string(fields),
                    fields.getLong(),
                    fields.getInt(),
                    fields.getLong(),
                    work(fields),
                    window(fields)));
        }
        return new ServiceReport(
                clients,
                clientCount,
                memoryBytes,
                mostMemoryBytes,
                backlogBytes,
                upNanos,
                work,
                window,
                refused,
                denied);
    }

    private static Work work(ByteBuffer fields) {
        return new Work(
                fields.getLong(),
                fields.getLong(),
                fields.getLong(),
                fields.getLong(),
                counts(fields),
                fields.getLong(),
                fields.getLong(),
                fields.getLong(),
                fields.getLong());
    }

    private static Window window(ByteBuffer fields) {
        return new Window(fields.getLong(), fields.getLong(), fields.getLong(), fields.getLong(), fields.getLong());
    }

    private static Map<String, Long> counts(ByteBuffer fields) {
        int count = within(fields.getInt(), MOST_NAMED);
        Map<String, Long> counts = new TreeMap<>();
        for (int at = 0; at < count; at++) {
            counts.put(NodeProtocol.string(fields), fields.getLong());
        }
        return counts;
    }

    private static int within(int count, int most) {
        if (count < 0 || count > most) {
            throw new IllegalArgumentException(count + " entries");
        }
        return count;
    }
}
