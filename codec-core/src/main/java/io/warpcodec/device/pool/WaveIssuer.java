package io.warpcodec.device.pool;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceException.Failure;
import io.warpcodec.device.driver.DeviceHealth;
import io.warpcodec.metrics.FallbackReason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Issues the waves of one device and follows each to its end: done, once more in smaller waves, failed, or the device
 * given up. Made and used by the device's thread alone ({@link DeviceWorker}); calls the driver, never waits, and
 * holds no lock during a call.
 */
final class WaveIssuer {
    /** So many failed waves in a row, none of them fatal, mean that something is wrong with the device all the same. */
    private static final int MOST_FAILED_WAVES = 16;

    private static final Logger LOG = LoggerFactory.getLogger(WaveIssuer.class);

    private final DeviceResources resources;
    private final PoolLimits limits;
    private final DeviceHealth health;
    private final Consumer<String> giveUp;
    private final Function<String, LongAdder> counters;
    private final ObservedTime observed;
    private int failedWavesInARow;

    /**
     * @param giveUp gives the device up, for a reason; {@code health} knows it at once
     * @param counters by name
     * @param clock in nanoseconds, as {@link System#nanoTime}
     */
    WaveIssuer(
            DeviceResources resources,
            PoolLimits limits,
            DeviceHealth health,
            Consumer<String> giveUp,
            Function<String, LongAdder> counters,
            LongSupplier clock) {
        this.resources = resources;
        this.limits = limits;
        this.health = health;
        this.giveUp = giveUp;
        this.counters = counters;
        observed = new ObservedTime(clock);
    }

    /** Moves every wave on and gives free slots new ones. Returns whether anything came of it. */
    boolean turn() {
        observed.step();
        boolean progress = false;
        boolean workIsQueued = true;
        for (WaveSlot slot : resources.slots()) {
            progress |= slot.issued() != null && poll(slot);
            if (slot.issued() == null && workIsQueued && health.death() == null) {
                workIsQueued = issueNext(slot);
                progress |= workIsQueued;
            }
        }
        return progress;
    }

    /** Whether a wave is under way. */
    boolean isBusy() {
        for (WaveSlot slot : resources.slots()) {
            if (slot.issued() != null) {
                return true;
            }
        }
        return false;
    }

    private boolean issueNext(WaveSlot slot) {
        LeaseBook.Taken taken = resources.leases().takeForWave(limits.lingerNanos());
        if (taken == null) {
            return false;
        }
        List<Wave.LeaseShare> shares = new ArrayList<>(taken.leases().size());
        long inputAt = 0;
        long outputAt = 0;
        for (OwnLease lease : taken.leases()) {
            shares.add(new Wave.LeaseShare(lease, inputAt, outputAt));
            inputAt += WaveSlot.aligned(lease.inputBytes());
            outputAt += WaveSlot.aligned(lease.outputBytes());
        }
        WaveProgram program = resources.programs().get(taken.leases().get(0).program());
        Wave wave = new Wave(slot, resources.scratch(taken.scratch()), shares);
        IssuedWave issued = new IssuedWave(taken, program, wave, observed.nanos());
        slot.begin(issued);
        count("waves", 1);
        try {
            clearIfForeign(slot, taken.leases(), outputAt);
            for (Wave.LeaseShare share : shares) {
                OwnLease lease = share.lease();
                slot.stream().upload(lease.inputPart(), slot.input().slice(share.inputOffset(), lease.inputBytes()));
            }
            advance(slot, issued);
        } catch (DeviceException failed) {
            failed(issued, failed);
        }
        return true;
    }

    /**
     * What the waves before have left in the output must not come to another process, as it would from slots that are
     * not filled.
     */
    private static void clearIfForeign(WaveSlot slot, List<OwnLease> leases, long bytes) throws DeviceException {
        if (leases.stream().anyMatch(OwnLease::isForeign)) {
            slot.stream().fill(slot.output().slice(0, bytes), (byte) 0);
        }
    }

    private void advance(WaveSlot slot, IssuedWave issued) throws DeviceException {
        if (!goOn(issued)) {
            slot.end();
            failedWavesInARow = 0;
            // Counted before the tasks know, so that a task that has its results finds them in the counters.
            count("leases", issued.leases.size());
            resources.leases().complete(issued);
        }
    }

    /**
     * Asks the program for the next step. What it throws beside that is a defect of its own, which costs its wave and
     * no other.
     */
    private static boolean goOn(IssuedWave issued) throws DeviceException {
        try {
            return issued.program.advance(issued.wave, issued.nextStep++);
        } catch (RuntimeException defect) {
            LOG.warn("a wave failed by a defect of this software", defect);
            throw new DeviceException(defect.toString());
        }
    }

    private boolean poll(WaveSlot slot) {
        IssuedWave issued = slot.issued();
        try {
            if (!slot.stream().isDone()) {
                if (observed.nanos() - issued.startNanos > limits.watchdogNanos()) {
                    giveUp.accept(
                            "a wave of " + issued.outputBytes() + " bytes did not end within " + limits.watchdogText());
                }
                return false;
            }
        } catch (DeviceException failed) {
            if (issued.failure != null) {
                // asked once more after a failure, the driver still has no good answer
                giveUp.accept(failed.getMessage());
            } else {
                failed(issued, failed);
            }
            return true;
        }
        if (issued.failure != null) {
            slot.end();
            recover(issued);
            return true;
        }
        try {
            advance(slot, issued);
        } catch (DeviceException failed) {
            failed(issued, failed);
        }
        return true;
    }

    private void failed(IssuedWave issued, DeviceException failure) {
        if (failure.failure() == Failure.DEVICE_LOST) {
            giveUp.accept(failure.getMessage());
        } else {
            issued.failure = failure;
        }
    }

    /**
     * After a failure that the device survives: once more in smaller waves if memory was short, else the tasks do it.
     */
    private void recover(IssuedWave issued) {
        failedWavesInARow++;
        LOG.debug("wave failed: {}", issued.failure.getMessage());
        boolean memory = issued.failure.failure() == Failure.OUT_OF_MEMORY;
        if (failedWavesInARow >= MOST_FAILED_WAVES && !memory) {
            giveUp.accept(failedWavesInARow + " waves failed in a row, the last with " + issued.failure.getMessage());
        } else if (memory && issued.leases.size() > 1) {
            resources.leases().requeueForSmallerWaves(issued);
            count("wave-splits", 1);
        } else {
            resources.leases().fail(issued, memory ? FallbackReason.OUT_OF_MEMORY : FallbackReason.DRIVER_ERROR);
        }
    }

    private void count(String what, int count) {
        counters.apply("pool." + what).add(count);
    }
}
