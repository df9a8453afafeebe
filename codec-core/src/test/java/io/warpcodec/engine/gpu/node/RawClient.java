package io.warpcodec.engine.gpu.node;

import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.node.MessageReader;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.ReportMessage;
import io.warpcodec.device.node.SegmentFile;
import io.warpcodec.device.node.ServiceReport;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A client that says what a test wants it to say, message by message, true or not. Not thread-safe. */
public final class RawClient implements AutoCloseable {
    /** What the service said. */
    public record Said(byte kind, ByteBuffer fields) {}

    /** A segment that was lent; its file stays open until the client is closed, since it has no name soon. */
    public record Lent(int id, Path path, FileChannel file, ByteBuffer memory) {}

    private final Path folder;
    private final SocketChannel socket;
    private final MessageReader reader = new MessageReader();
    private final Deque<Said> said = new ArrayDeque<>();
    private final List<FileChannel> files = new ArrayList<>();
    private final List<SegmentFile> made = new ArrayList<>();
    public final List<String> programs = new ArrayList<>();
    /** Of the files that this client has to make; 0 if the service makes them. */
    public int madeBytes;

    public RawClient(Path folder) throws IOException {
        this.folder = folder;
        socket = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve(NodeProtocol.SOCKET)));
    }

    /** A client that the service has welcomed. */
    public static RawClient welcome(Path folder) throws IOException {
        RawClient client = new RawClient(folder);
        client.hello(NodeProtocol.VERSION);
        ByteBuffer fields = client.next(NodeProtocol.WELCOME).fields;
        fields.position(2 * Integer.BYTES + Long.BYTES);
        client.madeBytes = fields.getInt();
        int count = fields.getInt();
        for (int program = 0; program < count; program++) {
            client.programs.add(NodeProtocol.string(fields));
            fields.getInt();
        }
        return client;
    }

    void hello(int version) throws IOException {
        hello(version, "raw");
    }

    void hello(int version, String name) throws IOException {
        ByteBuffer hello = NodeProtocol.begin(NodeProtocol.HELLO, 2 * Integer.BYTES + NodeProtocol.bytes(name));
        hello.putInt(NodeProtocol.MAGIC).putInt(version);
        NodeProtocol.put(hello, name);
        send(hello.flip());
    }

    /** Asks how the service stands. */
    public ServiceReport report() throws IOException {
        send(NodeProtocol.of(NodeProtocol.REPORT));
        return ReportMessage.read(next(NodeProtocol.REPORTED).fields);
    }

    public void send(ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            socket.write(message);
        }
    }

    /** Waits for what the service says next. */
    public Said next() throws IOException {
        while (said.isEmpty()) {
            reader.read(socket, (kind, fields) -> {
                ByteBuffer copy = ByteBuffer.allocate(fields.remaining()).order(ByteOrder.LITTLE_ENDIAN);
                said.add(new Said(kind, copy.put(fields).flip()));
            });
        }
        return said.remove();
    }

    /** As {@link #next()}, but fails unless the message is of this kind. */
    public Said next(byte kind) throws IOException {
        Said next = next();
        if (next.kind != kind) {
            String why = next.kind == NodeProtocol.REFUSED ? NodeProtocol.string(next.fields) : "";
            throw new IOException("a message of kind " + next.kind + " " + why);
        }
        return next;
    }

    /** Asks for a segment and maps it. */
    public Lent segment() throws IOException {
        if (madeBytes > 0) {
            SegmentFile file = SegmentFile.make(folder.resolve(NodeProtocol.SEGMENTS), madeBytes);
            made.add(file);
            return segmentOf(file);
        }
        send(NodeProtocol.want(null));
        return lent(next(NodeProtocol.SEGMENT).fields);
    }

    /** Asks for a segment until there is one, and maps it. */
    public Lent segmentInTheEnd() throws IOException, InterruptedException {
        while (true) {
            send(NodeProtocol.want(null));
            Said said = next();
            if (said.kind != NodeProtocol.NO_SEGMENT) {
                return lent(said.fields);
            }
            Thread.sleep(1);
        }
    }

    private Lent lent(ByteBuffer fields) throws IOException {
        int id = fields.getInt();
        int bytes = fields.getInt();
        Path path = folder.resolve(NodeProtocol.string(fields));
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        files.add(file);
        ByteBuffer memory = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new Lent(id, path, file, memory);
    }

    /** Gets the segment of a file that this client has made, whose mapping stays when that is closed. */
    public Lent segmentOf(SegmentFile file) throws IOException {
        send(NodeProtocol.want(file.name()));
        ByteBuffer fields = next(NodeProtocol.SEGMENT).fields;
        int id = fields.getInt();
        ByteBuffer memory = file.map(fields.getInt()).order(ByteOrder.LITTLE_ENDIAN);
        return new Lent(id, folder.resolve(NodeProtocol.SEGMENTS).resolve(file.name()), file.file(), memory);
    }

    /** Asks for work. */
    public void work(long id, String program, int segment, int at, int inputBytes, int outputBytes, byte[] order)
            throws IOException {
        work(id, programs.indexOf(program), segment, at, inputBytes, outputBytes, order);
    }

    public void work(long id, int program, int segment, int at, int inputBytes, int outputBytes, byte[] order)
            throws IOException {
        ByteBuffer message = NodeProtocol.begin(NodeProtocol.WORK, Long.BYTES + 5 * Integer.BYTES + order.length);
        message.putLong(id)
                .putInt(program)
                .putInt(segment)
                .putInt(at)
                .putInt(inputBytes)
                .putInt(outputBytes);
        send(message.put(order).flip());
    }

    /** Where the output of work at that place begins. */
    public static int outputAt(int at, int inputBytes) {
        return at + FreeRanges.roundedUp(inputBytes);
    }

    /** Whether the service serves this client no longer, which it says soon. */
    boolean isRefused() {
        try {
            while (next().kind != NodeProtocol.REFUSED) {
                continue;
            }
            return true;
        } catch (IOException ended) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (FileChannel file : files) {
            file.close();
        }
        for (SegmentFile file : made) {
            file.close();
        }
    }
}
