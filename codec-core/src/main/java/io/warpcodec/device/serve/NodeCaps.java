package io.warpcodec.device.serve;

/**
 * What a service lets its clients have. Sizes in bytes.
 *
 * @param mostClients connections at once
 * @param mostClientsOfUser connections of one user at once
 * @param mostRequests pieces of work of one client at once
 * @param mostMemoryOfClient page-locked memory of one client
 * @param mostMemoryOfUser page-locked memory of all clients of one user
 * @param mostMemory page-locked memory of all clients
 * @param segmentBytes of a segment, in which that memory is lent
 */
public record NodeCaps(
        int mostClients,
        int mostClientsOfUser,
        int mostRequests,
        long mostMemoryOfClient,
        long mostMemoryOfUser,
        long mostMemory,
        int segmentBytes) {
    private static final int CLIENTS = 1024;
    private static final int REQUESTS = 1024;
    private static final int SEGMENT_BYTES = 32 << 20;
    private static final long CLIENT_BYTES = 256L << 20;

    /** The same with no more memory in all. */
    NodeCaps within(long bytes) {
        long most = Math.min(mostMemory, bytes);
        return new NodeCaps(
                mostClients,
                mostClientsOfUser,
                mostRequests,
                Math.min(mostMemoryOfClient, most),
                Math.min(mostMemoryOfUser, most),
                most,
                segmentBytes);
    }

    /** The usual ones, with so much memory in all: a user may have three quarters of it and of the connections. */
    public static NodeCaps of(long mostMemory) {
        return new NodeCaps(
                CLIENTS,
                CLIENTS / 4 * 3,
                REQUESTS,
                Math.min(CLIENT_BYTES, mostMemory),
                mostMemory / 4 * 3,
                mostMemory,
                SEGMENT_BYTES);
    }
}
