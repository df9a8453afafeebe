package io.warpcodec.device.serve;

/**
 * What a service lets its clients have. Sizes in bytes.
 *
 * @param mostClients connections at once; a user may have two thirds of them
 * @param mostRequests pieces of work of one client at once
 * @param mostMemoryOfClient page-locked memory of one client
 * @param mostMemory page-locked memory of all clients
 * @param reservedMemory page-locked memory beyond that, for clients and users that have none
 * @param segmentBytes of a segment, in which that memory is lent
 */
public record NodeCaps(
        int mostClients,
        int mostRequests,
        long mostMemoryOfClient,
        long mostMemory,
        long reservedMemory,
        int segmentBytes) {
    private static final int CLIENTS = 384;
    private static final int REQUESTS = 1024;
    private static final int SEGMENT_BYTES = 32 << 20;
    private static final long CLIENT_BYTES = 256L << 20;
    private static final int RESERVED_SHARE = 4;

    /**
     * The usual ones, with so much memory in all, and a quarter more in reserve. With 4 GiB, 128 tasks that begin
     * together all get a segment.
     */
    public static NodeCaps of(long mostMemory) {
        return new NodeCaps(
                CLIENTS,
                REQUESTS,
                Math.min(CLIENT_BYTES, mostMemory),
                mostMemory,
                Math.max(SEGMENT_BYTES, mostMemory / RESERVED_SHARE),
                SEGMENT_BYTES);
    }

    /** Segments in so many bytes. */
    int segments(long bytes) {
        return Math.toIntExact(bytes / segmentBytes);
    }

    /** Page-locked memory of all segments, at most. */
    long allMemory() {
        return mostMemory + reservedMemory;
    }
}
