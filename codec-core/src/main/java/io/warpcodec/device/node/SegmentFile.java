package io.warpcodec.device.node;

import io.warpcodec.device.lease.Mappings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Set;

/**
 * A file that a client makes for its memory, for a service that may not give files away. It belongs to the client's
 * user; the group of the folder, which only the service has, may open it too. Not thread-safe.
 */
public final class SegmentFile implements AutoCloseable {
    /** Asked without the JDK's classes of security, which take a young process 30 ms to load. */
    private static final Path RANDOM = Path.of("/dev/urandom");

    private static final int NAME_BYTES = 16;

    private final Path path;
    private final FileChannel file;

    private SegmentFile(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
    }

    /**
     * Makes one, without pages: the service writes them.
     *
     * @param segments folder of segments
     * @throws IOException if this user may not make a file there, or none can be made
     */
    public static SegmentFile make(Path segments, int bytes) throws IOException {
        Path path = segments.resolve(unguessable());
        FileChannel file = FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        SegmentFile made = new SegmentFile(path, file);
        try {
            // behind the process's mask, which may keep the group out
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw----"));
            file.write(ByteBuffer.allocate(1), bytes - 1L);
            return made;
        } catch (IOException | RuntimeException failed) {
            made.close();
            throw failed;
        }
    }

    private static String unguessable() throws IOException {
        try (InputStream random = Files.newInputStream(RANDOM)) {
            return HexFormat.of().formatHex(random.readNBytes(NAME_BYTES));
        }
    }

    /** Its name in the folder of segments. */
    public String name() {
        return path.getFileName().toString();
    }

    /** The file itself, open until {@link #close}. */
    public FileChannel file() {
        return file;
    }

    /**
     * Maps it, for the caller to {@linkplain Mappings#unmap unmap}.
     *
     * @throws IOException if it has not that size any more
     */
    public ByteBuffer map(int bytes) throws IOException {
        if (file.size() != bytes) {
            throw new IOException("a segment of " + file.size() + " bytes, not " + bytes);
        }
        return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
    }

    /** Closes it, and deletes its name unless the service has. A mapping stays. */
    @Override
    public void close() throws IOException {
        try (file) {
            Files.deleteIfExists(path);
        }
    }
}
