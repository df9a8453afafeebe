package io.warpcodec.device.serve;

import java.util.List;

/**
 * How a service stands.
 *
 * @param memoryBytes page-locked bytes of all segments, lent or ready
 * @param backlogBytes output bytes that work which comes now waits for
 */
public record ServiceReport(List<Client> clients, long memoryBytes, long backlogBytes) {
    /**
     * One client.
     *
     * @param name that it gave itself
     * @param user that the kernel says it is
     * @param memoryBytes of its segments
     * @param works pieces of work that are waiting or under way
     */
    public record Client(String name, String user, long memoryBytes, int works) {}
}
