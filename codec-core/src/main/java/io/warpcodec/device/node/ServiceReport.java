package io.warpcodec.device.node;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a node's service stands and what it has done, as it tells people. Totals begin with the service and outlive the
 * clients that they come from. Immutable.
 *
 * @param clients those that are connected, most output bytes in their window first; none where the asker may not know
 *     them, fewer than there are where they do not fit into a message
 * @param clientCount how many are connected, this report's asker not counted
 * @param memoryBytes page-locked bytes of all segments, lent or ready
 * @param mostMemoryBytes most that these may be
 * @param backlogBytes output bytes that work which comes now waits for
 * @param upNanos since the service began
 * @param work of all clients since then
 * @param window of all clients lately
 * @param refused clients that were not served, or no longer, by the words of {@link Refusal}
 * @param denied segments that clients asked for and did not get, by the words of {@link Denial}
 */
public record ServiceReport(
        List<Client> clients,
        int clientCount,
        long memoryBytes,
        long mostMemoryBytes,
        long backlogBytes,
        long upNanos,
        Work work,
        Window window,
        Map<String, Long> refused,
        Map<String, Long> denied) {
    /** The order of clients. */
    public static final Comparator<Client> BUSIEST_FIRST = Comparator.comparingLong(
                    (Client client) -> client.window().outputBytes())
            .thenComparingInt(Client::works)
            .reversed();

    private static final double SECOND = 1e9;

    /**
     * Pieces of work. Each that was received is done, failed, withdrawn or dropped, or under way.
     *
     * @param received asked for
     * @param done given back with a result
     * @param withdrawn taken back by the client before a device had it
     * @param dropped of clients that went or were refused
     * @param failed given back without a result, by the words of {@link io.warpcodec.metrics.FallbackReason}
     * @param inputBytes of work that is done
     * @param outputBytes of work that is done: the space that was asked for, by which clients take turns
     * @param waitNanos from the order to the wave that took the work, or to its failure, in all; of work that is done
     *     or has failed
     * @param mostWaitNanos the longest such wait
     */
    public record Work(
            long received,
            long done,
            long withdrawn,
            long dropped,
            Map<String, Long> failed,
            long inputBytes,
            long outputBytes,
            long waitNanos,
            long mostWaitNanos) {
        /** Copies what could be changed. */
        public Work {
            failed = sorted(failed);
        }

        /** Pieces that have failed, for any reason. */
        public long failures() {
            return failed.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * What was done lately: in the last full ten seconds, or since the beginning where that is less.
     *
     * @param nanos its length
     * @param waited pieces of work that were done or failed in it
     * @param outputBytes of work that was done in it
     * @param waitNanos of these pieces, in all
     * @param mostWaitNanos the longest wait of one of them
     */
    public record Window(long nanos, long waited, long outputBytes, long waitNanos, long mostWaitNanos) {
        /** Output bytes a second. */
        public double bytesPerSecond() {
            return nanos <= 0 ? 0 : outputBytes * SECOND / nanos;
        }

        /** Mean wait of a piece of work, in nanoseconds. */
        public double meanWaitNanos() {
            return waited == 0 ? 0 : (double) waitNanos / waited;
        }
    }

    /**
     * One client.
     *
     * @param name that it gave itself; letters that a terminal shows, 64 at most
     * @param user that the kernel says it is
     * @param memoryBytes of its segments
     * @param works pieces of work that are waiting or under way
     * @param connectedNanos since it connected
     */
    public record Client(
            String name, String user, long memoryBytes, int works, long connectedNanos, Work work, Window window) {}

    /** Copies what could be changed. */
    public ServiceReport {
        clients = List.copyOf(clients);
        refused = sorted(refused);
        denied = sorted(denied);
    }

    private static Map<String, Long> sorted(Map<String, Long> counts) {
        return Collections.unmodifiableMap(new TreeMap<>(counts));
    }
}
