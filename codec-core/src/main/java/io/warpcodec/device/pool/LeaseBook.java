package io.warpcodec.device.pool;

import io.warpcodec.device.pool.DeviceLease.State;
import io.warpcodec.metrics.FallbackReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The leases of one device: admitted, queued, in waves, done. It knows nothing of the driver; tasks and the device's thread meet here and
 * nowhere else. Thread-safe; no method waits.
 */
final class LeaseBook {
    // A lease's memory is lent again only when no thread fills or reads it (DeviceLease.endAccess), and in three cases:
    // it was never in a wave; its wave's stream has done everything (complete, fail, requeue); its results are there.
    // Once the device is lost no region that is out comes back.

    /** Results that no task has read for so long are given up when another lease needs the memory. */
    static final long STALE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final PinnedPool pinned;
    private final int maxWaveBytes;
    private final int maxWaveEntries;

    private final Deque<DeviceLease> queue = new ArrayDeque<>();
    private final Set<DeviceLease> issued = new LinkedHashSet<>();
    private final Set<DeviceLease> finished = new LinkedHashSet<>();
    private long outstandingBytes;
    private int waveLimitBytes;
    private long revokedCount;
    /** Why nothing is admitted any more, or null. */
    private FallbackReason closed;

    private boolean lost;

    /**
     * @param maxWaveBytes most input bytes, and output bytes, of a wave
     * @param maxWaveEntries most entries of a wave
     */
    LeaseBook(PinnedPool pinned, int maxWaveBytes, int maxWaveEntries) {
        this.pinned = pinned;
        this.maxWaveBytes = maxWaveBytes;
        this.maxWaveEntries = maxWaveEntries;
        this.waveLimitBytes = maxWaveBytes;
    }

    // ---- for tasks

    /** Admits a task, or null when no memory is free for it now. */
    synchronized DeviceLease tryLease(
            DeviceWorker worker, String program, int inputBytes, int outputBytes, int entryCount) {
        if (closed != null || Math.max(inputBytes, outputBytes) > maxWaveBytes || entryCount > maxWaveEntries) {
            return null;
        }
        int bytes = DeviceLease.regionBytes(inputBytes, outputBytes);
        PinnedPool.Region region = pinned.tryTake(bytes);
        if (region == null && revokeStale(bytes)) {
            region = pinned.tryTake(bytes);
        }
        return region == null ? null : new DeviceLease(worker, program, region, inputBytes, outputBytes, entryCount);
    }

    /** Takes back results that no task has read for long, until about so many bytes are free. */
    private boolean revokeStale(int bytes) {
        long now = System.nanoTime();
        long revokedBytes = 0;
        for (Iterator<DeviceLease> oldestFirst = finished.iterator(); oldestFirst.hasNext() && revokedBytes < bytes; ) {
            DeviceLease lease = oldestFirst.next();
            if (now - lease.lastUseNanos > STALE_NANOS && lease.tryEndAccess()) {
                oldestFirst.remove();
                lease.state = State.REVOKED;
                lease.finish(FallbackReason.RESULTS_REVOKED);
                pinned.give(lease.region());
                revokedBytes += lease.region().memory().bytes();
                revokedCount++;
            }
        }
        return revokedBytes > 0;
    }

    synchronized void enqueue(DeviceLease lease) {
        if (lease.state == State.CLOSED) {
            // by another thread, while this one filled it
            lease.finish(FallbackReason.CANCELLED);
            return;
        }
        if (lease.state != State.FILLING) {
            throw new IllegalStateException("lease is " + lease.state);
        }
        if (closed != null) {
            lease.state = lost ? State.LOST : State.FAILED;
            lease.finish(closed);
            return;
        }
        lease.state = State.QUEUED;
        lease.queuedNanos = System.nanoTime();
        lease.lastUseNanos = lease.queuedNanos;
        queue.add(lease);
        outstandingBytes += lease.outputBytes();
    }

    synchronized void close(DeviceLease lease) {
        switch (lease.state) {
            case FILLING, FAILED -> takeBack(lease);
            case QUEUED -> {
                queue.remove(lease);
                outstandingBytes -= lease.outputBytes();
                takeBack(lease);
                lease.finish(FallbackReason.CANCELLED);
            }
            case ISSUED -> {
                lease.abandoned = true;
                lease.finish(FallbackReason.CANCELLED);
            }
            case DONE -> {
                finished.remove(lease);
                takeBack(lease);
            }
            case REVOKED, LOST, CLOSED -> {
                // nothing is held, or for ever
            }
        }
    }

    private void takeBack(DeviceLease lease) {
        lease.state = State.CLOSED;
        if (lease.endAccess()) {
            giveBack(lease);
        }
    }

    /** No thread touches the memory of this closed lease any more. */
    synchronized void giveBack(DeviceLease lease) {
        if (!lost) {
            pinned.give(lease.region());
        }
    }

    // ---- for the device's thread

    /**
     * Takes leases of one program off the queue, as many as fit a wave; none if there are none, or the device is busy and more may come.
     *
     * @param lingerNanos how long a small wave waits for company while other waves are under way
     */
    synchronized List<DeviceLease> takeForWave(long lingerNanos) {
        if (queue.isEmpty() || !issued.isEmpty() && isWorthWaiting(lingerNanos)) {
            return List.of();
        }
        List<DeviceLease> taken = new ArrayList<>();
        String program = queue.peek().program();
        long inputBytes = 0;
        long outputBytes = 0;
        int entries = 0;
        for (Iterator<DeviceLease> oldestFirst = queue.iterator(); oldestFirst.hasNext(); ) {
            DeviceLease lease = oldestFirst.next();
            if (!lease.program().equals(program)) {
                continue;
            }
            inputBytes += WaveSlot.aligned(lease.inputBytes());
            outputBytes += WaveSlot.aligned(lease.outputBytes());
            entries += lease.job().entryCount();
            boolean fits = Math.max(inputBytes, outputBytes) <= waveLimitBytes && entries <= maxWaveEntries;
            if (!fits && !taken.isEmpty()) {
                break;
            }
            oldestFirst.remove();
            lease.state = State.ISSUED;
            issued.add(lease);
            taken.add(lease);
        }
        return taken;
    }

    private boolean isWorthWaiting(long lingerNanos) {
        long queuedBytes = 0;
        for (DeviceLease lease : queue) {
            queuedBytes += lease.outputBytes();
        }
        return queuedBytes < waveLimitBytes && System.nanoTime() - queue.peek().lastUseNanos < lingerNanos;
    }

    /** The wave's stream has done everything, and the jobs have their results. */
    synchronized void complete(IssuedWave issuedWave) {
        if (lost) {
            return;
        }
        long now = System.nanoTime();
        waveLimitBytes = (int) Math.min(maxWaveBytes, waveLimitBytes + maxWaveBytes / 32L);
        for (DeviceLease lease : issuedWave.leases) {
            leaveWave(lease);
            if (lease.abandoned) {
                takeBack(lease);
                continue;
            }
            lease.state = State.DONE;
            lease.elapsedNanos = now - lease.queuedNanos;
            lease.lastUseNanos = now;
            finished.add(lease);
            lease.finish(null);
        }
    }

    /** The wave's stream has done what it was asked for, which was not all: the tasks are told. */
    synchronized void fail(IssuedWave issuedWave, FallbackReason why) {
        if (lost) {
            return;
        }
        for (DeviceLease lease : issuedWave.leases) {
            leaveWave(lease);
            if (lease.abandoned) {
                takeBack(lease);
                continue;
            }
            lease.state = State.FAILED;
            lease.finish(why);
        }
    }

    /** The same, but everything goes back to the front of the queue, for waves of at most half the size. */
    synchronized void requeueForSmallerWaves(IssuedWave issuedWave) {
        if (lost) {
            return;
        }
        waveLimitBytes = (int) Math.max(1, issuedWave.outputBytes() / 2);
        for (int index = issuedWave.leases.size() - 1; index >= 0; index--) {
            DeviceLease lease = issuedWave.leases.get(index);
            issued.remove(lease);
            if (lease.abandoned) {
                outstandingBytes -= lease.outputBytes();
                takeBack(lease);
            } else {
                lease.state = State.QUEUED;
                queue.addFirst(lease);
            }
        }
    }

    private void leaveWave(DeviceLease lease) {
        issued.remove(lease);
        outstandingBytes -= lease.outputBytes();
    }

    // ---- the end

    /** Admits nothing more; what is queued and in waves goes on. */
    synchronized void stopAdmitting(FallbackReason why) {
        if (closed == null) {
            closed = why;
        }
    }

    /** The device is lost: every task that waits is told, and no memory that is out comes back. */
    void lose() {
        List<DeviceLease> waiting = new ArrayList<>();
        synchronized (this) {
            lost = true;
            closed = FallbackReason.DEVICE_LOST;
            waiting.addAll(queue);
            waiting.addAll(issued);
            queue.clear();
            issued.clear();
            outstandingBytes = 0;
            waiting.forEach(lease -> lease.state = State.LOST);
        }
        waiting.forEach(lease -> lease.finish(FallbackReason.DEVICE_LOST));
    }

    // ---- how things stand

    synchronized boolean hasQueued() {
        return !queue.isEmpty();
    }

    synchronized long outstandingBytes() {
        return outstandingBytes;
    }

    long lentBytes() {
        return pinned.lentBytes();
    }

    /** Page-locked bytes, lent or not. */
    long pinnedBytes() {
        return pinned.capacityBytes();
    }

    synchronized long revokedCount() {
        return revokedCount;
    }

    int maxWaveBytes() {
        return maxWaveBytes;
    }

    /** Frees the memory; only when none is lent. */
    void free() {
        pinned.close();
    }
}
