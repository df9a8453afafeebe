package io.warpcodec.device.serve;

import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.lease.JobReader;
import io.warpcodec.device.lease.WaveJob;
import io.warpcodec.device.node.MessageReader;
import io.warpcodec.device.node.MessageWriter;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.Refusal;
import io.warpcodec.device.node.ReportMessage;
import io.warpcodec.device.node.ServiceReport;
import io.warpcodec.device.pool.OwnLease;
import io.warpcodec.metrics.FallbackReason;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the service: what it says, what it has, what it is told. Everything that it says is judged before it counts; what cannot be right ends its connection and
 * nothing else. Belongs to the service's thread, but for {@link #over}.
 */
final class ServedClient implements WorkOwner {
    private static final int MOST_WAITING_BYTES = 4 << 20;
    private static final int DISCARDED_BYTES = 8 << 10;
    private static final int MOST_NAME_LENGTH = 64;
    /** What a terminal or a log would take for an order, a line's end or nothing. */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private static final Logger LOG = LoggerFactory.getLogger(ServedClient.class);

    private final NodeService service;
    private final SocketChannel socket;
    private final SelectionKey key;
    private final MessageReader reader = new MessageReader();
    private final MessageWriter writer;
    private final UserPrincipal user;
    private final long sinceNanos = System.nanoTime();
    private final WorkCount count = new WorkCount(sinceNanos);

    private final Map<Integer, Segment> segments = new HashMap<>();
    private final Map<Long, ClientWork> works = new ConcurrentHashMap<>();
    private String name;
    private int wanted;
    private boolean reported;
    private long usedNanos = System.nanoTime();
    private volatile boolean refused;
    private volatile boolean ended;

    ServedClient(NodeService service, SocketChannel socket, SelectionKey key, UserPrincipal user) {
        this.service = service;
        this.socket = socket;
        this.key = key;
        this.user = user;
        writer = new MessageWriter(
                socket, MOST_WAITING_BYTES, service.waiting(), () -> service.run(this::awaitWritable));
    }

    private void awaitWritable() {
        if (!ended && key.isValid()) {
            key.interestOpsOr(SelectionKey.OP_WRITE);
        }
    }

    @Override
    public UserPrincipal user() {
        return user;
    }

    /** The socket can be read or written. */
    void turn() throws IOException {
        if (key.isWritable() && writer.goOn()) {
            key.interestOps(SelectionKey.OP_READ);
        }
        // once a turn, so that a client that floods waits for the others
        if (key.isReadable() && refused) {
            if (socket.read(ByteBuffer.allocate(DISCARDED_BYTES)) < 0) {
                throw new EOFException("it has closed the connection");
            }
        } else if (key.isReadable()) {
            read();
        }
    }

    private void read() throws IOException {
        try {
            reader.read(socket, this::take);
        } catch (ProtocolException wrong) {
            refuse(RefusedException.of(wrong), wrong.getMessage());
        }
    }

    /** Looks at the clock, every second. */
    void tick() {
        long now = System.nanoTime();
        count.tick(now);
        if (name == null && now - sinceNanos > service.limits().helloNanos()) {
            refuse(Refusal.NO_HELLO, "it has not said hello");
        } else if (writer.stuckNanos() > service.limits().stuckNanos()) {
            refuse(Refusal.NOT_READING, "it does not read");
        } else if (segments.values().stream().filter(Segment::cutToSize).count() > 0) {
            refuse(Refusal.MEMORY_LARGER, "it has made its memory larger");
        }
    }

    /**
     * Serves it no longer, and tells it why. It keeps its memory, which counts, until it closes the connection: then it touches that no more. A process that was stopped in the
     * middle of a copy would meet an {@link InternalError} at any later time if the memory had been cut under it.
     */
    void refuse(Refusal how, String why) {
        if (refused || ended) {
            return;
        }
        refused = true;
        service.count().refused(how, name(), user.getName(), why);
        dropWorks();
        writer.dropWhole();
        tellWhy(why);
        if (segments.isEmpty()) {
            service.end(this, why);
        }
    }

    /** What is not over by now is not told. */
    private void dropWorks() {
        List<ClientWork> left = new ArrayList<>(works.values());
        service.queue().drop(this, left);
        int dropped = 0;
        for (ClientWork work : left) {
            dropped += works.remove(work.id) == null ? 0 : 1;
        }
        count.dropped(dropped);
        service.count().work().dropped(dropped);
    }

    // ---- what it says

    private void take(byte kind, ByteBuffer fields) throws IOException {
        usedNanos = System.nanoTime();
        if (name == null && kind != NodeProtocol.HELLO) {
            throw new ProtocolException("it has not said hello");
        }
        switch (kind) {
            case NodeProtocol.HELLO -> hello(fields);
            case NodeProtocol.WANT -> want();
            case NodeProtocol.MAPPED -> segment(fields.getInt()).forgetName();
            case NodeProtocol.WORK -> work(fields);
            case NodeProtocol.WITHDRAW -> withdraw(fields.getLong());
            case NodeProtocol.PING -> send(NodeProtocol.of(NodeProtocol.PONG));
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
        RefusedException refusal = service.refusal(this);
        if (refusal != null) {
            throw refusal;
        }
        String said = NodeProtocol.string(fields);
        name = UNSEEN.matcher(said.substring(0, Math.min(said.length(), MOST_NAME_LENGTH)))
                .replaceAll("?");
        LOG.debug("{} of {} is connected", name, user.getName());
        send(service.bounds().message());
    }

    private Segment segment(int id) throws IOException {
        Segment known = segments.get(id);
        if (known == null) {
            throw new ProtocolException("segment " + id + " is not its own");
        }
        return known;
    }

    private void want() throws IOException {
        if (++wanted > 2) {
            throw new ProtocolException("it does not wait for its segments");
        }
        service.lendSegment(this);
    }

    /** A segment for this client, or null. */
    void lent(Segment segment) throws IOException {
        wanted--;
        if (segment == null) {
            send(NodeProtocol.of(NodeProtocol.NO_SEGMENT));
            return;
        }
        segments.put(segment.id(), segment);
        String path = service.nameOf(segment);
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
                || inputBytes > service.bounds().mostLeaseBytes()
                || outputBytes < 1
                || outputBytes > service.bounds().mostOutputBytes().get(program)
                || at < 0
                || at % FreeRanges.GRAIN_BYTES != 0
                || (long) at + FreeRanges.roundedUp(inputBytes) + outputBytes > segment.bytes()) {
            throw new ProtocolException(inputBytes + " bytes in, " + outputBytes + " bytes out at " + at);
        }
        JobReader jobs = service.reader(program);
        WaveJob job = jobs.read(fields, inputBytes, outputBytes, segment.input(at, inputBytes));
        if (job.entryCount() > service.bounds().mostEntries()) {
            throw new ProtocolException(job.entryCount() + " entries");
        }
        ClientWork work = new ClientWork(this, id, program, segment, at, inputBytes, outputBytes, job);
        works.put(id, work);
        count.received();
        service.count().work().received();
        service.queue().add(work);
    }

    private void withdraw(long id) throws IOException {
        ClientWork work = works.get(id);
        if (work != null && service.queue().withdraw(work)) {
            works.remove(id);
            count.withdrawn();
            service.count().work().withdrawn();
            send(over(work, NodeProtocol.WITHDRAWN, (short) 0, 0));
        }
    }

    /** Once a connection: it takes longer than other answers. */
    private void sendReport() throws IOException {
        if (reported) {
            throw new ProtocolException("it has had its report");
        }
        reported = true;
        send(ReportMessage.of(service.reportFor(this)));
    }

    // ---- what it is told

    private void send(ByteBuffer message) throws IOException {
        try {
            writer.send(message);
        } catch (ProtocolException unread) {
            throw new RefusedException(Refusal.NOT_READING, unread.getMessage());
        }
    }

    @Override
    public void over(ClientWork work, FallbackReason why) {
        if (ended || refused || works.remove(work.id) == null) {
            return;
        }
        long waited = work.waitNanos();
        count.over(why, work.inputBytes, work.outputBytes, waited);
        service.count().work().over(why, work.inputBytes, work.outputBytes, waited);
        try {
            if (why != null) {
                send(over(work, NodeProtocol.FAILED, (short) why.ordinal(), 0));
            } else {
                OwnLease lease = work.lease;
                ByteBuffer message = over(work, NodeProtocol.DONE, (short) 0, work.job.answerBytes());
                work.job.putAnswer(
                        message.limit(message.capacity()).position(message.capacity() - work.job.answerBytes()));
                message.putLong(NodeProtocol.HEAD_BYTES + Long.BYTES + 1 + Short.BYTES, lease.poolNanos());
                send(message.rewind());
            }
        } catch (RefusedException unread) {
            service.run(() -> refuse(RefusedException.of(unread), unread.getMessage()));
        } catch (IOException gone) {
            service.run(() -> service.end(this, gone.getMessage()));
        }
    }

    /** The message, of which the answer is still to come. */
    private ByteBuffer over(ClientWork work, byte how, short reason, int answerBytes) {
        ByteBuffer message = NodeProtocol.begin(NodeProtocol.OVER, 3 * Long.BYTES + 1 + Short.BYTES + answerBytes);
        message.putLong(work.id)
                .put(how)
                .putShort(reason)
                .putLong(0)
                .putLong(service.queue().backlogBytes());
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

    /** Whether it is served, has memory and has had no work for so long. */
    boolean isIdle(long nanos) {
        return !hasEnded() && !segments.isEmpty() && works.isEmpty() && System.nanoTime() - usedNanos > nanos;
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

    /** Takes back all that it has, as soon as no device touches it. */
    void end(String why) {
        if (ended) {
            return;
        }
        ended = true;
        LOG.debug("{} of user {} has gone: {}", name, user.getName(), why);
        if (!refused) {
            tellWhy(why);
        }
        try {
            socket.close();
        } catch (IOException failed) {
            LOG.debug("{}", failed.getMessage());
        }
        writer.dropAll();
        dropWorks();
        segments.values().forEach(service::letGo);
        segments.clear();
    }
}
