package io.warpcodec.device.serve;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.lease.Mappings;
import io.warpcodec.device.pool.OwnPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes segments ahead, since page-locking takes milliseconds, and takes them back; both on a thread of its own. What
 * comes back goes first, so that it is there for those that wait. Thread-safe.
 */
final class SegmentStock implements AutoCloseable {
    private static final int END_SECONDS = 5;
    private static final int READY_SHARE = 8;
    private static final int NAME_BYTES = 16;
    private static final int WRITE_BYTES = 1 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(SegmentStock.class);

    private final OwnPool pool;
    private final Path folder;
    private final NodeCaps caps;
    private final Consumer<String> whenNone;
    /** So many are ready while memory is left: the tasks of a job begin together. */
    private final int readyCount;

    private final SecureRandom random = new SecureRandom();
    private final Thread thread = new Thread(this::run, "warpcodec segments");
    private final Queue<Segment> ready = new ArrayDeque<>();
    private final Queue<Segment> back = new ArrayDeque<>();
    private final Queue<Taker> takers = new ArrayDeque<>();
    private int lastId;
    private volatile long bytes;
    /** Whether none could be made since a segment came back last. */
    private boolean isShort;

    private boolean ended;
    private volatile boolean closing;
    /** Things that were done so far. */
    private volatile long steps;

    private volatile boolean busy;

    /** What waits for a segment. */
    interface Taker {
        /** Whether it still does. */
        boolean isThere();

        /** File that the taker has made for its segment, which is closed with that; null if it may be any. */
        default FileChannel made() {
            return null;
        }

        /** @param segment null if there is no memory, or the taker is not there */
        void take(Segment segment);
    }

    /**
     * @param pool locks the memory
     * @param folder that others cannot list, on tmpfs
     * @param whenNone told why there is no segment, which may be often
     */
    SegmentStock(OwnPool pool, Path folder, NodeCaps caps, Consumer<String> whenNone) {
        this.pool = pool;
        this.folder = folder;
        this.caps = caps;
        this.whenNone = whenNone;
        readyCount = Math.max(1, caps.segments(caps.mostMemory()) / READY_SHARE);
        thread.setDaemon(true);
        thread.start();
    }

    /** A name of a file that cannot be guessed: 128 random bits. */
    private String unguessable() {
        byte[] name = new byte[NAME_BYTES];
        random.nextBytes(name);
        return HexFormat.of().formatHex(name);
    }

    /** Gives the taker a segment, now or from this stock's thread. */
    void take(Taker taker) {
        Segment made;
        synchronized (this) {
            made = takers.isEmpty() && taker.made() == null ? ready.poll() : null;
            if (made == null && !ended) {
                takers.add(taker);
                notifyAll();
                return;
            }
            notifyAll();
        }
        taker.take(made);
    }

    /** Takes back a segment without holders. Left to the end of the process once this is closed. */
    synchronized void giveBack(Segment segment) {
        back.add(segment);
        notifyAll();
    }

    /** Bytes of all segments: lent, ready, or locked for ever since no device could unlock them. */
    long bytes() {
        return bytes;
    }

    // ---- the thread

    /** One thing to do: a segment to close, a taker to serve, or, with neither, a segment to make ahead. */
    private record Step(Segment back, Taker taker) {}

    private void run() {
        for (Step step = next(); step != null; step = next()) {
            busy = true;
            try {
                take(step);
            } catch (RuntimeException defect) {
                LOG.error("a defect of this software", defect);
            }
            steps++;
            busy = false;
        }
        for (Taker left = takers.poll(); left != null; left = takers.poll()) {
            left.take(null);
        }
    }

    private synchronized Step next() {
        try {
            while (back.isEmpty() && takers.isEmpty() && !closing && (isShort || ready.size() >= readyCount)) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            closing = true;
        }
        if (!back.isEmpty()) {
            return new Step(back.remove(), null);
        }
        if (closing) {
            ended = true;
            return ready.isEmpty() ? null : new Step(ready.remove(), null);
        }
        return new Step(null, takers.poll());
    }

    private void take(Step step) {
        if (step.back != null) {
            close(step.back);
        } else if (step.taker == null) {
            Segment made = makeNow();
            if (made != null) {
                keep(made);
            }
        } else {
            step.taker.take(step.taker.isThere() ? segmentFor(step.taker) : null);
        }
    }

    private Segment segmentFor(Taker taker) {
        if (taker.made() == null) {
            return readyOrMade();
        }
        return hasRoom() || closesReady() ? lock(null, taker.made()) : null;
    }

    private boolean hasRoom() {
        return bytes + caps.segmentBytes() <= caps.allMemory();
    }

    private boolean closesReady() {
        Segment spare;
        synchronized (this) {
            spare = ready.poll();
        }
        if (spare != null) {
            close(spare);
        }
        return spare != null;
    }

    private synchronized void keep(Segment made) {
        ready.add(made);
    }

    private Segment readyOrMade() {
        synchronized (this) {
            Segment made = ready.poll();
            if (made != null) {
                return made;
            }
        }
        return makeNow();
    }

    /** Makes one, and learns from that whether there is memory. */
    private Segment makeNow() {
        Segment made = make();
        synchronized (this) {
            isShort = made == null;
        }
        return made;
    }

    private void close(Segment segment) {
        // clients of a service that ends may still read what they have
        if (segment.close(pool, !closing)) {
            bytes -= caps.segmentBytes();
        }
        synchronized (this) {
            isShort = false;
        }
    }

    private Segment make() {
        if (!hasRoom()) {
            return null;
        }
        Path path = folder.resolve(unguessable());
        try {
            FileChannel file = FileChannel.open(
                    path,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return lock(path, file);
        } catch (IOException failed) {
            sayNone(failed);
            return null;
        }
    }

    private void sayNone(Exception why) {
        whenNone.accept("no segment of " + caps.segmentBytes() + " bytes: " + why.getMessage());
    }

    /**
     * Makes a segment of a file.
     *
     * @param path null if it has no name
     * @return null, and the file is closed, if that fails
     */
    private Segment lock(Path path, FileChannel file) {
        MappedByteBuffer mapped = null;
        try {
            write(file);
            mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, caps.segmentBytes());
            PinnedBuffer locked = pool.lock(mapped);
            if (locked != null) {
                bytes += caps.segmentBytes();
                return new Segment(++lastId, path, file, mapped, locked);
            }
        } catch (IOException | DeviceException failed) {
            sayNone(failed);
        }
        drop(path, file, mapped);
        return null;
    }

    /** Writes all of it, so that a full tmpfs is an error here and not a signal later. */
    private void write(FileChannel file) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(WRITE_BYTES);
        for (int at = 0; at < caps.segmentBytes(); at += WRITE_BYTES) {
            zeros.clear().limit(Math.min(WRITE_BYTES, caps.segmentBytes() - at));
            while (zeros.hasRemaining()) {
                file.write(zeros);
            }
        }
    }

    private static void drop(Path path, FileChannel file, MappedByteBuffer mapped) {
        try (file) {
            if (path != null) {
                Files.deleteIfExists(path);
            }
            if (mapped != null) {
                Mappings.unmap(mapped);
            }
        } catch (IOException failed) {
            LOG.debug("{}", failed.getMessage());
        }
    }

    // ---- its end

    /**
     * Number of what its thread does now, or -1: the same number again and again is a driver call that does not return.
     */
    long stepUnderWay() {
        return busy ? steps : -1;
    }

    /** From now on segments that come back are not cut. */
    void closeSoon() {
        closing = true;
    }

    /** Takes the ready ones back; what is lent is left to the end of the process. */
    @Override
    public void close() {
        synchronized (this) {
            closing = true;
            notifyAll();
        }
        try {
            // the folder is cleared behind this
            thread.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
