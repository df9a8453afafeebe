package io.warpcodec.device.pool;

import io.warpcodec.device.driver.DeviceException;

/**
 * One kind of work on one device: its kernels, and in which order they and the copies of a wave are asked for. Used
 * by the thread of its device only, but for the sizes, which any thread may ask for.
 */
public interface WaveProgram extends AutoCloseable {
    /**
     * Device memory for tables, and page-locked memory of the same size, that a wave of so many entries needs, in
     * bytes.
     */
    long workspaceBytes(int entryCount);

    /**
     * Device memory beside that, with undefined contents, that a wave needs, in bytes: lent to it from its issue to
     * its end. More bytes never need less. More entries may: a program may do many of them in another way.
     *
     * @param waveBytes most input bytes, and output bytes, of the wave, with what lies between its shares
     * @param entryCount of all its shares
     */
    default long scratchBytes(int waveBytes, int entryCount) {
        return 0;
    }

    /**
     * Whether its waves may wait for scratch while slots are free, because they need so much of it. For all other
     * programs a device has as much scratch as the largest waves of all its slots need at once.
     */
    default boolean mayWaitForScratch() {
        return false;
    }

    /**
     * Whether a lease may have more output than a wave, where a device has memory for that: then it is alone in its
     * wave. For work that cannot be cut into parts which run side by side.
     */
    default boolean takesLongLeases() {
        return false;
    }

    /**
     * Asks the wave's stream for the next step. Called first when the inputs of all shares have been asked for, then
     * each time that the stream has done everything.
     *
     * @param step 0, 1, ...
     * @return false when the wave is over: nothing was asked for, and the jobs know their results
     * @throws DeviceException if the device fails
     */
    boolean advance(Wave wave, int step) throws DeviceException;

    @Override
    void close();
}
