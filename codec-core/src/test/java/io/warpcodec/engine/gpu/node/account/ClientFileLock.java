package io.warpcodec.engine.gpu.node.account;

import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.SegmentFile;
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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Files of clients under a real driver: a service of another user without capabilities page-locks files that this
 * process makes, works in them, and goes on while this process cuts them. Run it as root on a machine with a device.
 * Its status is 0 if all was as it should be.
 *
 * <pre>
 * usage: ClientFileLock FOLDER SECONDS [scripted]    a new folder on tmpfs; SECONDS for each of three ways
 * </pre>
 */
public final class ClientFileLock {
    private static final String SERVICE = "65532";
    private static final String LZ4 = "decode.lz4";
    private static final int BLOCK_BYTES = 60_000;
    private static final int AHEAD = 64;

    private final Path folder;
    private final Process service;
    private int failures;

    private ClientFileLock(Path folder, Process service) {
        this.folder = folder;
        this.service = service;
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[1]));
        Files.createDirectories(folder);
        Files.setAttribute(folder, "unix:uid", Integer.parseInt(SERVICE));
        try (UserJava processes = UserJava.withAll()) {
            boolean scripted = arguments.length > 2;
            Process service = scripted
                    ? processes.start(SERVICE, ScriptedServeMain.class, folder.toString(), "1", "67108864")
                    : processes.start(SERVICE, ServeMain.class, "node.folder=" + folder, "pinned.max=512m");
            Thread log =
                    new Thread(() -> service.inputReader().lines().forEach(line -> System.out.println("| " + line)));
            log.start();
            ClientFileLock tried = new ClientFileLock(folder, service);
            try {
                tried.awaitService();
                tried.work(nanos);
                tried.cutsBeforeTheLock(nanos);
                if (!scripted) {
                    // kernels of the host would look at what is gone
                    tried.cutsUnderWork(nanos);
                }
            } finally {
                UserJava.end(service);
            }
            System.out.println(tried.failures == 0 ? "ALL AS IT SHOULD BE" : tried.failures + " THINGS WENT WRONG");
            System.exit(tried.failures == 0 ? 0 : 1);
        }
    }

    private void say(String what, Object outcome, boolean right) {
        System.out.println((right ? "ok    " : "WRONG ") + what + ": " + outcome);
        failures += right ? 0 : 1;
    }

    private void awaitService() throws Exception {
        long begun = System.nanoTime();
        while (!Files.exists(folder.resolve(NodeProtocol.SOCKET))) {
            if (!service.isAlive() || System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(60)) {
                throw new IOException("the service does not serve");
            }
            Thread.sleep(10);
        }
    }

    /** A stored LZ4 block: so many literals. */
    private static byte[] block(int seed) {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES + 1 + BLOCK_BYTES / 255 + 2);
        block.put((byte) 0xf0);
        int left = BLOCK_BYTES - 15;
        for (; left >= 255; left -= 255) {
            block.put((byte) 255);
        }
        block.put((byte) left);
        for (int at = 0; at < BLOCK_BYTES; at++) {
            block.put((byte) (at * 31 + seed));
        }
        return Arrays.copyOf(block.array(), block.position());
    }

    private void ask(RawClient client, int segment, int id, int blockBytes) throws IOException {
        BlockJob job = new BlockJob();
        job.add(0, blockBytes, 0, BLOCK_BYTES);
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        client.work(id, LZ4, segment, 0, blockBytes, BLOCK_BYTES, order.array());
    }

    private static boolean isRight(ByteBuffer memory, int blockBytes, int seed) {
        int output = FreeRanges.roundedUp(blockBytes);
        for (int at = 0; at < BLOCK_BYTES; at++) {
            if (memory.get(output + at) != (byte) (at * 31 + seed)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a new client is served with the right bytes. */
    private void isServed(String when) {
        long begun = System.nanoTime();
        boolean right = false;
        String what;
        try (RawClient client = RawClient.welcome(folder)) {
            RawClient.Lent segment = client.segment();
            byte[] block = block(7);
            segment.memory().put(0, block);
            ask(client, segment.id(), 1, block.length);
            byte how = client.next(NodeProtocol.OVER).fields().get(Long.BYTES);
            right = client.madeBytes > 0 && how == NodeProtocol.DONE && isRight(segment.memory(), block.length, 7);
            what = "how " + how + ", its own file " + (client.madeBytes > 0);
        } catch (IOException failed) {
            what = failed.toString();
        }
        say("a client " + when, what + ", " + (System.nanoTime() - begun) / 1_000_000 + " ms", right);
        say("the service " + when, service.isAlive() ? "lives" : "status " + service.exitValue(), service.isAlive());
    }

    private long memoryBytes() throws IOException {
        try (RawClient client = RawClient.welcome(folder)) {
            return client.report().memoryBytes();
        }
    }

    private void work(long nanos) throws Exception {
        isServed("at first");
        long until = System.nanoTime() + nanos;
        int rounds = 0;
        boolean right = true;
        for (; System.nanoTime() < until && right; rounds++) {
            try (RawClient client = RawClient.welcome(folder)) {
                RawClient.Lent segment = client.segment();
                byte[] block = block(rounds);
                segment.memory().put(0, block);
                ask(client, segment.id(), 1, block.length);
                client.next(NodeProtocol.OVER);
                right = isRight(segment.memory(), block.length, rounds);
            }
        }
        say("files locked, worked in and given back", rounds, right && rounds > 0);
        say("memory of the service behind them", memoryBytes() >> 20, memoryBytes() <= 640L << 20);
    }

    /** Cuts the file between its naming and the service's answer, at a time that moves. */
    private void cutsBeforeTheLock(long nanos) throws Exception {
        long until = System.nanoTime() + nanos;
        int refused = 0;
        int lent = 0;
        for (int round = 0; System.nanoTime() < until; round++) {
            try (RawClient client = RawClient.welcome(folder);
                    SegmentFile file = SegmentFile.make(folder.resolve(NodeProtocol.SEGMENTS), client.madeBytes)) {
                client.send(NodeProtocol.want(file.name()));
                while (Files.exists(folder.resolve(NodeProtocol.SEGMENTS).resolve(file.name()))) {
                    Thread.onSpinWait();
                }
                TimeUnit.MICROSECONDS.sleep(round * 137L % 25_000);
                file.file().truncate(round % 3 * 4096L);
                if (client.next().kind() == NodeProtocol.SEGMENT) {
                    lent++;
                } else {
                    refused++;
                }
            }
        }
        say("files cut before their answer", lent + " lent, " + refused + " refused", lent + refused > 0);
        isServed("behind them");
    }

    /** Cuts the file while the service has work in it. */
    private void cutsUnderWork(long nanos) throws Exception {
        long until = System.nanoTime() + nanos;
        int done = 0;
        int failed = 0;
        byte[] block = block(3);
        for (int round = 0; System.nanoTime() < until; round++) {
            try (RawClient client = RawClient.welcome(folder)) {
                RawClient.Lent segment = client.segment();
                segment.memory().put(0, block);
                List<Byte> ends = new ArrayList<>();
                for (int id = 1; id <= AHEAD; id++) {
                    ask(client, segment.id(), id, block.length);
                    if (id == AHEAD / 2) {
                        segment.file().truncate(0);
                    }
                }
                while (ends.size() < AHEAD) {
                    ends.add(client.next(NodeProtocol.OVER).fields().get(Long.BYTES));
                }
                done += (int)
                        ends.stream().filter(how -> how == NodeProtocol.DONE).count();
                failed += (int)
                        ends.stream().filter(how -> how == NodeProtocol.FAILED).count();
            }
        }
        say("pieces of work in files that are cut", done + " done, " + failed + " failed", done + failed > 0);
        Thread.sleep(1000);
        isServed("behind them");
        say("memory of the service, MiB", memoryBytes() >> 20, memoryBytes() <= 640L << 20);
        try (var left = Files.list(folder.resolve(NodeProtocol.SEGMENTS))) {
            say("names in the folder", left.count(), true);
        }
    }
}
