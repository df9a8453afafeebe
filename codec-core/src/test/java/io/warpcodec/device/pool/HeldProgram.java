package io.warpcodec.device.pool;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.lease.FreeRanges;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program without kernels whose waves stay under way until they are let go, and that looks whether their scratch is
 * theirs alone.
 */
final class HeldProgram implements WaveProgram {
    private final int scratchToOutput;
    private final boolean mayWait;
    private final Semaphore letGo = new Semaphore(0);
    private final Map<Wave, Integer> marks = new ConcurrentHashMap<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger overwritten = new AtomicInteger();

    /** @param scratchToOutput bytes of scratch for each of a wave's bytes */
    HeldProgram(int scratchToOutput, boolean mayWait) {
        this.scratchToOutput = scratchToOutput;
        this.mayWait = mayWait;
    }

    /** Lets so many waves end, in any order. */
    HeldProgram letGo(int waves) {
        letGo.release(waves);
        return this;
    }

    /** From now on waves stay under way again. */
    void holdAgain() {
        letGo.drainPermits();
    }

    /** Waves that were issued so far. */
    int begun() {
        return begun.get();
    }

    /** Waves that ended so far. */
    int ended() {
        return ended.get();
    }

    /** Waves whose scratch another had written to. */
    int overwritten() {
        return overwritten.get();
    }

    @Override
    public long workspaceBytes(int entryCount) {
        return 2 * FreeRanges.GRAIN_BYTES;
    }

    @Override
    public long scratchBytes(int waveBytes, int entryCount) {
        return (long) scratchToOutput * waveBytes;
    }

    @Override
    public boolean mayWaitForScratch() {
        return mayWait;
    }

    @Override
    public boolean advance(Wave wave, int step) throws DeviceException {
        long scratchBytes = wave.scratch().bytes();
        if (step == 0) {
            marks.put(wave, begun.incrementAndGet());
            wave.stream().fill(wave.scratch(), marks.get(wave).byteValue());
            return true;
        }
        Integer mark = marks.get(wave);
        if (mark != null) {
            if (letGo.tryAcquire()) {
                marks.remove(wave);
                wave.staging().view().put(0, mark.byteValue());
                if (scratchBytes > 0) {
                    wave.stream()
                            .download(wave.scratch().slice(0, 1), wave.staging().slice(1, 1));
                    wave.stream()
                            .download(
                                    wave.scratch().slice(scratchBytes - 1, 1),
                                    wave.staging().slice(2, 1));
                }
            }
            return true;
        }
        ByteBuffer found = wave.staging().view();
        if (scratchBytes > 0 && (found.get(0) != found.get(1) || found.get(0) != found.get(2))) {
            overwritten.incrementAndGet();
        }
        ended.incrementAndGet();
        return false;
    }

    @Override
    public void close() {}
}
