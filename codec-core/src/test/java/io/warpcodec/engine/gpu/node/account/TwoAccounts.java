package io.warpcodec.engine.gpu.node.account;

import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.engine.gpu.block.BlockJob;
import io.warpcodec.engine.gpu.node.RawClient;
import io.warpcodec.engine.gpu.node.ScriptedServeMain;
import io.warpcodec.serve.ServeMain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Two accounts with all the work that a service takes, one by forty connections and one by a single one: which share of
 * the bytes that cost each gets. Needs root, to be other users. Its status is 0 if each has half, within 15 %.
 *
 * <pre>
 * usage: TwoAccounts SECONDS [real]                                     of scripted devices, or of this machine's
 *        TwoAccounts FOLDER CONNECTIONS SECONDS BLOCKS both|inputs      one of the accounts
 * </pre>
 */
public final class TwoAccounts {
    private static final String MANY = "65533";
    private static final String ONE = "65534";
    private static final int CONNECTIONS = 40;
    private static final double MOST_OFF = 0.15;

    private static final String LZ4 = "decode.lz4";
    private static final int BLOCK_BYTES = 60_000;
    /** Pieces of work of a connection, at once: more than devices have. */
    private static final int AHEAD = 400;

    private final Path folder;
    private final int blocks;
    private final boolean inputs;
    private final AtomicLong bytes = new AtomicLong();
    private volatile long from = Long.MAX_VALUE;
    private volatile boolean over;

    private TwoAccounts(Path folder, int blocks, boolean inputs) {
        this.folder = folder;
        this.blocks = blocks;
        this.inputs = inputs;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 2) {
            new TwoAccounts(Path.of(arguments[0]), Integer.parseInt(arguments[3]), arguments[4].equals("inputs"))
                    .run(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            System.exit(0);
        }
        boolean even = true;
        for (String kind : List.of("both", "inputs")) {
            double share = shareOfMany(Integer.parseInt(arguments[0]), arguments.length > 1, kind);
            System.out.printf("%s: %d connections of one account have %.3f of the bytes%n", kind, CONNECTIONS, share);
            even &= isHalf(share);
        }
        System.exit(even ? 0 : 1);
    }

    /** Whether a share is a half, as near as is asked. */
    static boolean isHalf(double share) {
        return Math.abs(share / 0.5 - 1) <= MOST_OFF;
    }

    /**
     * Runs both accounts beside each other.
     *
     * @param kind of the work of the account with many connections: {@code both}, or {@code inputs} for input with
     * hardly any output; the other has {@code both}
     * @return share of the bytes that cost
     */
    static double shareOfMany(int seconds, boolean real, String kind) throws Exception {
        Path folder = UserJava.folder("0");
        try (UserJava processes = UserJava.withAll()) {
            Process service = real
                    ? processes.start("0", ServeMain.class, "node.folder=" + folder, ServeMain.GROUP + "=*")
                    : processes.start("0", ScriptedServeMain.class, folder.toString(), "1", "67108864");
            try {
                await(service, folder.resolve(NodeProtocol.SOCKET));
                String blocks = real ? "64" : "8";
                String time = Integer.toString(seconds);
                Process many = processes.start(
                        MANY, TwoAccounts.class, folder.toString(), Integer.toString(CONNECTIONS), time, blocks, kind);
                Process one = processes.start(ONE, TwoAccounts.class, folder.toString(), "1", time, blocks, "both");
                begin(many);
                begin(one);
                goOn(many);
                goOn(one);
                double ofMany = bytes(many);
                return ofMany / (ofMany + bytes(one));
            } finally {
                UserJava.end(service);
            }
        } finally {
            UserJava.delete(folder);
        }
    }

    private static void await(Process service, Path socket) throws Exception {
        while (!Files.exists(socket)) {
            if (!service.isAlive()) {
                throw new IOException(
                        "no service: " + service.inputReader().lines().toList());
            }
            Thread.sleep(10);
        }
    }

    /** Waits until all of an account's connections have memory. */
    private static void begin(Process account) throws IOException {
        String line = account.inputReader().readLine();
        if (!"ready".equals(line)) {
            throw new IOException(line + account.inputReader().lines().toList());
        }
    }

    private static void goOn(Process account) throws IOException {
        account.getOutputStream().write('\n');
        account.getOutputStream().flush();
    }

    private static long bytes(Process account) throws IOException {
        return Long.parseLong(account.inputReader().readLine());
    }

    // ---- an account

    private void run(int connections, int seconds) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        List<RawClient.Lent> segments = new ArrayList<>();
        for (int client = 0; client < connections; client++) {
            clients.add(RawClient.welcome(folder));
            segments.add(clients.get(client).segment());
        }
        for (int client = 0; client < connections; client++) {
            int index = client;
            Thread thread = new Thread(() -> work(clients.get(index), segments.get(index)));
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("ready");
        System.in.read();
        // the other is told to go on too
        TimeUnit.MILLISECONDS.sleep(500);
        from = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        over = true;
        System.out.println(bytes.get());
    }

    /** A block of literals alone. */
    private static byte[] block() {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES + BLOCK_BYTES / 255 + 16);
        block.put((byte) 0xf0);
        int left = BLOCK_BYTES - 15;
        for (; left >= 255; left -= 255) {
            block.put((byte) 255);
        }
        block.put((byte) left).position(block.position() + BLOCK_BYTES).flip();
        byte[] bytes = new byte[block.remaining()];
        block.get(bytes);
        return bytes;
    }

    private void work(RawClient client, RawClient.Lent segment) {
        byte[] block = block();
        int inputBytes = blocks * block.length;
        int outputBytes = inputs ? 1 : blocks * BLOCK_BYTES;
        BlockJob job = new BlockJob();
        if (inputs) {
            segment.memory().put(0, new byte[] {0x10, 'x'});
            job.add(0, 2, 0, 1);
        } else {
            for (int each = 0; each < blocks; each++) {
                segment.memory().put(each * block.length, block);
                job.add(each * block.length, block.length, each * BLOCK_BYTES, BLOCK_BYTES);
            }
        }
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        try {
            for (int id = 1; !over; id++) {
                client.work(id, LZ4, segment.id(), 0, inputBytes, outputBytes, order.array());
                if (id > AHEAD) {
                    isDone(client.next(NodeProtocol.OVER).fields());
                    bytes.addAndGet(System.nanoTime() >= from ? Math.max(inputBytes, outputBytes) : 0);
                }
            }
        } catch (IOException failed) {
            failed.printStackTrace(System.out);
        }
    }

    private static void isDone(ByteBuffer fields) throws IOException {
        if (fields.get(Long.BYTES) != NodeProtocol.DONE) {
            throw new IOException("work has failed");
        }
    }
}
