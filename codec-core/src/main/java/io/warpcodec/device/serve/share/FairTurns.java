package io.warpcodec.device.serve.share;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Work that waits, by user and client. Users take turns by deficit round robin (Shreedhar and Varghese, 1995), and so
 * do the clients of a user: who asks for much waits for itself, however many connections it has. Not thread-safe.
 *
 * @param <W> a piece of work
 */
public final class FairTurns<W> {
    /** Cost of a turn: a request of the usual size. */
    private static final int QUANTUM = 4 << 20;

    private final ToLongFunction<W> costOf;
    private final Map<Object, UserLine> users = new HashMap<>();
    private final Deque<UserLine> order = new ArrayDeque<>();
    private long cost;

    /** Work that is done in order, and what it may still cost in this turn. */
    private abstract class Line {
        long deficit;

        abstract W head();

        abstract W take();

        abstract boolean isEmpty();
    }

    private final class ClientLine extends Line {
        final Deque<W> works = new ArrayDeque<>();

        @Override
        W head() {
            return works.peek();
        }

        @Override
        W take() {
            return works.remove();
        }

        @Override
        boolean isEmpty() {
            return works.isEmpty();
        }
    }

    private final class UserLine extends Line {
        final Map<Object, ClientLine> clients = new HashMap<>();
        final Deque<ClientLine> order = new ArrayDeque<>();

        @Override
        W head() {
            return first(order).head();
        }

        @Override
        W take() {
            return takeFirst(order);
        }

        @Override
        boolean isEmpty() {
            return order.isEmpty();
        }
    }

    /** @param costOf of a piece of work; never changes */
    public FairTurns(ToLongFunction<W> costOf) {
        this.costOf = costOf;
    }

    private <L extends Line> L first(Deque<L> lines) {
        while (lines.peek().deficit < costOf.applyAsLong(lines.peek().head())) {
            L line = lines.remove();
            line.deficit += QUANTUM;
            lines.add(line);
        }
        return lines.peek();
    }

    private <L extends Line> W takeFirst(Deque<L> lines) {
        L line = first(lines);
        W work = line.take();
        line.deficit -= costOf.applyAsLong(work);
        if (line.isEmpty()) {
            line.deficit = 0;
            lines.remove();
        }
        return work;
    }

    /** Adds work behind what its client has. */
    public void add(Object user, Object client, W work) {
        UserLine userLine = users.computeIfAbsent(user, any -> new UserLine());
        ClientLine line = userLine.clients.computeIfAbsent(client, any -> new ClientLine());
        if (userLine.isEmpty()) {
            order.add(userLine);
        }
        if (line.isEmpty()) {
            userLine.order.add(line);
        }
        line.works.add(work);
        cost += costOf.applyAsLong(work);
    }

    /** Whether nothing waits. */
    public boolean isEmpty() {
        return order.isEmpty();
    }

    /**
     * Takes the piece whose turn it is.
     *
     * @throws java.util.NoSuchElementException if nothing waits
     */
    public W next() {
        UserLine line = first(order);
        W work = takeFirst(order);
        cost -= costOf.applyAsLong(work);
        forgetEmpty(line);
        return work;
    }

    /** Takes a piece back; whether it has waited. */
    public boolean remove(Object user, Object client, W work) {
        UserLine userLine = users.get(user);
        ClientLine line = userLine == null ? null : userLine.clients.get(client);
        if (line == null || !line.works.remove(work)) {
            return false;
        }
        cost -= costOf.applyAsLong(work);
        forgetIfEmpty(user, userLine, client, line);
        return true;
    }

    /** Takes back all that a client has waiting. */
    public List<W> drop(Object user, Object client) {
        UserLine userLine = users.get(user);
        ClientLine line = userLine == null ? null : userLine.clients.get(client);
        if (line == null) {
            return List.of();
        }
        List<W> dropped = List.copyOf(line.works);
        line.works.clear();
        dropped.forEach(work -> cost -= costOf.applyAsLong(work));
        forgetIfEmpty(user, userLine, client, line);
        return dropped;
    }

    private void forgetEmpty(UserLine line) {
        line.clients.values().removeIf(Line::isEmpty);
        if (line.isEmpty()) {
            users.values().remove(line);
        }
    }

    private void forgetIfEmpty(Object user, UserLine userLine, Object client, ClientLine line) {
        if (line.isEmpty()) {
            userLine.order.remove(line);
            userLine.clients.remove(client);
        }
        if (userLine.isEmpty()) {
            order.remove(userLine);
            users.remove(user);
        }
    }

    /** Cost of all that waits. */
    public long cost() {
        return cost;
    }
}
