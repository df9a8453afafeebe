package io.warpcodec.device.serve;

import io.warpcodec.device.node.NodeProtocol;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that clients of other users make for their memory, where this process may not give files away. The folder of
 * segments is one where every account makes files, of the group of this process, that only their owners move or
 * delete. No account lists it. Thread-safe.
 */
final class ClientFiles {
    // A client can put another file in its file's place at any time, such as a link, or wait with a lease on the file
    // for whoever opens it. So a file is first moved where its client cannot reach it, judged there, and then opened,
    // all on the client's own thread.

    /** Set-group-id, sticky, and not to be listed by others. */
    static final int MODE = 03733;

    private static final String TAKEN = "taken-";
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{32}");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final long CAP_CHOWN = 1;
    private static final Logger LOG = LoggerFactory.getLogger(ClientFiles.class);

    private final Path segments;
    private final Path taken;
    private final AtomicLong count = new AtomicLong();

    private ClientFiles(Path segments, Path taken) {
        this.segments = segments;
        this.taken = taken;
    }

    /** Whether this process may not give a file to another user. */
    static boolean areNeeded() throws IOException {
        return (Long.parseUnsignedLong(status("CapEff:")[1], 16) & CAP_CHOWN) == 0;
    }

    private static String[] status(String what) throws IOException {
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith(what)) {
                return line.split("\\s+");
            }
        }
        throw new IOException(STATUS + " has no " + what);
    }

    /**
     * Lets other users make files in the folder of segments.
     *
     * @throws IOException if this process may not
     */
    static ClientFiles open(Path segments) throws IOException {
        Path taken = Files.createTempDirectory(segments, TAKEN);
        Files.setAttribute(segments, "unix:gid", Integer.parseInt(status("Gid:")[2]));
        Files.setAttribute(segments, "unix:mode", MODE);
        if (((int) Files.getAttribute(segments, "unix:mode") & MODE) != MODE) {
            throw new IOException(segments + " cannot have the mode " + Integer.toOctalString(MODE));
        }
        return new ClientFiles(segments, taken);
    }

    /** Whether a folder among the segments is that of a service before. */
    static boolean isTaken(Path folder, UserPrincipal owner) throws IOException {
        return folder.getFileName().toString().startsWith(TAKEN)
                && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(owner);
    }

    /**
     * Takes a file that a client has named, and its name away. May take as long as that client likes.
     *
     * @param user of the client
     * @return open, for the caller to close
     * @throws ProtocolException if it is no file of that user, of that size
     * @throws IOException if it cannot be opened
     */
    FileChannel take(String name, UserPrincipal user, int bytes) throws IOException {
        if (!NAME.matcher(name).matches()) {
            throw new ProtocolException("a file that is named otherwise than " + NodeProtocol.SEGMENTS + " are");
        }
        Path named = segments.resolve(name);
        // a folder is not moved
        require(named, user, bytes);
        Path moved = taken.resolve(Long.toString(count.incrementAndGet()));
        Files.move(named, moved, StandardCopyOption.ATOMIC_MOVE);
        try {
            require(moved, user, bytes);
            return FileChannel.open(
                    moved, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        } finally {
            delete(moved);
        }
    }

    private static void require(Path file, UserPrincipal user, int bytes) throws IOException {
        Map<String, Object> is =
                Files.readAttributes(file, "unix:isRegularFile,owner,nlink,size", LinkOption.NOFOLLOW_LINKS);
        if (!is.equals(Map.of("isRegularFile", true, "owner", user, "nlink", 1, "size", (long) bytes))) {
            throw new ProtocolException("no file of its own, of " + bytes + " bytes");
        }
    }

    private static void delete(Path moved) {
        try {
            Files.deleteIfExists(moved);
        } catch (IOException failed) {
            LOG.debug("{}", failed.getMessage());
        }
    }
}
