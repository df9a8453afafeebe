package io.warpcodec.device.serve;

import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.lease.JobReader;
import io.warpcodec.device.lease.WaveJob;
import io.warpcodec.device.node.MessageReader;
import io.warpcodec.device.node.MessageWriter;
import io.warpcodec.device.node.NodeProtocol;
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
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the service: what it says, what it has, what it is told. Everything that it says is judged before it counts; what cannot be right ends its connection and
 * nothing else. Belongs to the service's thread, but for {@link #over}.
 */
final class ServedClient {
    private static final int MOST_WAITING_BYTES = 4 << 20;
    private static final int DISCARDED_BYTES = 8 << 10;
    private static final long HELLO_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Logger LOG = LoggerFactory.getLogger(ServedClient.class);

    private final NodeService service;
    private final SocketChannel socket;
    private final SelectionKey key;
    private final MessageReader reader = new MessageReader();
    private final MessageWriter writer;
    private final UserPrincipal user;
    private final long sinceNanos = System.nanoTime();

    private final Map<Integer, Segment> segments = new HashMap<>();
    private final Map<Long, ClientWork> works = new ConcurrentHashMap<>();
    private String name;
    private int wanted;
    private long usedNanos = System.nanoTime();
    private volatile boolean refused;
    private volatile boolean ended;

    ServedClient(NodeService service, SocketChannel socket, SelectionKey key, UserPrincipal user) {
        this.service = service;
        this.socket = socket;
        this.key = key;
        this.user = user;
        writer = new MessageWriter(socket, MOST_WAITING_BYTES, () -> service.run(this::awaitWritable));
    }

    private void awaitWritable() {
        if (!ended && key.isValid()) {
            key.interestOpsOr(SelectionKey.OP_WRITE);
        }
    }

    UserPrincipal user() {
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
            refuse(wrong.getMessage());
        }
    }

    /** Looks at the clock, every second. */
    void tick() {
        if (name == null && System.nanoTime() - sinceNanos > HELLO_NANOS) {
            service.end(this, "it has not said hello");
        } else if (writer.stuckNanos() > STUCK_NANOS) {
            refuse("it does not read");
        } else if (segments.values().stream().filter(Segment::cutToSize).count() > 0) {
            refuse("it has made its memory larger");
        }
    }

    /**
     * Serves it no longer, and tells it why. It keeps its memory, which counts, until it closes the connection: then it touches that no more.
     */
    void refuse(String why) {
        if (refused || ended) {
            return;
        }
        refused = true;
        service.sayRefused(String.valueOf(name), user, why);
        service.queue().drop(this, new ArrayList<>(works.values()));
        works.clear();
        tellWhy(why);
        if (segments.isEmpty()) {
            service.end(this, why);
        }
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
            throw new ProtocolException(
                    "the service speaks version " + NodeProtocol.VERSION + ", the client " + version);
        }
        String refusal = service.refusal(this);
        if (refusal != null) {
            throw new ProtocolException(refusal);
        }
        name = NodeProtocol.string(fields);
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
        service.queue().add(work);
    }

    private void withdraw(long id) throws IOException {
        ClientWork work = works.get(id);
        if (work != null && service.queue().withdraw(work)) {
            works.remove(id);
            send(over(work, NodeProtocol.WITHDRAWN, (short) 0, 0));
        }
    }

    // ---- what it is told

    private void send(ByteBuffer message) throws IOException {
        writer.send(message);
    }

    /** Work is over, for a reason or without one. On any thread. */
    void over(ClientWork work, FallbackReason why) {
        if (ended || refused || works.remove(work.id) == null) {
            return;
        }
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
        } catch (IOException broken) {
            service.run(() -> refuse(String.valueOf(broken.getMessage())));
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

    /** Whether it has memory and has had no work for so long. */
    boolean isIdle(long nanos) {
        return !segments.isEmpty() && works.isEmpty() && System.nanoTime() - usedNanos > nanos;
    }

    boolean hasEnded() {
        return ended || refused;
    }

    /** What people see of it. */
    ServiceReport.Client report() {
        return new ServiceReport.Client(String.valueOf(name), user.getName(), memoryBytes(), works.size());
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
        service.queue().drop(this, new ArrayList<>(works.values()));
        works.clear();
        segments.values().forEach(service::letGo);
        segments.clear();
    }
}
