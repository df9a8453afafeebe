package io.warpcodec.engine.gpu.node.fault;

import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.engine.gpu.block.BlockJob;
import io.warpcodec.engine.gpu.node.RawClient;
import io.warpcodec.engine.gpu.zstd.ZstdSegmentSample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A hostile client of a service: messages of every kind with fields that lie, orders that nearly hold, segments of
 * others, bytes that change under way, files cut short, floods without reading, connections left in the middle of a
 * message. Behind each the service must live, and its devices.
 *
 * <pre>usage: NodeFuzz FOLDER MESSAGES SEED</pre>
 */
final class NodeFuzz {
    private static final int[] EDGES = {
        0,
        1,
        -1,
        2,
        7,
        15,
        16,
        255,
        256,
        4096,
        65_535,
        65_536,
        1 << 20,
        2 << 20,
        4 << 20,
        8 << 20,
        (8 << 20) + 1,
        1 << 24,
        1 << 30,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE
    };

    private final Path folder;
    private final Random random;
    private final ZstdSegmentSample zstd;
    private final boolean cuts;
    private final Map<String, Integer> ends = new TreeMap<>();
    private long answers;
    private long sent;

    /**
     * @param cuts whether it cuts segments short, which a device of a test that copies by the processor does not
     *     survive
     */
    NodeFuzz(Path folder, long seed, boolean cuts) {
        this.folder = folder;
        this.random = new Random(seed);
        this.zstd = ZstdSegmentSample.ofText(300_000, seed);
        this.cuts = cuts;
    }

    public static void main(String[] arguments) throws Exception {
        NodeFuzz fuzz = new NodeFuzz(Path.of(arguments[0]), Long.parseLong(arguments[2]), true);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(fuzz.sent + " messages, " + fuzz)));
        fuzz.run(Long.parseLong(arguments[1]), null);
    }

    /** How often connections ended for which reason, and how much work was answered. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("answered " + answers + "\n");
        ends.forEach((why, count) -> text.append(count).append(' ').append(why).append('\n'));
        return text.toString();
    }

    long answers() {
        return answers;
    }

    Map<String, Integer> ends() {
        return ends;
    }

    /** @param devices of the service, if it is in this process: none must be lost */
    void run(long messages, OwnPool devices) throws IOException {
        long end = sent + messages;
        while (sent < end) {
            try (RawClient client = random.nextInt(50) == 0 ? new RawClient(folder) : RawClient.welcome(folder)) {
                talk(client, 1 + random.nextInt(180));
            } catch (IOException ended) {
                ends.merge(reason(ended), 1, Integer::sum);
            }
            if (devices != null && devices.unavailableReason() != null) {
                throw new AssertionError("devices: " + devices.unavailableReason());
            }
        }
    }

    private static String reason(IOException ended) {
        return String.valueOf(ended.getMessage()).replaceAll("-?[0-9]+", "#");
    }

    private void talk(RawClient client, int length) throws IOException {
        RawClient.Lent segment = client.programs.isEmpty() || random.nextInt(20) == 0 ? null : client.segment();
        // half of the connections only send work that holds, whatever its bytes are: it has to be answered
        int choices = random.nextBoolean() ? 70 : 100;
        int messages = choices == 100 ? length : 2 * length;
        int id = 0;
        for (int message = 0; message < messages; message++, sent++) {
            int choice = random.nextInt(choices);
            if (segment != null && choice < 85) {
                work(client, segment, ++id, choice < 70);
            } else if (choice < 90) {
                raw(client);
            } else if (choice < 94) {
                client.send(NodeProtocol.begin(NodeProtocol.WITHDRAW, Long.BYTES)
                        .putLong(random.nextInt(id + 2))
                        .flip());
            } else if (choice < 97) {
                byte[] kinds = {NodeProtocol.WANT, NodeProtocol.REPORT};
                client.send(NodeProtocol.of(kinds[random.nextInt(kinds.length)]));
            } else if (segment != null && cuts && choice == 97) {
                segment.file().truncate(random.nextInt(segment.memory().capacity()));
                segment = null;
            }
        }
        if (choices == 100 && random.nextInt(4) == 0) {
            // in the middle of a message, or of work
            client.send(ByteBuffer.wrap(new byte[] {9, 0, 0}));
            return;
        }
        while (id > 0) {
            RawClient.Said said = client.next();
            if (said.kind() == NodeProtocol.REFUSED) {
                throw new IOException(NodeProtocol.string(said.fields()));
            }
            if (said.kind() == NodeProtocol.OVER) {
                answers++;
                id--;
            }
        }
    }

    private int number() {
        return random.nextInt(3) == 0 ? random.nextInt() : EDGES[random.nextInt(EDGES.length)] + random.nextInt(3) - 1;
    }

    private void raw(RawClient client) throws IOException {
        byte[] fields = new byte[random.nextInt(64)];
        random.nextBytes(fields);
        byte kind = (byte) (random.nextBoolean() ? random.nextInt(9) : random.nextInt());
        client.send(NodeProtocol.begin(kind, fields.length).put(fields).flip());
    }

    /** Work of any program; mostly such as a client would ask for, with one number changed. */
    private void work(RawClient client, RawClient.Lent segment, int id, boolean likely) throws IOException {
        String program = client.programs.get(random.nextInt(client.programs.size()));
        if (program.equals(ZstdSegmentSample.PROGRAM)) {
            zstdSegment(client, segment, id, likely);
            return;
        }
        boolean segments = program.endsWith("segments");
        int leastBytes = program.contains("bzip2") ? 4096 : program.contains("zstd") ? 8 * 64 : 16;
        int inputBytes = leastBytes + 16 * random.nextInt(segments ? 1000 : 4000);
        int outputBytes = 120_000 + random.nextInt(300_000);
        byte[] content = new byte[Math.min(inputBytes, 1 << random.nextInt(16))];
        random.nextBytes(content);
        segment.memory().put(0, content);
        ByteBuffer order =
                segments ? segmentOrder(inputBytes, outputBytes) : blockOrder(program, inputBytes, outputBytes);
        if (!likely) {
            order.putInt(random.nextInt(order.capacity() / Integer.BYTES) * Integer.BYTES, number());
        }
        int which = likely ? 0 : random.nextInt(20);
        client.work(
                which == 1 ? random.nextInt(id) : id,
                which == 2 ? number() : client.programs.indexOf(program),
                which == 3 ? number() : segment.id(),
                which == 4 ? number() : 0,
                which == 5 ? number() : inputBytes,
                which == 6 ? number() : outputBytes,
                order.array());
        // under way
        segment.memory().putInt(random.nextInt(inputBytes), random.nextInt());
    }

    /** A segment of zstd, of which all stands in its input: a few numbers or bits of it are changed. */
    private void zstdSegment(RawClient client, RawClient.Lent segment, int id, boolean likely) throws IOException {
        byte[] content = zstd.input().clone();
        ByteBuffer numbers = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        for (int change = random.nextInt(4); change > 0; change--) {
            if (random.nextBoolean()) {
                numbers.putInt(random.nextInt(64) * Integer.BYTES, number());
            } else {
                content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            }
        }
        segment.memory().put(0, content);
        client.work(
                id,
                client.programs.indexOf(ZstdSegmentSample.PROGRAM),
                segment.id(),
                0,
                likely ? content.length : 1 + random.nextInt(content.length),
                likely ? zstd.outputBytes() : 1 + random.nextInt(zstd.outputBytes()),
                new byte[likely || random.nextBoolean() ? 0 : random.nextInt(9)]);
        segment.memory().putInt(random.nextInt(content.length - Integer.BYTES), random.nextInt());
    }

    private ByteBuffer segmentOrder(int inputBytes, int outputBytes) {
        ByteBuffer order = ByteBuffer.allocate(7 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int windowBytes = random.nextInt(inputBytes / 16) * 16;
        return order.putInt(windowBytes)
                .putInt(0)
                .putInt(inputBytes - windowBytes)
                .putInt(random.nextInt(8))
                .putInt(outputBytes)
                .putInt(outputBytes - 32_768)
                .putInt(random.nextInt(2));
    }

    private ByteBuffer blockOrder(String program, int inputBytes, int outputBytes) {
        BlockJob job = new BlockJob();
        int blocks = 1 + random.nextInt(8);
        int input = inputBytes / blocks / 16 * 16;
        int output = outputBytes / blocks / 16 * 16;
        boolean bzip2 = program.contains("bzip2");
        if (bzip2) {
            blocks = 1;
            input = inputBytes;
            output = program.startsWith("decode") ? 116_496 : 40_000;
            output = Math.min(output, outputBytes);
        }
        for (int block = 0; block < blocks; block++) {
            int limit = program.equals("encode.bzip2")
                    ? 100_000
                    : program.contains("long") || program.startsWith("encode.deflate")
                            ? Math.min(block * 16, block * input)
                            : 0;
            job.addWithWindow(block * input, input, block * output, output, limit);
        }
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        return order.flip();
    }
}
