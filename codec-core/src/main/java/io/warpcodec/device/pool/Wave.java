package io.warpcodec.device.pool;

import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.lease.WaveJob;
import java.util.List;

/**
 * The jobs of many tasks on their way through a device together: one stream, one stretch of device memory each for
 * inputs, outputs, tables and scratch. Belongs to the thread of its device.
 */
public final class Wave {
    private final WaveSlot slot;
    private final DeviceBuffer scratch;
    private final List<Share> shares;
    private final int entryCount;

    /**
     * The share of a lease.
     *
     * @param lease the task's
     * @param inputOffset where its input begins in {@link Wave#input}
     * @param outputOffset where its output begins in {@link Wave#output}
     */
    record LeaseShare(OwnLease lease, long inputOffset, long outputOffset) implements Share {
        @Override
        public WaveJob job() {
            return lease.job();
        }
    }

    /** One task's share of a wave. */
    public interface Share {
        /** What was submitted. */
        WaveJob job();

        /** Where its input begins in {@link Wave#input}, in bytes; a multiple of 256. */
        long inputOffset();

        /** Where its output begins in {@link Wave#output}, in bytes; a multiple of 256. */
        long outputOffset();
    }

    /** @param scratch lent to it */
    Wave(WaveSlot slot, DeviceBuffer scratch, List<LeaseShare> shares) {
        this.slot = slot;
        this.scratch = scratch;
        this.shares = List.copyOf(shares);
        this.entryCount =
                shares.stream().mapToInt(share -> share.job().entryCount()).sum();
    }

    /** The shares, in the order of their offsets. */
    public List<Share> shares() {
        return shares;
    }

    /** Entries of all shares. */
    public int entryCount() {
        return entryCount;
    }

    /** Device memory that holds the shares' inputs. */
    public DeviceBuffer input() {
        return slot.input();
    }

    /** Device memory for the shares' outputs. */
    public DeviceBuffer output() {
        return slot.output();
    }

    /** Device memory for tables: what the program asked for, aligned to 256 bytes. */
    public DeviceBuffer workspace() {
        return slot.workspace();
    }

    /** Device memory of undefined contents: what the program asked for, aligned to 256 bytes. */
    public DeviceBuffer scratch() {
        return scratch;
    }

    /** Page-locked memory of the size of the workspace. */
    public PinnedBuffer staging() {
        return slot.staging();
    }

    /** Where all of it queues. */
    public DeviceStream stream() {
        return slot.stream();
    }

    /** Asks for the copy of a share's first output bytes to the task's own memory. */
    public void download(Share share, int bytes) throws DeviceException {
        LeaseShare taken = (LeaseShare) share;
        stream()
                .download(
                        output().slice(taken.outputOffset(), bytes),
                        taken.lease().outputPart(bytes));
    }
}
