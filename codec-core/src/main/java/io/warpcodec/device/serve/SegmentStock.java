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
import java.util.HexFormat;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes segments ahead, since page-locking takes milliseconds, and takes them back; both on a thread of its own. Thread-safe.
 */
final class SegmentStock implements AutoCloseable {
    /** So many are ready while memory is left: the tasks of a job begin together. */
    private final int readyCount;

    private static final int END_SECONDS = 5;
    private static final int READY_SHARE = 8;
    private static final int NAME_BYTES = 16;
    private static final int WRITE_BYTES = 1 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(SegmentStock.class);

    private final OwnPool pool;
    private final Path folder;
    private final NodeCaps caps;
    private final SecureRandom random = new SecureRandom();
    private final Queue<Segment> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lastId = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "warpcodec segments");
        made.setDaemon(true);
        return made;
    });

    private volatile boolean closing;

    /**
     * @param pool locks the memory
     * @param folder that others cannot list, on tmpfs
     */
    SegmentStock(OwnPool pool, Path folder, NodeCaps caps) {
        this.pool = pool;
        this.folder = folder;
        this.caps = caps;
        readyCount = (int) Math.max(1, caps.mostMemory() / READY_SHARE / caps.segmentBytes());
        refill();
    }

    /** A name of a file that cannot be guessed: 128 random bits. */
    static String unguessable(SecureRandom random) {
        byte[] name = new byte[NAME_BYTES];
        random.nextBytes(name);
        return HexFormat.of().formatHex(name);
    }

    /** Gives the taker a segment, now or from this stock's thread; null if there is no memory. */
    void take(Consumer<Segment> taker) {
        Segment made = ready.poll();
        if (made != null) {
            taker.accept(made);
            refill();
        } else {
            run(() -> {
                Segment waited = ready.poll();
                taker.accept(waited == null ? make() : waited);
                refill();
            });
        }
    }

    /** Takes back a segment without holders. */
    void giveBack(Segment segment) {
        run(() -> close(segment));
    }

    private void close(Segment segment) {
        // clients of a service that ends may still read what they have
        segment.close(!closing);
        bytes.addAndGet(-caps.segmentBytes());
    }

    private void run(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException closed) {
            LOG.debug("the stock of segments is closed");
        }
    }

    private void refill() {
        run(() -> {
            while (ready.size() < readyCount) {
                Segment made = make();
                if (made == null) {
                    return;
                }
                ready.add(made);
            }
        });
    }

    /** Bytes of all segments, lent or ready. */
    long bytes() {
        return bytes.get();
    }

    private Segment make() {
        if (bytes.addAndGet(caps.segmentBytes()) > caps.mostMemory()) {
            bytes.addAndGet(-caps.segmentBytes());
            return null;
        }
        Path path = folder.resolve(unguessable(random));
        FileChannel file = null;
        MappedByteBuffer mapped = null;
        try {
            file = FileChannel.open(
                    path,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            // written, so that a full tmpfs is an error here and not a signal later
            ByteBuffer zeros = ByteBuffer.allocateDirect(WRITE_BYTES);
            for (int at = 0; at < caps.segmentBytes(); at += WRITE_BYTES) {
                zeros.clear().limit(Math.min(WRITE_BYTES, caps.segmentBytes() - at));
                while (zeros.hasRemaining()) {
                    file.write(zeros);
                }
            }
            mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, caps.segmentBytes());
            PinnedBuffer locked = pool.lock(mapped);
            if (locked != null) {
                return new Segment(lastId.incrementAndGet(), path, file, mapped, locked);
            }
        } catch (IOException | DeviceException failed) {
            LOG.warn("no segment of {} bytes: {}", caps.segmentBytes(), failed.getMessage());
        }
        drop(path, file, mapped);
        bytes.addAndGet(-caps.segmentBytes());
        return null;
    }

    private static void drop(Path path, FileChannel file, MappedByteBuffer mapped) {
        try {
            Files.deleteIfExists(path);
            if (mapped != null) {
                Mappings.unmap(mapped);
            }
            if (file != null) {
                file.close();
            }
        } catch (IOException failed) {
            LOG.debug("{}", failed.getMessage());
        }
    }

    /** From now on segments that come back are not cut. */
    void closeSoon() {
        closing = true;
    }

    /** Takes the ready ones back; what is lent is left to the end of the process. */
    @Override
    public void close() {
        closing = true;
        run(() -> {
            for (Segment left = ready.poll(); left != null; left = ready.poll()) {
                close(left);
            }
        });
        thread.shutdown();
        try {
            // the folder is cleared behind this
            thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
