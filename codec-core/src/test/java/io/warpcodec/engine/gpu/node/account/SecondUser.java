package io.warpcodec.engine.gpu.node.account;

import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.node.NodeAddress;
import io.warpcodec.device.node.NodePool;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.engine.gpu.block.BlockJob;
import io.warpcodec.engine.gpu.node.RawClient;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process of a user that is not the service's: it tries all that it must not be able to do, and says on its
 * standard output what came of it, one line each.
 *
 * <pre>
 * usage: SecondUser FOLDER SEGMENT ID    tries to get at the segment of another, which has this name in the folder, and uses the service as it should be used
 *        SecondUser FOLDER USER          is a client that trusts the services of that user
 * </pre>
 */
final class SecondUser {
    private static final String LZ4 = "decode.lz4";
    /** An LZ4 block, of one byte. */
    private static final byte[] BLOCK = {0x10, 'x'};

    private final Path folder;
    private final Path theirs;
    private final int theirId;

    private SecondUser(Path folder, Path theirs, int theirId) {
        this.folder = folder;
        this.theirs = theirs;
        this.theirId = theirId;
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        if (arguments.length == 2) {
            NodePool client = new NodePool(new NodeAddress(folder, Set.of(arguments[1])));
            client.awaitFirst(TimeUnit.SECONDS.toNanos(30));
            say("is served", () -> client.isRunning() && client.tryLease(LZ4, BLOCK.length, 1, 1) != null);
        } else {
            SecondUser user = new SecondUser(folder, folder.resolve(arguments[1]), Integer.parseInt(arguments[2]));
            user.looks();
            user.writes();
            user.asks();
            user.isServed();
        }
    }

    /** Says what a try gave: its value, or the name of what it threw. */
    private static void say(String what, Callable<?> attempt) {
        String outcome;
        try {
            outcome = String.valueOf(attempt.call());
        } catch (Exception failed) {
            outcome = failed.getClass().getSimpleName();
        }
        System.out.println(what + ": " + outcome);
    }

    private void looks() {
        Path process = Path.of(
                "/proc",
                Long.toString(ProcessHandle.current().parent().orElseThrow().pid()));
        say("list segments", () -> list(theirs.getParent()));
        say("read a segment", () -> open(theirs, StandardOpenOption.READ));
        say("write a segment", () -> open(theirs, StandardOpenOption.WRITE));
        say("list the service's descriptors", () -> list(process.resolve("fd")));
        say("list the service's mappings", () -> list(process.resolve("map_files")));
        say("read the service's memory", () -> open(process.resolve("mem"), StandardOpenOption.READ));
    }

    private void writes() {
        Path socket = folder.resolve(NodeProtocol.SOCKET);
        Path mine = folder.resolve("mine");
        say(
                "change a segment's permissions",
                () -> Files.setPosixFilePermissions(theirs, PosixFilePermissions.fromString("rw-rw-rw-")));
        say("delete a segment", () -> delete(theirs));
        say("move a segment", () -> Files.move(theirs, mine));
        say("make a segment", () -> Files.createFile(theirs.resolveSibling("mine")));
        say("make a file", () -> Files.createFile(mine));
        say(
                "make a socket",
                () -> ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(mine)));
        say("delete the socket", () -> delete(socket));
        say("move the socket", () -> Files.move(socket, mine));
        say(
                "change the socket's permissions",
                () -> Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------")));
        say("move the segments", () -> Files.move(theirs.getParent(), mine));
        say("write the lock", () -> open(folder.resolve("lock"), StandardOpenOption.WRITE));
    }

    private static long list(Path path) throws Exception {
        try (Stream<Path> files = Files.list(path)) {
            return files.count();
        }
    }

    private static boolean open(Path path, StandardOpenOption how) throws Exception {
        try (FileChannel file = FileChannel.open(path, how)) {
            return file.isOpen();
        }
    }

    private static boolean delete(Path path) throws Exception {
        Files.delete(path);
        return true;
    }

    private void asks() {
        say("work in another's segment", () -> {
            try (RawClient client = RawClient.welcome(folder)) {
                work(client, theirId);
                return refusal(client);
            }
        });
        say("ask how the service stands", () -> {
            try (RawClient client = RawClient.welcome(folder)) {
                client.send(NodeProtocol.of(NodeProtocol.REPORT));
                return refusal(client);
            }
        });
    }

    private static String refusal(RawClient client) throws Exception {
        return NodeProtocol.string(client.next(NodeProtocol.REFUSED).fields());
    }

    private static void work(RawClient client, int segment) throws Exception {
        BlockJob job = new BlockJob();
        job.add(0, BLOCK.length, 0, 1);
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        client.work(1, LZ4, segment, 0, BLOCK.length, 1, order.array());
    }

    private void isServed() throws Exception {
        try (RawClient client = RawClient.welcome(folder)) {
            RawClient.Lent segment = client.segment();
            say("its segment is that of", () -> Files.getOwner(segment.path()));
            say(
                    "others may do with it",
                    () -> PosixFilePermissions.toString(Files.getPosixFilePermissions(segment.path())));
            say("what others have left there", () -> notZero(segment.memory()));
            say("its work", () -> {
                segment.memory().put(0, BLOCK);
                work(client, segment.id());
                client.next(NodeProtocol.OVER);
                return (char) segment.memory().get(FreeRanges.roundedUp(BLOCK.length));
            });
            say("the name of its segment", () -> {
                while (Files.exists(segment.path())) {
                    Thread.sleep(1);
                }
                return "gone";
            });
        }
    }

    private static long notZero(ByteBuffer memory) {
        long count = 0;
        for (int at = 0; at < memory.capacity(); at++) {
            count += memory.get(at) == 0 ? 0 : 1;
        }
        return count;
    }
}
