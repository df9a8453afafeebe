package io.warpcodec.device.pool;

import io.warpcodec.device.pool.DeviceLease.State;
import io.warpcodec.metrics.FallbackReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The leases of one device: admitted, queued, in waves, done. It knows nothing of the driver; tasks and the device's thread meet here and
 * nowhere else. Thread-safe; no method waits.
 */
final class LeaseBook {
    // A lease's memory is lent again only when no thread fills or reads it (DeviceLease.endAccess), and in three cases:
    // it was never in a wave; its wave's stream has done everything (complete, fail, requeue); its results are there.
    // A wave's scratch goes back in the second of these cases. Once the device is lost nothing that is out comes back.

    /** Results that no task has read for so long are given up when another lease needs the memory. */
    static final long STALE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final PinnedPool pinned;
    private final Map<String, WaveProgram> programs;
    private final ScratchArena scratch;
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

    /** Whether no queued lease can be in a wave before something changes: what is queued waits for scratch. */
    private boolean allWaitForScratch;

    /** Leases of one program that make a wave, oldest first, and what the wave has of the scratch. */
    record Taken(List<DeviceLease> leases, ScratchArena.Range scratch) {}

    /**
     * @param programs by name
     * @param scratch of the device, all of it free
     * @param maxWaveBytes most input bytes, and output bytes, of a wave
     * @param maxWaveEntries most entries of a wave
     */
    LeaseBook(
            PinnedPool pinned,
            Map<String, WaveProgram> programs,
            ScratchArena scratch,
            int maxWaveBytes,
            int maxWaveEntries) {
        this.pinned = pinned;
        this.programs = programs;
        this.scratch = scratch;
        this.maxWaveBytes = maxWaveBytes;
        this.maxWaveEntries = maxWaveEntries;
        this.waveLimitBytes = maxWaveBytes;
    }

    // ---- for tasks

    /** Admits a task, or null when no memory is free for it now. */
    synchronized DeviceLease tryLease(
            DeviceWorker worker, String program, int inputBytes, int outputBytes, int entryCount) {
        if (closed != null
                || Math.max(inputBytes, outputBytes) > maxWaveBytes
                || entryCount > maxWaveEntries
                || !hasScratchFor(program, inputBytes, outputBytes, entryCount)) {
            return null;
        }
        int bytes = DeviceLease.regionBytes(inputBytes, outputBytes);
        PinnedPool.Region region = pinned.tryTake(bytes);
        if (region == null && revokeStale(bytes)) {
            region = pinned.tryTake(bytes);
        }
        return region == null ? null : new DeviceLease(worker, program, region, inputBytes, outputBytes, entryCount);
    }

    /** Whether the scratch, when all of it is free, is enough for a wave of one such lease. */
    boolean hasScratchFor(String program, int inputBytes, int outputBytes, int entryCount) {
        long waveBytes = Math.max(WaveSlot.aligned(inputBytes), WaveSlot.aligned(outputBytes));
        return scratchBytes(program, waveBytes, entryCount) <= scratch.capacityBytes();
    }

    private long scratchBytes(String program, long waveBytes, int entryCount) {
        return WaveSlot.aligned(programs.get(program).scratchBytes(Math.toIntExact(waveBytes), entryCount));
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
        allWaitForScratch = false;
        outstandingBytes += lease.outputBytes();
    }

    /** Takes a lease off the queue if no wave has it yet. */
    synchronized boolean withdraw(DeviceLease lease) {
        if (lease.state != State.QUEUED) {
            return false;
        }
        close(lease);
        return true;
    }

    synchronized void close(DeviceLease lease) {
        switch (lease.state) {
            case FILLING, FAILED -> takeBack(lease);
            case QUEUED -> {
                queue.remove(lease);
                outstandingBytes -= lease.outputBytes();
                allWaitForScratch = false;
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
     * Takes leases of one program off the queue, as many as fit a wave, with the scratch that the wave needs. Null if there are none, or the device is busy and
     * more may come, or all that are queued wait for scratch ({@link ScratchArena} says in which order).
     *
     * @param lingerNanos how long a small wave waits for company while other waves are under way
     */
    synchronized Taken takeForWave(long lingerNanos) {
        if (queue.isEmpty() || allWaitForScratch || !issued.isEmpty() && isWorthWaiting(lingerNanos)) {
            return null;
        }
        Set<String> lookedAt = new HashSet<>();
        boolean oneWaits = false;
        for (DeviceLease oldest : queue) {
            if (!lookedAt.add(oldest.program())) {
                continue;
            }
            Wish wish = wish(oldest.program());
            ScratchArena.Range range =
                    oneWaits ? scratch.tryTakeBeside(wish.scratchBytes()) : scratch.tryTake(wish.scratchBytes());
            if (range != null) {
                return new Taken(take(oldest.program(), wish.leaseCount()), range);
            }
            if (!oneWaits) {
                scratch.keepPlace(oldest.program(), wish.scratchBytes());
                oneWaits = true;
            }
        }
        allWaitForScratch = true;
        return null;
    }

    /** How many of a program's leases, oldest first, make its next wave, and the scratch for it. */
    private record Wish(int leaseCount, long scratchBytes) {}

    private Wish wish(String program) {
        long inputBytes = 0;
        long outputBytes = 0;
        int entries = 0;
        Wish wish = null;
        for (DeviceLease lease : queue) {
            if (!lease.program().equals(program)) {
                continue;
            }
            inputBytes += WaveSlot.aligned(lease.inputBytes());
            outputBytes += WaveSlot.aligned(lease.outputBytes());
            entries += lease.job().entryCount();
            long waveBytes = Math.max(inputBytes, outputBytes);
            if (wish != null && (waveBytes > waveLimitBytes || entries > maxWaveEntries)) {
                break;
            }
            long scratchBytes = scratchBytes(program, waveBytes, entries);
            if (wish != null && scratchBytes > scratch.capacityBytes()) {
                break;
            }
            wish = new Wish(wish == null ? 1 : wish.leaseCount() + 1, scratchBytes);
        }
        return wish;
    }

    private List<DeviceLease> take(String program, int leaseCount) {
        List<DeviceLease> taken = new ArrayList<>(leaseCount);
        for (Iterator<DeviceLease> oldestFirst = queue.iterator(); taken.size() < leaseCount; ) {
            DeviceLease lease = oldestFirst.next();
            if (lease.program().equals(program)) {
                oldestFirst.remove();
                lease.state = State.ISSUED;
                issued.add(lease);
                taken.add(lease);
            }
        }
        return taken;
    }

    /** A wave's stream has done everything. */
    private void giveScratchBack(IssuedWave issuedWave) {
        scratch.give(issuedWave.scratch);
        allWaitForScratch = false;
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
        giveScratchBack(issuedWave);
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
        giveScratchBack(issuedWave);
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
        giveScratchBack(issuedWave);
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

    /** From now on this runs whenever page-locked memory has come back. */
    void whenMemoryComesBack(Runnable told) {
        pinned.whenGiven(told);
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
