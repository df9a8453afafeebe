package io.warpcodec.serve;

import java.util.List;
import java.util.Map;

/**
 * A node's service as a bean of JMX: {@code io.warpcodec:type=NodeService,folder="/run/warpcodec"}. Counts only grow;
 * those of work and memory outlive their clients. Rates and waits are of the last full ten seconds. Thread-safe.
 */
public interface NodeServiceMXBean {
    /** Connected clients. */
    int getClientCount();

    /** Page-locked bytes of all segments, lent or ready. */
    long getMemoryBytes();

    /** Most that these may be. */
    long getMostMemoryBytes();

    /** Output bytes that work which comes now waits for. */
    long getBacklogBytes();

    /** Seconds since the service began. */
    long getUpSeconds();

    /** Pieces of work that clients have asked for. */
    long getReceived();

    /** Of these, how many are done. */
    long getDone();

    /** Of these, how many clients took back before a device had them. */
    long getWithdrawn();

    /** Of these, how many were of clients that went or were refused. */
    long getDropped();

    /** Of these, how many have failed, by the word of the reason. */
    Map<String, Long> getFailed();

    /** Input bytes of work that is done. */
    long getInputBytes();

    /** Output bytes of work that is done: the space that was asked for. */
    long getOutputBytes();

    /** Output bytes a second. */
    double getOutputBytesPerSecond();

    /** Mean wait of a piece of work for its wave, in milliseconds. */
    double getWaitMillis();

    /** The longest such wait, in milliseconds. */
    double getWaitMostMillis();

    /** Clients that were not served, or no longer, by the word of the reason. */
    Map<String, Long> getClientsNotServed();

    /** Segments that clients asked for and did not get, by the word of the reason. */
    Map<String, Long> getSegmentsDenied();

    /** The connected clients; none if the service does not answer within a second. */
    List<ClientFigures> getClients();

    /** One client. */
    interface ClientFigures {
        /** As it calls itself. */
        String getName();

        /** Its user, as the kernel tells it. */
        String getUser();

        /** Page-locked bytes that it has. */
        long getMemoryBytes();

        /** Pieces of work that wait or are under way. */
        int getUnderWay();

        /** Pieces of work that are done. */
        long getDone();

        /** Pieces of work that have failed. */
        long getFailed();

        /** Output bytes of work that is done. */
        long getOutputBytes();

        /** Output bytes a second. */
        double getOutputBytesPerSecond();

        /** Mean wait of a piece of work for its wave, in milliseconds. */
        double getWaitMillis();

        /** The longest such wait, in milliseconds. */
        double getWaitMostMillis();
    }
}
