package io.warpcodec.engine.choice;

import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Version;
import io.warpcodec.engine.Engine;
import io.warpcodec.metrics.FallbackReason;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for the accelerator and starts it. For a stream that insists on an accelerator this is done at once. In mode
 * {@code auto} it is done in the background, once that pays ({@link StartCosts}). An accelerator that is there
 * already, in a service, is joined before that, once joining it pays. Until then a process in {@code auto} makes no
 * call to a driver and loads no class of the engine. So a short task costs what it costs on the CPU. Thread-safe.
 */
public final class AcceleratorStart {
    // Three states: not begun, begun (start != null), found (found != null). `auto` goes through all of them, on a
    // daemon thread that nothing waits for but sessions to which the start is worth it; a stream that insists goes to
    // the last one at once, on its own thread. A start that is another process's turn now stays "not begun" and is
    // tried again.

    private static final Logger LOG = LoggerFactory.getLogger(AcceleratorStart.class);

    /** How often turns, which are a file, are looked at. */
    static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Devices that have not started by then count as a start that failed; other processes get their turn. */
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Supplier<Found> search;
    private final Supplier<Found> searchAtOnce;
    private final Supplier<StartTurns> turnsSearch;
    private final StartEvidence evidence;
    private final Object searching = new Object();
    private volatile Found found;
    private volatile Start start;
    private volatile boolean longLifeExpected;
    private volatile boolean said;
    /** What devices are known to save of this process's time. */
    private volatile long expectedSavingNanos;

    /** Guarded by this. */
    private StartTurns turns;

    private long nextLookNanos = Long.MIN_VALUE;

    /**
     * When it is asked next what is there at once, by {@link System#nanoTime}; written under the monitor of the search.
     */
    private volatile long nextAtOnceNanos = System.nanoTime();

    /**
     * What a search came to.
     *
     * @param accelerator null when there is none
     * @param unavailableReason why there is none; null when there is one
     */
    public record Found(Engine accelerator, FallbackReason unavailableReason) {
        /** Whether it is worth looking again: a service that is not there may come. */
        boolean isForNow() {
            return unavailableReason == FallbackReason.NODE_LOST || unavailableReason == FallbackReason.NODE_CLOSED;
        }
    }

    /** A start in the background. */
    private record Start(long begunNanos, long expectedNanos, CountDownLatch over) {
        private boolean isWorthWaiting(long savingNanos) {
            return StartCosts.isWorthWaiting(savingNanos, expectedNanos);
        }
    }

    /**
     * @param search looks for the accelerator; run once, and again when it is needed if what it found is
     *     {@linkplain Found#isForNow for now}
     * @param turns finds how processes take turns, or null if this one is to start no devices; asked for when a start
     *     has nearly paid, until there are some
     * @param evidence what the process has done so far
     */
    public AcceleratorStart(Supplier<Found> search, Supplier<StartTurns> turns, StartEvidence evidence) {
        this(search, () -> null, turns, evidence);
    }

    /**
     * @param searchAtOnce finds an accelerator that is there already, so that its start costs nothing; null if there
     *     is none now. Asked about once a second
     */
    public AcceleratorStart(
            Supplier<Found> search, Supplier<Found> searchAtOnce, Supplier<StartTurns> turns, StartEvidence evidence) {
        this.search = search;
        this.searchAtOnce = searchAtOnce;
        this.turnsSearch = turns;
        this.evidence = evidence;
    }

    /** That of an accelerator that is there already. */
    public static AcceleratorStart of(Engine accelerator) {
        AcceleratorStart done = new AcceleratorStart(
                () -> new Found(accelerator, null), StartTurns::alone, StartEvidence.ofThisProcess());
        done.found();
        return done;
    }

    /** From now on a start counts as paid when it is first asked for: this process is known to live long. */
    public void expectLongLife() {
        longLifeExpected = true;
    }

    /**
     * The accelerator, looked for if it was not: on the calling thread, which may take a second. No device starts by
     * this.
     */
    Found found() {
        Found known = found;
        if (known != null) {
            return known;
        }
        synchronized (searching) {
            if (found != null) {
                return found;
            }
            Found atOnce = searchAtOnce.get();
            Found now = atOnce == null ? search.get() : atOnce;
            if (!now.isForNow()) {
                found = now;
            }
            return now;
        }
    }

    /** Looks for an accelerator that is there already, if joining it pays. */
    private void lookAtOnce(long savingNanos) {
        boolean pays = savingNanos >= StartCosts.JOINING_NANOS || hasPaid(StartCosts.JOINING_NANOS);
        if (pays && start == null && System.nanoTime() - nextAtOnceNanos >= 0) {
            synchronized (searching) {
                if (found == null && System.nanoTime() - nextAtOnceNanos >= 0) {
                    nextAtOnceNanos = System.nanoTime() + LOOK_NANOS;
                    found = searchAtOnce.get();
                }
            }
        }
    }

    /**
     * The outcome of the search. Null while there is none, or while it is only {@linkplain Found#isForNow for now}.
     * Does not wait.
     */
    Found known() {
        return found;
    }

    /** Whether devices are starting in the background. */
    boolean isUnderWay() {
        Start begun = start;
        return begun != null && begun.over.getCount() > 0;
    }

    /**
     * Whether devices are starting in the background, for as long as a start that goes well takes at most. A start
     * that hangs is to cost no processors.
     */
    boolean needsProcessors() {
        Start begun = start;
        return isUnderWay()
                && evidence.livedNanos() - begun.begunNanos < StartCosts.MOST_WAIT_STARTS * begun.expectedNanos;
    }

    /**
     * Takes an accelerator that is there at once; else starts devices in the background if that has paid by now. Does
     * not wait for a start.
     */
    void consider() {
        if (found != null) {
            return;
        }
        lookAtOnce(expectedSavingNanos);
        if (!said && start == null) {
            said = true;
            LOG.info(
                    "Warpcodec {} begins on the CPU, and looks for a GPU once there is enough work to pay for its start",
                    Version.text());
        }
        boolean mayPay = hasPaid(StartCosts.LEAST_START_NANOS)
                || StartCosts.paysForAll(expectedSavingNanos, StartCosts.LEAST_START_NANOS);
        if (found == null && start == null && mayPay) {
            begin(0);
        }
    }

    /**
     * Tells what this process is to do before long. Devices start at once, in the background, if they save as much as
     * that costs; then its batches in mode {@code auto} wait for them ({@link #awaitExpected}).
     *
     * @param level of what is encoded
     * @param bytes raw bytes to encode, or compressed bytes to decode
     * @param threads of the CPU engine
     */
    void expect(Format format, Direction direction, int level, long bytes, int threads) {
        long savingNanos;
        synchronized (this) {
            expectedSavingNanos += StartCosts.expectedSavingNanos(format, direction, level, bytes, threads);
            savingNanos = expectedSavingNanos;
        }
        lookAtOnce(savingNanos);
        if (found == null && StartCosts.paysForAll(savingNanos, StartCosts.LEAST_START_NANOS)) {
            begin(savingNanos);
        }
    }

    /**
     * Waits for a start that is worth it for the work that is expected, until devices run: the CPU would do a part of
     * that meanwhile, at many times the processor time.
     *
     * @throws InterruptedIOException if the thread was interrupted while it waited; it stays interrupted
     */
    void awaitExpected() throws InterruptedIOException {
        Start begun = start;
        if (begun != null && StartCosts.paysForAll(expectedSavingNanos, begun.expectedNanos)) {
            await(begun);
        }
    }

    /**
     * Waits for a start that goes well, no longer than this.
     *
     * @return for how many nanoseconds, by the clock of {@link StartEvidence#livedNanos}
     * @throws InterruptedIOException if the thread was interrupted while it waited; it stays interrupted
     */
    long awaitAtMost(long mostNanos) throws InterruptedIOException {
        Start begun = start;
        if (begun == null || !needsProcessors()) {
            return 0;
        }
        long beginNanos = evidence.livedNanos();
        await(begun, mostNanos);
        return evidence.livedNanos() - beginNanos;
    }

    private boolean hasPaid(long startNanos) {
        return longLifeExpected || StartCosts.hasPaid(evidence, startNanos);
    }

    /**
     * Starts devices and waits for them, if that is worth it for a session that stays with the engine that begins it.
     *
     * @param expectedBytes compressed bytes that the session is to get at least
     * @throws InterruptedIOException if the thread was interrupted while it waited; it stays interrupted
     */
    void awaitIfWorth(Format format, long expectedBytes) throws InterruptedIOException {
        if (found != null) {
            return;
        }
        long savingNanos = StartCosts.expectedSavingNanos(format, expectedBytes);
        lookAtOnce(savingNanos);
        awaitJoined(savingNanos);
        if (found != null || !StartCosts.isWorthWaiting(savingNanos, StartCosts.LEAST_START_NANOS)) {
            return;
        }
        Start begun = start;
        if (begun == null && found == null) {
            begun = begin(savingNanos);
        }
        if (begun != null && begun.isWorthWaiting(savingNanos)) {
            await(begun);
        }
    }

    /** Waits for a service that has just been found to answer, no longer than devices save of the session. */
    private void awaitJoined(long savingNanos) throws InterruptedIOException {
        Found joined = found;
        if (joined == null || joined.accelerator == null || savingNanos < StartCosts.JOINING_NANOS) {
            return;
        }
        try {
            joined.accelerator.awaitStart(savingNanos);
        } catch (InterruptedException interrupted) {
            throw stopped(interrupted);
        }
    }

    private static InterruptedIOException stopped(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        InterruptedIOException stopped = new InterruptedIOException("interrupted while devices started");
        stopped.initCause(interrupted);
        return stopped;
    }

    private void await(Start begun) throws InterruptedIOException {
        await(begun, Long.MAX_VALUE);
    }

    /** Sessions together wait no longer than one would. */
    private void await(Start begun, long mostNanos) throws InterruptedIOException {
        long overNanos = begun.begunNanos + StartCosts.MOST_WAIT_STARTS * begun.expectedNanos;
        long leftNanos = Math.min(mostNanos, overNanos - evidence.livedNanos());
        try {
            if (!begun.over.await(leftNanos, TimeUnit.NANOSECONDS)) {
                LOG.debug("devices have not started in {} ms", TimeUnit.NANOSECONDS.toMillis(leftNanos));
            }
        } catch (InterruptedException interrupted) {
            throw stopped(interrupted);
        }
    }

    /**
     * Begins a start if it pays by what starts take on this machine and is this process's turn.
     *
     * @param savingNanos what devices are known to save of one session; 0 if a batch asks, of which there are many,
     *     so that most of them do not look at turns
     * @return null if not
     */
    private synchronized Start begin(long savingNanos) {
        long now = evidence.livedNanos();
        if (found != null || start != null || savingNanos == 0 && now < nextLookNanos) {
            return start;
        }
        nextLookNanos = now + LOOK_NANOS;
        if (turns == null) {
            turns = turnsSearch.get();
        }
        if (turns == null) {
            return null;
        }
        long expectedNanos = StartCosts.startNanos(turns.measuredNanos());
        boolean pays = StartCosts.paysForAll(expectedSavingNanos, expectedNanos)
                || StartCosts.isWorthWaiting(savingNanos, expectedNanos)
                || hasPaid(expectedNanos);
        if (!pays) {
            return null;
        }
        StartTurns.Turn turn = turns.tryTurn();
        if (turn == null) {
            return null;
        }
        Start begun = new Start(now, expectedNanos, new CountDownLatch(1));
        Thread thread = new Thread(() -> run(begun, turn), "warpcodec start");
        // the end of the process waits for no start
        thread.setDaemon(true);
        thread.start();
        start = begun;
        return begun;
    }

    private void run(Start begun, StartTurns.Turn turn) {
        try (turn) {
            Engine accelerator = found().accelerator();
            if (accelerator != null) {
                boolean runs = accelerator.awaitStart(GIVE_UP_NANOS);
                long tookNanos = evidence.livedNanos() - begun.begunNanos;
                // a start that came to nothing says nothing, unless that took long
                if (runs || tookNanos > begun.expectedNanos) {
                    turn.took(tookNanos);
                }
            }
        } catch (InterruptedException interrupted) {
            LOG.debug("the start of devices was interrupted");
        } finally {
            begun.over.countDown();
        }
    }
}
