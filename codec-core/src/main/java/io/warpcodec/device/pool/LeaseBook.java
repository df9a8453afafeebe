package io.warpcodec.device.pool;

import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.lease.LeaseKeeper;
import io.warpcodec.device.lease.LeaseState;
import io.warpcodec.device.lease.LeaseTerms;
import io.warpcodec.device.lease.UnreadResults;
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

/**
 * The leases of one device: admitted, queued, in waves, done. It knows nothing of the driver; tasks and the device's
 * thread meet here and nowhere else. Thread-safe; no method waits.
 */
final class LeaseBook implements LeaseKeeper<OwnLease> {
    // A lease's memory is lent again only when no thread fills or reads it (MemoryAccess), and in three cases:
    // it was never in a wave; its wave's stream has done everything (complete, fail, requeue); its results are there.
    // A wave's scratch goes back in the second of these cases. Once the device is lost nothing that is out comes back.
    //
    // The device's thread looks here in every turn of its loop. It must not hold the monitor when it has found nothing:
    // where more threads run than there are cores, it is often stopped in the middle of a turn, and all tasks would
    // wait for it. So what it looks for is in volatile fields, which only a thread inside the monitor writes.

    private final PinnedPool pinned;
    private final Map<String, WaveProgram> programs;
    private final ScratchArena scratch;
    private final int maxWaveBytes;
    private final int longLeaseBytes;
    private final int maxWaveEntries;
    /** The largest region of page-locked memory; 0 where every lease brings memory of its own. */
    private final int mostRegionBytes;

    private final Deque<OwnLease> queue = new ArrayDeque<>();
    private final Set<OwnLease> issued = new LinkedHashSet<>();
    private final UnreadResults<OwnLease> unread = new UnreadResults<>();
    /** Size of {@link #queue}. */
    private volatile int queuedCount;

    private volatile long outstandingBytes;
    /** Output bytes of leases of this book's own memory that were not submitted yet. */
    private volatile long fillingBytes;

    private int waveLimitBytes;
    private volatile long revokedCount;
    /** Why nothing is admitted any more, or null. */
    private FallbackReason closed;

    private volatile boolean lost;

    /** Whether no queued lease can be in a wave before something changes: what is queued waits for scratch. */
    private volatile boolean allWaitForScratch;

    /** Leases of one program that make a wave, oldest first, and what the wave has of the scratch. */
    record Taken(List<OwnLease> leases, ScratchArena.Range scratch) {}

    /**
     * @param programs by name
     * @param scratch of the device, all of it free
     * @param maxWaveBytes most input bytes, and output bytes, of a wave
     * @param longLeaseBytes most output bytes of a {@linkplain WaveProgram#takesLongLeases long lease}
     * @param maxWaveEntries most entries of a wave
     */
    LeaseBook(
            PinnedPool pinned,
            Map<String, WaveProgram> programs,
            ScratchArena scratch,
            int maxWaveBytes,
            int longLeaseBytes,
            int maxWaveEntries) {
        this.pinned = pinned;
        this.programs = programs;
        this.scratch = scratch;
        this.maxWaveBytes = maxWaveBytes;
        this.longLeaseBytes = longLeaseBytes;
        this.maxWaveEntries = maxWaveEntries;
        this.mostRegionBytes = pinned.mostRegionBytes();
        this.waveLimitBytes = maxWaveBytes;
    }

    // ---- for tasks

    /** Admits a task, or null when no memory is free for it now. */
    synchronized OwnLease tryLease(
            DeviceWorker worker, String program, int inputBytes, int outputBytes, int entryCount) {
        if (closed != null || !admits(program, inputBytes, outputBytes, entryCount)) {
            return null;
        }
        LeaseTerms terms = new LeaseTerms(program, inputBytes, outputBytes, entryCount);
        int bytes = terms.regionBytes();
        PinnedPool.Region taken = pinned.tryTake(bytes);
        if (taken == null && revokeStale(bytes)) {
            taken = pinned.tryTake(bytes);
        }
        PinnedPool.Region region = taken;
        if (region == null) {
            return null;
        }
        fillingBytes += outputBytes;
        return OwnLease.own(worker, terms, region.memory(), () -> pinned.give(region));
    }

    /** A lease is filled no longer. */
    private void leaveFilling(OwnLease lease) {
        if (!lease.isForeign()) {
            fillingBytes -= lease.outputBytes();
        }
    }

    /** Whether a wave can do such a lease by itself, and there is page-locked memory for it when all of it is free. */
    boolean admits(String program, int inputBytes, int outputBytes, int entryCount) {
        return entryCount <= maxWaveEntries
                && fitsWave(program, inputBytes, outputBytes)
                && fitsRegion(inputBytes, outputBytes)
                && hasScratchFor(program, inputBytes, outputBytes, entryCount);
    }

    /** Whether a wave holds such a lease. */
    private boolean fitsWave(String program, int inputBytes, int outputBytes) {
        WaveProgram known = programs.get(program);
        int most = known == null ? 0 : known.takesLongLeases() ? longLeaseBytes : maxWaveBytes;
        return inputBytes <= DevicePool.mostInputBytes(maxWaveBytes, most) && outputBytes <= most;
    }

    private boolean fitsRegion(int inputBytes, int outputBytes) {
        return mostRegionBytes == 0 || (long) FreeRanges.roundedUp(inputBytes) + outputBytes <= mostRegionBytes;
    }

    /** Most output bytes of one lease of a program; 0 if this device does not run it. */
    int mostOutputBytes(String program) {
        WaveProgram known = programs.get(program);
        if (known == null) {
            return 0;
        }
        boolean isLong = known.takesLongLeases()
                && fitsRegion(DevicePool.mostInputBytes(maxWaveBytes, longLeaseBytes), longLeaseBytes);
        return isLong ? longLeaseBytes : mostLeaseBytes();
    }

    /**
     * Most output bytes of a lease of any program: what a wave holds, or a region with a quarter more of input, since
     * what does not compress grows.
     */
    int mostLeaseBytes() {
        return mostRegionBytes == 0
                ? maxWaveBytes
                : Math.min(maxWaveBytes, Math.max(0, mostRegionBytes - FreeRanges.GRAIN_BYTES) / 9 * 4);
    }

    /** Whether the scratch, when all of it is free, is enough for a wave of one such lease. */
    private boolean hasScratchFor(String program, int inputBytes, int outputBytes, int entryCount) {
        long waveBytes = Math.max(WaveSlot.aligned(inputBytes), WaveSlot.aligned(outputBytes));
        return scratchBytes(program, waveBytes, entryCount) <= scratch.capacityBytes();
    }

    private long scratchBytes(String program, long waveBytes, int entryCount) {
        return WaveSlot.aligned(programs.get(program).scratchBytes(Math.toIntExact(waveBytes), entryCount));
    }

    private boolean revokeStale(int bytes) {
        int count = unread.revoke(bytes, UnreadResults.STALE_NANOS, this);
        revokedCount += count;
        return count > 0;
    }

    @Override
    public void enqueue(OwnLease lease) {
        FallbackReason refusal = tryEnqueue(lease);
        if (refusal != null) {
            lease.tell(refusal);
        }
    }

    /** Queues it, or says why nothing is admitted any more. */
    private synchronized FallbackReason tryEnqueue(OwnLease lease) {
        if (lease.state() == LeaseState.CLOSED) {
            // by another thread, while this one filled it
            lease.finish(FallbackReason.CANCELLED);
            return null;
        }
        if (lease.state() != LeaseState.FILLING) {
            throw new IllegalStateException("lease is " + lease.state());
        }
        leaveFilling(lease);
        if (closed != null) {
            lease.state(lost ? LeaseState.LOST : LeaseState.FAILED);
            return closed;
        }
        lease.state(LeaseState.QUEUED);
        lease.used();
        queue.add(lease);
        queuedCount = queue.size();
        allWaitForScratch = false;
        outstandingBytes += lease.outputBytes();
        return null;
    }

    /** Takes a lease off the queue if no wave has it yet. */
    synchronized boolean withdraw(OwnLease lease) {
        if (lease.state() != LeaseState.QUEUED) {
            return false;
        }
        close(lease);
        return true;
    }

    @Override
    public void close(OwnLease lease) {
        if (endsWithMemory(lease)) {
            giveBack(lease);
        }
    }

    /** Closes a lease; whether its memory is to be given back now. */
    private synchronized boolean endsWithMemory(OwnLease lease) {
        return switch (lease.state()) {
            case FILLING -> {
                leaveFilling(lease);
                yield lease.end();
            }
            case FAILED -> lease.end();
            case QUEUED -> {
                queue.remove(lease);
                queuedCount = queue.size();
                outstandingBytes -= lease.outputBytes();
                allWaitForScratch = false;
                boolean free = lease.end();
                lease.finish(FallbackReason.CANCELLED);
                yield free;
            }
            case ISSUED -> {
                lease.abandon();
                yield false;
            }
            case DONE -> {
                unread.remove(lease);
                yield lease.end();
            }
            case REVOKED, LOST, CLOSED -> false; // nothing is held, or for ever
        };
    }

    private void takeBack(OwnLease lease) {
        if (lease.end()) {
            giveBack(lease);
        }
    }

    /** No thread touches the memory of this closed lease any more. */
    @Override
    public void giveBack(OwnLease lease) {
        if (!lost) {
            lease.giveMemoryBack();
        }
    }

    // ---- for the device's thread

    /**
     * Takes leases of one program off the queue, as many as fit a wave, with the scratch that the wave needs. Null if
     * there are none, or the device is busy and more may come, or all that are queued wait for scratch
     * ({@link ScratchArena} says in which order).
     *
     * @param lingerNanos how long a small wave waits for company while other waves are under way
     */
    Taken takeForWave(long lingerNanos) {
        return queuedCount == 0 || allWaitForScratch ? null : takeQueued(lingerNanos);
    }

    private synchronized Taken takeQueued(long lingerNanos) {
        if (queue.isEmpty() || allWaitForScratch || !issued.isEmpty() && isWorthWaiting(lingerNanos)) {
            return null;
        }
        Set<String> lookedAt = new HashSet<>();
        boolean oneWaits = false;
        for (OwnLease oldest : queue) {
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
        for (OwnLease lease : queue) {
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

    private List<OwnLease> take(String program, int leaseCount) {
        List<OwnLease> taken = new ArrayList<>(leaseCount);
        for (Iterator<OwnLease> oldestFirst = queue.iterator(); taken.size() < leaseCount; ) {
            OwnLease lease = oldestFirst.next();
            if (lease.program().equals(program)) {
                oldestFirst.remove();
                lease.state(LeaseState.ISSUED);
                lease.issuedNanos = System.nanoTime();
                issued.add(lease);
                taken.add(lease);
            }
        }
        queuedCount = queue.size();
        return taken;
    }

    /** A wave's stream has done everything. */
    private void giveScratchBack(IssuedWave issuedWave) {
        scratch.give(issuedWave.scratch);
        allWaitForScratch = false;
    }

    private boolean isWorthWaiting(long lingerNanos) {
        long queuedBytes = 0;
        for (OwnLease lease : queue) {
            queuedBytes += lease.outputBytes();
        }
        return queuedBytes < waveLimitBytes && System.nanoTime() - queue.peek().lastUseNanos() < lingerNanos;
    }

    /** The wave's stream has done everything, and the jobs have their results. */
    void complete(IssuedWave issuedWave) {
        done(issuedWave).forEach(lease -> lease.tell(null));
    }

    /** The leases of a wave that has ended whose tasks are to be told so. */
    private synchronized List<OwnLease> done(IssuedWave issuedWave) {
        List<OwnLease> done = new ArrayList<>();
        if (lost) {
            return done;
        }
        giveScratchBack(issuedWave);
        waveLimitBytes = (int) Math.min(maxWaveBytes, waveLimitBytes + maxWaveBytes / 32L);
        for (OwnLease lease : issuedWave.leases) {
            leaveWave(lease);
            if (lease.isAbandoned()) {
                takeBack(lease);
                continue;
            }
            lease.done();
            unread.add(lease);
            done.add(lease);
        }
        return done;
    }

    /** The wave's stream has done what it was asked for, which was not all: the tasks are told. */
    void fail(IssuedWave issuedWave, FallbackReason why) {
        notDone(issuedWave).forEach(lease -> lease.tell(why));
    }

    /** The leases of a wave that has failed whose tasks are to be told so. */
    private synchronized List<OwnLease> notDone(IssuedWave issuedWave) {
        List<OwnLease> failed = new ArrayList<>();
        if (lost) {
            return failed;
        }
        giveScratchBack(issuedWave);
        for (OwnLease lease : issuedWave.leases) {
            leaveWave(lease);
            if (lease.isAbandoned()) {
                takeBack(lease);
                continue;
            }
            lease.state(LeaseState.FAILED);
            failed.add(lease);
        }
        return failed;
    }

    /**
     * As {@link #fail}, but no task is told: the wave's leases go back to the front of the queue, for waves of at
     * most half the size.
     */
    synchronized void requeueForSmallerWaves(IssuedWave issuedWave) {
        if (lost) {
            return;
        }
        giveScratchBack(issuedWave);
        waveLimitBytes = (int) Math.max(1, issuedWave.outputBytes() / 2);
        for (int index = issuedWave.leases.size() - 1; index >= 0; index--) {
            OwnLease lease = issuedWave.leases.get(index);
            issued.remove(lease);
            if (lease.isAbandoned()) {
                outstandingBytes -= lease.outputBytes();
                takeBack(lease);
            } else {
                lease.state(LeaseState.QUEUED);
                queue.addFirst(lease);
            }
        }
        queuedCount = queue.size();
    }

    private void leaveWave(OwnLease lease) {
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
        List<OwnLease> waiting = new ArrayList<>();
        synchronized (this) {
            lost = true;
            closed = FallbackReason.DEVICE_LOST;
            waiting.addAll(queue);
            waiting.addAll(issued);
            queue.clear();
            queuedCount = 0;
            issued.clear();
            outstandingBytes = 0;
            waiting.forEach(lease -> lease.state(LeaseState.LOST));
        }
        waiting.forEach(lease -> lease.tell(FallbackReason.DEVICE_LOST));
    }

    // ---- how things stand

    boolean hasQueued() {
        return queuedCount > 0;
    }

    long outstandingBytes() {
        return outstandingBytes;
    }

    /** What is outstanding, and what will be when it is filled: by this devices are compared. */
    long loadBytes() {
        return outstandingBytes + fillingBytes;
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

    long revokedCount() {
        return revokedCount;
    }

    int maxWaveEntries() {
        return maxWaveEntries;
    }

    /** Frees the memory; only when none is lent. */
    void free() {
        pinned.close();
    }
}
