package io.warpcodec.device.serve;

import io.warpcodec.device.node.Denial;
import io.warpcodec.device.node.Refusal;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a service counts of all its clients, and stays when they go; and what it says of them in its log: once a minute
 * for each user, however many there are. It holds no more than a few kilobytes, whatever they do. Thread-safe.
 */
final class ServiceCount {
    private static final long SAY_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** A machine may have any number of users: of more than these in a minute, no more is said. */
    private static final int MOST_SAID = 64;
    /** Of these a person has nothing to do. */
    private static final Set<Refusal> QUIET = EnumSet.of(Refusal.ENDING, Refusal.NO_REPORT);

    private static final Logger LOG = LoggerFactory.getLogger(NodeService.class);

    private final long sinceNanos = System.nanoTime();
    private final WorkCount work = new WorkCount(sinceNanos);
    private final Map<Refusal, Long> refused = new EnumMap<>(Refusal.class);
    private final Map<Denial, Long> denied = new EnumMap<>(Denial.class);
    private final Map<String, Long> saidNanos = new HashMap<>();

    /** The work of all clients. */
    WorkCount work() {
        return work;
    }

    long upNanos() {
        return System.nanoTime() - sinceNanos;
    }

    /** Counts a client that is not served any more, and says so if a person should know. */
    synchronized void refused(Refusal how, String name, String user, String why) {
        refused.merge(how, 1L, Long::sum);
        if (!QUIET.contains(how) && maySay("refused " + user)) {
            LOG.warn("{} of user {} is not served any more: {}", name, user, why);
        }
    }

    /** Counts a segment that a client did not get, and says so if a person should know. */
    synchronized void denied(Denial how, String name, String user) {
        denied.merge(how, 1L, Long::sum);
        // a client of ours does not ask for more than its own share
        if (how != Denial.CLIENT_FULL && maySay("denied " + user)) {
            LOG.warn(
                    "no page-locked memory for {} of user {}, which uses its CPU: {}; --memory or pinned.max raises it",
                    name,
                    user,
                    how == Denial.USER_FULL ? "its user has its share" : "all is lent");
        }
    }

    /** Says why no memory could be made. */
    synchronized void noMemory(String why) {
        if (maySay("memory")) {
            LOG.warn("{}", why);
        }
    }

    private boolean maySay(String what) {
        long now = System.nanoTime();
        saidNanos.values().removeIf(said -> now - said > SAY_NANOS);
        return saidNanos.size() < MOST_SAID && saidNanos.putIfAbsent(what, now) == null;
    }

    synchronized Map<String, Long> refused() {
        return byWord(refused, Refusal::word);
    }

    synchronized Map<String, Long> denied() {
        return byWord(denied, Denial::word);
    }

    private static <E> Map<String, Long> byWord(Map<E, Long> counts, Function<E, String> word) {
        Map<String, Long> words = new TreeMap<>();
        counts.forEach((each, count) -> words.put(word.apply(each), count));
        return words;
    }
}
