package io.warpcodec.device.pool;

import io.warpcodec.device.driver.DeviceException;
import java.util.List;

/** A wave under way, and how far it has come. Belongs to the thread of its device. */
final class IssuedWave {
    final List<OwnLease> leases;
    final WaveProgram program;
    final Wave wave;
    /** What its wave has of the device's scratch. */
    final ScratchArena.Range scratch;
    /** When it began, in the observed time of the device's thread ({@link ObservedTime}). */
    final long startNanos;

    int nextStep;
    /** What a call of this wave failed with; it is over when the stream has done what was asked for before. */
    DeviceException failure;

    IssuedWave(LeaseBook.Taken taken, WaveProgram program, Wave wave, long startNanos) {
        this.leases = taken.leases();
        this.program = program;
        this.wave = wave;
        this.scratch = taken.scratch();
        this.startNanos = startNanos;
    }

    long outputBytes() {
        return leases.stream().mapToLong(OwnLease::outputBytes).sum();
    }
}
