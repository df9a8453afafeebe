package io.warpcodec.engine.gpu.node.account;

import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.node.SegmentFile;
import io.warpcodec.engine.gpu.block.BlockJob;
import io.warpcodec.engine.gpu.node.RawClient;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * A client of a service that has it make the file of its memory, as a process of a user of its own. It says what came
 * of each try, one line each.
 *
 * <pre>
 * usage: ClientMemory FOLDER           makes the file, says its name, works in it once its input has a line
 *        ClientMemory FOLDER NAME      tries all that it must not be able to do to the file of another user
 * </pre>
 */
final class ClientMemory {
    private static final String LZ4 = "decode.lz4";
    /** An LZ4 block, of one byte. */
    private static final byte[] BLOCK = {0x10, 'x'};

    private ClientMemory() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        if (arguments.length == 1) {
            works(folder);
        } else {
            tries(folder, folder.resolve(NodeProtocol.SEGMENTS).resolve(arguments[1]));
        }
    }

    private static void works(Path folder) throws Exception {
        try (RawClient client = RawClient.welcome(folder);
                SegmentFile file = SegmentFile.make(folder.resolve(NodeProtocol.SEGMENTS), client.madeBytes)) {
            System.out.println(file.name());
            System.in.read();
            RawClient.Lent segment = client.segmentOf(file);
            segment.memory().put(0, BLOCK);
            work(client, segment.id());
            client.next(NodeProtocol.OVER);
            say("its work", () -> (char) segment.memory().get(FreeRanges.roundedUp(BLOCK.length)));
            say("its name", () -> Files.exists(segment.path()) ? "there" : "gone");
        }
    }

    private static void work(RawClient client, int segment) throws Exception {
        BlockJob job = new BlockJob();
        job.add(0, BLOCK.length, 0, 1);
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        client.work(1, LZ4, segment, 0, BLOCK.length, 1, order.array());
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

    private static void tries(Path folder, Path theirs) {
        Path segments = theirs.getParent();
        Path mine = segments.resolve("mine");
        say("list", () -> list(segments));
        say("read", () -> open(theirs, StandardOpenOption.READ));
        say("write", () -> open(theirs, StandardOpenOption.WRITE));
        say(
                "change its permissions",
                () -> Files.setPosixFilePermissions(theirs, PosixFilePermissions.fromString("rw-rw-rw-")));
        say("delete", () -> Files.deleteIfExists(theirs));
        say("move", () -> Files.move(theirs, mine));
        say("link", () -> Files.createLink(mine, theirs));
        say("name as its own", () -> refusal(folder, theirs.getFileName().toString()));
        say("name a link as its own", () -> {
            Path link = Files.createSymbolicLink(segments.resolve("0".repeat(32)), theirs);
            try {
                return refusal(folder, link.getFileName().toString());
            } finally {
                Files.deleteIfExists(link);
            }
        });
        say("name the lock", () -> refusal(folder, "../lock"));
        say("name a short one", () -> {
            try (SegmentFile file = SegmentFile.make(segments, 100)) {
                return refusal(folder, file.name());
            }
        });
        say("name one that has two names", () -> {
            try (RawClient client = RawClient.welcome(folder);
                    SegmentFile file = SegmentFile.make(segments, client.madeBytes)) {
                Files.createLink(mine, segments.resolve(file.name()));
                return refusal(client, file.name());
            } finally {
                Files.deleteIfExists(mine);
            }
        });
        say("name none", () -> {
            try (RawClient client = RawClient.welcome(folder)) {
                client.send(NodeProtocol.want(null));
                // not answered: the next is
                return refusal(client, "0".repeat(32));
            }
        });
    }

    private static String refusal(Path folder, String name) throws Exception {
        try (RawClient client = RawClient.welcome(folder)) {
            return refusal(client, name);
        }
    }

    private static String refusal(RawClient client, String name) throws Exception {
        client.send(NodeProtocol.want(name));
        return NodeProtocol.string(client.next(NodeProtocol.REFUSED).fields());
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
}
