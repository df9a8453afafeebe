package io.warpcodec.device.serve;

import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.lease.InputBytes;
import io.warpcodec.device.lease.Mappings;
import io.warpcodec.device.pool.OwnPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file on tmpfs that the service and one client map, page-locked by the service. It has one client in its life:
 * behind that it goes back to the kernel, which clears its pages before another process gets them. Thread-safe.
 */
final class Segment {
    // The client can write to the file, and so cut it short: then a look at the mapped memory would end in SIGBUS. So
    // the service never looks there. Devices copy from and to the locked pages, which stay; what the host has to read
    // it reads through the file.

    private static final Logger LOG = LoggerFactory.getLogger(Segment.class);

    private final int id;
    private final Path path;
    private final FileChannel file;
    private final ByteBuffer mapped;
    private final PinnedBuffer locked;
    /** The client, and the pieces of work that are under way. */
    private final AtomicInteger holders = new AtomicInteger(1);

    private volatile boolean named;
    /** Ends its count among its user's. */
    private volatile Runnable whenClosed = () -> {};

    private volatile long chargedNanos;

    /** @param path null if it has no name */
    Segment(int id, Path path, FileChannel file, ByteBuffer mapped, PinnedBuffer locked) {
        this.id = id;
        this.path = path;
        this.named = path != null;
        this.file = file;
        this.mapped = mapped;
        this.locked = locked;
    }

    int id() {
        return id;
    }

    Path path() {
        return path;
    }

    int bytes() {
        return locked.bytes();
    }

    /** A part of the memory, for devices alone. */
    PinnedBuffer part(int at, int bytes) {
        return locked.slice(at, bytes);
    }

    /** Such a part as the host reads it; a byte that the client has cut off is 0. */
    InputBytes input(int at, int bytes) {
        return new WindowedInput(bytes, (window, index) -> file.read(window, (long) at + index));
    }

    /** It counts for a user, until this is run. */
    void charge(Runnable end) {
        chargedNanos = System.nanoTime();
        whenClosed = end;
    }

    /** Takes its name away if it has counted for so long. */
    void forgetNameAfter(long nanos, long nowNanos) {
        if (nowNanos - chargedNanos > nanos) {
            forgetName();
        }
    }

    /** Takes its name away: both sides have mapped it, or one does not need it any more. Idempotent. */
    void forgetName() {
        if (named) {
            named = false;
            try {
                Files.deleteIfExists(path);
            } catch (IOException failed) {
                LOG.warn("cannot delete {}: {}", path, failed.getMessage());
            }
        }
    }

    /** Cuts off what the client has put behind its end, which no cap counts; whether there was something. */
    boolean cutToSize() {
        try {
            boolean grown = file.size() > bytes();
            if (grown) {
                file.truncate(bytes());
            }
            return grown;
        } catch (IOException failed) {
            return false;
        }
    }

    /** One holder more. */
    void hold() {
        holders.incrementAndGet();
    }

    /** One holder less. Returns whether it was the last, which has to have it {@linkplain #close closed}. */
    boolean letGo() {
        return holders.decrementAndGet() == 0;
    }

    /**
     * Unlocks and unmaps it. Takes milliseconds. Nothing may touch it any more. Memory that cannot be unlocked stays
     * mapped until the process ends, so that nothing else comes to its address.
     *
     * @param pool that locked it
     * @param cuts whether to cut the file to nothing: a client that has gone and kept its mapping would else keep the
     *     memory, which is not counted any more
     * @return whether its memory is free
     */
    boolean close(OwnPool pool, boolean cuts) {
        forgetName();
        boolean unlocked = pool.unlock(locked);
        if (unlocked) {
            Mappings.unmap(mapped);
        }
        try {
            if (cuts) {
                file.truncate(0);
            }
            file.close();
        } catch (IOException failed) {
            LOG.debug("{}", failed.getMessage());
        }
        whenClosed.run();
        return unlocked;
    }
}
