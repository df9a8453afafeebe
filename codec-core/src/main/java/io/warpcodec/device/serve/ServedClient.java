package io.warpcodec.device.serve;

import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.lease.JobReader;
import io.warpcodec.device.lease.WaveJob;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.Refusal;
import io.warpcodec.device.node.ReportMessage;
import io.warpcodec.device.node.ServiceReport;
import io.warpcodec.device.serve.share.Credit;
import io.warpcodec.device.serve.share.OrderBudget;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the service: what it says, what it has, what it is told. Everything that it says is judged before it
 * counts; what cannot be right ends its connection and nothing else. Belongs to the client's thread, but for {@link
 * #over} and what it reports.
 */
final class ServedClient implements WorkOwner, Runnable {
    private static final int MOST_NAME_LENGTH = 64;
    /** What a terminal or a log would take for an order, a line's end or nothing. */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");
    /** What a client pays for asking for memory, and for a message that is of no use. */
    private static final int WANT_COST = 32;

    private static final int USELESS_COST = 1;

    private static final Logger LOG = LoggerFactory.getLogger(ServedClient.class);

    private final NodeService service;
    private final SocketChannel socket;
    private final long sinceNanos = System.nanoTime();
    private final WorkCount count = new WorkCount(sinceNanos);
    private final Credit credit = new Credit(sinceNanos);
    private final Map<Integer, Segment> segments = new ConcurrentHashMap<>();
    private final Map<Long, ClientWork> works = new ConcurrentHashMap<>();
    private final AtomicLong orderBytes = new AtomicLong();

    /** Null until the thread has asked for it. */
    private volatile UserPrincipal user;

    private ClientLoop loop;
    private volatile String name;
    private int wanted;
    private volatile boolean refused;
    private volatile boolean ended;
    /** Why it is to end; null while it is not. */
    private volatile String ending;

    ServedClient(NodeService service, SocketChannel socket) {
        this.service = service;
        this.socket = socket;
    }

    @Override
    public UserPrincipal user() {
        return user;
    }

    // ---- its thread

    /** Serves it until its end. */
    @Override
    public void run() {
        try {
            user = socket.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
            loop = new ClientLoop(socket, service.waiting(), service.limits().tickMillis());
        } catch (IOException | RuntimeException failed) {
            LOG.debug("a connection failed: {}", failed.getMessage());
            Acceptor.closeQuietly(socket);
            return;
        } finally {
            service.acceptor().isKnown();
        }
        RefusedException refusal = service.enter(this);
        try {
            if (refusal != null) {
                refuse(RefusedException.of(refusal), refusal.getMessage());
            }
            while (ending == null) {
                turn();
            }
        } catch (IOException gone) {
            ending = String.valueOf(gone.getMessage());
        } finally {
            end();
            if (refusal == null) {
                service.leave(this);
            }
        }
    }

    private void turn() throws IOException {
        try {
            loop.turn(this);
        } catch (ProtocolException wrong) {
            refuse(RefusedException.of(wrong), wrong.getMessage());
        } catch (RuntimeException defect) {
            LOG.error("a defect of this software", defect);
            if (refused) {
                ending = defect.toString();
            }
            refuse(Refusal.DEFECT, defect.toString());
        }
    }

    /** How long it is not listened to, since it has said much that is of no use. */
    long debtNanos(long nowNanos) {
        return credit.debtNanos(nowNanos);
    }

    /** Whether there is space for more of its orders. */
    boolean mayBeRead() {
        return service.orders().mayRead(user, orderBytes.get());
    }

    boolean isRefused() {
        return refused;
    }

    /** Looks at the clock, every second. */
    void tick(long nowNanos) {
        // before all else: what a client has made larger no cap counts, whatever else it does
        boolean larger = segments.values().stream().filter(Segment::cutToSize).count() > 0;
        segments.values()
                .forEach(segment -> segment.forgetNameAfter(service.limits().helloNanos(), nowNanos));
        count.tick(nowNanos);
        if (larger) {
            refuse(Refusal.MEMORY_LARGER, "it has made its memory larger");
        } else if (name == null && nowNanos - sinceNanos > service.limits().helloNanos()) {
            refuse(Refusal.NO_HELLO, "it has not said hello");
        } else if (loop.stuckNanos() > service.limits().stuckNanos()) {
            refuse(Refusal.NOT_READING, "it does not read");
        }
    }

    /**
     * Serves it no longer, and tells it why. It keeps its memory, which counts, until it closes the connection: then it
     * touches that no more. A process that was stopped in the middle of a copy would meet an {@link InternalError} at
     * any later time if the memory had been cut under it.
     */
    private void refuse(Refusal how, String why) {
        if (refused || ended) {
            return;
        }
        refused = true;
        service.count().refused(how, name(), user.getName(), why);
        dropWorks();
        loop.dropWaiting();
        tellWhy(why);
        if (segments.isEmpty()) {
            ending = why;
        }
    }

    /** What is not over by now is not told. */
    private void dropWorks() {
        List<ClientWork> left = new ArrayList<>(works.values());
        service.queue().drop(this, left);
        int dropped = 0;
        for (ClientWork work : left) {
            dropped += forget(work) ? 1 : 0;
        }
        count.dropped(dropped);
        service.count().work().dropped(dropped);
    }

    /** Work is over, or dropped, unless it was before. */
    private boolean forget(ClientWork work) {
        if (works.remove(work.id) == null) {
            return false;
        }
        orderBytes.addAndGet(-work.orderBytes);
        service.orders().give(user, work.orderBytes);
        return true;
    }

    /** Has it end soon. Any thread may call. */
    void endSoon(String why) {
        loop.post(() -> ending = ending == null ? why : ending);
    }

    /** Takes back all that it has, as soon as no device touches it, and closes the connection. */
    private void end() {
        ended = true;
        LOG.debug("{} of user {} has gone: {}", name, user.getName(), ending);
        if (!refused) {
            tellWhy(ending);
        }
        dropWorks();
        loop.close();
        segments.values().forEach(service::letGo);
        segments.clear();
    }

    // ---- what it says

    /** Takes a message. */
    void take(byte kind, ByteBuffer fields) throws IOException {
        if (refused) {
            return;
        }
        if (name == null && kind != NodeProtocol.HELLO) {
            throw new ProtocolException("it has not said hello");
        }
        switch (kind) {
            case NodeProtocol.HELLO -> hello(fields);
            case NodeProtocol.WANT -> want(fields.hasRemaining() ? NodeProtocol.string(fields) : null);
            case NodeProtocol.WORK -> work(fields);
            case NodeProtocol.WITHDRAW -> withdraw(fields.getLong());
            case NodeProtocol.REPORT -> sendReport();
            default -> throw new ProtocolException("a message of kind " + kind);
        }
    }

    private void hello(ByteBuffer fields) throws IOException {
        int magic = fields.getInt();
        int version = fields.getInt();
        if (name != null || magic != NodeProtocol.MAGIC) {
            throw new ProtocolException("no hello");
        }
        if (version != NodeProtocol.VERSION) {
            throw new RefusedException(
                    Refusal.VERSION, "the service speaks version " + NodeProtocol.VERSION + ", the client " + version);
        }
        String said = NodeProtocol.string(fields);
        if (fields.hasRemaining()) {
            throw new ProtocolException("a hello with " + fields.remaining() + " bytes more");
        }
        name = UNSEEN.matcher(said.substring(0, Math.min(said.length(), MOST_NAME_LENGTH)))
                .replaceAll("?");
        LOG.debug("{} of {} is connected", name, user.getName());
        loop.welcome();
        boolean makes = service.haveToMake(user);
        send(service.bounds().making(makes ? service.caps().segmentBytes() : 0).message());
    }

    private Segment segment(int id) throws IOException {
        Segment known = segments.get(id);
        if (known == null) {
            throw new ProtocolException("segment " + id + " is not its own");
        }
        return known;
    }

    private void want(String made) throws IOException {
        if (service.haveToMake(user) != (made != null)) {
            if (made != null) {
                throw new ProtocolException("a file for its memory, which the service makes");
            }
            // it has not read yet that it makes its files
            credit.spend(USELESS_COST);
            return;
        }
        if (++wanted > 2) {
            throw new ProtocolException("it does not wait for its segments");
        }
        credit.spend(WANT_COST);
        service.lendSegment(this, segments.size() + wanted - 1, made);
    }

    /** Has it get a segment, or null; false if it has gone. Any thread may call. */
    boolean lend(Segment segment) {
        return loop.post(() -> {
            try {
                lent(segment);
            } catch (RefusedException unread) {
                refuse(RefusedException.of(unread), unread.getMessage());
            } catch (IOException failed) {
                LOG.debug("a segment for {}: {}", name, failed.getMessage());
                refuse(Refusal.NO_HANDOVER, "memory could not be handed over");
            }
        });
    }

    private void lent(Segment segment) throws IOException {
        wanted--;
        if (ended || refused) {
            if (segment != null) {
                service.letGo(segment);
            }
            return;
        }
        if (segment == null) {
            send(NodeProtocol.of(NodeProtocol.NO_SEGMENT));
            return;
        }
        segments.put(segment.id(), segment);
        String path = service.open(segment, user);
        ByteBuffer message = NodeProtocol.begin(NodeProtocol.SEGMENT, 2 * Integer.BYTES + NodeProtocol.bytes(path));
        message.putInt(segment.id()).putInt(segment.bytes());
        NodeProtocol.put(message, path);
        send(message.flip());
    }

    private void work(ByteBuffer fields) throws IOException {
        long id = fields.getLong();
        int number = fields.getInt();
        Segment segment = segment(fields.getInt());
        int at = fields.getInt();
        int inputBytes = fields.getInt();
        int outputBytes = fields.getInt();
        List<String> programs = service.bounds().programs();
        if (works.containsKey(id) || works.size() >= service.caps().mostRequests()) {
            throw new ProtocolException("work " + id + " beside " + works.size() + " others");
        }
        if (number < 0 || number >= programs.size()) {
            throw new ProtocolException("program " + number);
        }
        String program = programs.get(number);
        if (inputBytes < 1
                || inputBytes > service.bounds().mostInputBytes(program)
                || outputBytes < 1
                || outputBytes > service.bounds().mostOutputBytes().get(program)
                || at < 0
                || at % FreeRanges.GRAIN_BYTES != 0
                || (long) at + FreeRanges.roundedUp(inputBytes) + outputBytes > segment.bytes()) {
            throw new ProtocolException(inputBytes + " bytes in, " + outputBytes + " bytes out at " + at);
        }
        int heapBytes = Math.toIntExact(OrderBudget.heapBytes(fields.remaining()));
        JobReader jobs = service.reader(program);
        WaveJob job = jobs.read(fields, inputBytes, outputBytes, segment.input(at, inputBytes));
        if (job.entryCount() > service.bounds().mostEntries()) {
            throw new ProtocolException(job.entryCount() + " entries");
        }
        segment.forgetName();
        ClientWork work = new ClientWork(this, id, program, segment, at, inputBytes, outputBytes, job, heapBytes);
        works.put(id, work);
        orderBytes.addAndGet(heapBytes);
        service.orders().take(user, heapBytes);
        count.received();
        service.count().work().received();
        service.queue().add(work);
    }

    private void withdraw(long id) throws IOException {
        ClientWork work = works.get(id);
        if (work == null) {
            credit.spend(USELESS_COST);
        } else if (service.queue().withdraw(work)) {
            forget(work);
            count.withdrawn();
            service.count().work().withdrawn();
            send(over(work, NodeProtocol.WITHDRAWN, (short) 0, 0));
        }
    }

    private void sendReport() throws IOException {
        credit.spend(WANT_COST);
        if (!service.trusts(user)) {
            throw new RefusedException(Refusal.NO_REPORT, "its figures are for root and the user of the service");
        }
        send(ReportMessage.of(service.reportFor(this)));
    }

    // ---- what it is told

    private void send(ByteBuffer message) throws IOException {
        try {
            loop.send(message);
        } catch (ProtocolException unread) {
            throw new RefusedException(Refusal.NOT_READING, unread.getMessage());
        }
    }

    @Override
    public void over(ClientWork work, FallbackReason why) {
        if (ended || refused || !forget(work)) {
            return;
        }
        long waited = work.waitNanos();
        count.over(why, work.inputBytes, work.outputBytes, waited);
        service.count().work().over(why, work.inputBytes, work.outputBytes, waited);
        try {
            if (why != null) {
                send(over(work, NodeProtocol.FAILED, (short) why.ordinal(), 0));
            } else {
                ByteBuffer message = over(work, NodeProtocol.DONE, (short) 0, work.job.answerBytes());
                work.job.putAnswer(
                        message.limit(message.capacity()).position(message.capacity() - work.job.answerBytes()));
                send(message.rewind());
            }
            loop.wakeIfStalled();
        } catch (RefusedException unread) {
            loop.post(() -> refuse(RefusedException.of(unread), unread.getMessage()));
        } catch (IOException gone) {
            endSoon(String.valueOf(gone.getMessage()));
        }
    }

    /** The message, of which the answer is still to come. */
    private ByteBuffer over(ClientWork work, byte how, short reason, int answerBytes) {
        ByteBuffer message = NodeProtocol.begin(NodeProtocol.OVER, Long.BYTES + 1 + Short.BYTES + answerBytes);
        message.putLong(work.id).put(how).putShort(reason);
        return message.flip();
    }

    /** For its log; it may have gone already. */
    private void tellWhy(String why) {
        try {
            ByteBuffer message = NodeProtocol.begin(NodeProtocol.REFUSED, NodeProtocol.bytes(why));
            NodeProtocol.put(message, why);
            send(message.flip());
        } catch (IOException gone) {
            LOG.trace("{}", gone.getMessage());
        }
    }

    // ---- how it stands

    /** Bytes of its segments. */
    long memoryBytes() {
        return (long) segments.size() * service.caps().segmentBytes();
    }

    boolean hasEnded() {
        return ended || refused;
    }

    int workCount() {
        return works.size();
    }

    /** As it calls itself. */
    String name() {
        return String.valueOf(name);
    }

    /** What people see of it. */
    ServiceReport.Client report() {
        long now = System.nanoTime();
        return new ServiceReport.Client(
                name(), user.getName(), memoryBytes(), workCount(), now - sinceNanos, count.work(), count.window(now));
    }
}
