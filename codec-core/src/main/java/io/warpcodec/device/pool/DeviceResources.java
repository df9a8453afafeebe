package io.warpcodec.device.pool;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceException.Failure;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.lease.FreeRanges;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Everything that is taken on a device when it starts, and nothing afterwards: context, kernels, slots for waves,
 * scratch, page-locked memory. Belongs to the thread of its device.
 */
final class DeviceResources {
    /**
     * Waves under way at once, where memory allows. A wave lasts as long as its slowest block, milliseconds, so it
     * takes many to keep a device and its link busy.
     */
    static final int MOST_SLOTS = 12;

    /** Rather smaller waves than fewer slots: one to fill, one to compute, one to empty. */
    static final int LEAST_SLOTS = 3;

    /** Output of a program's {@linkplain WaveProgram#takesLongLeases long lease}, in waves. */
    private static final int LONG_LEASE_WAVES = 2;

    private static final int LEAST_WAVE_ENTRIES = 4096;
    private static final int BYTES_PER_ENTRY = 4096;

    private final Device device;
    private final Map<String, WaveProgram> programs;
    private final WaveMemory memory;
    private final LeaseBook leases;

    private DeviceResources(Device device, Map<String, WaveProgram> programs, WaveMemory memory, LeaseBook leases) {
        this.device = device;
        this.programs = programs;
        this.memory = memory;
        this.leases = leases;
    }

    /**
     * What waves run in.
     *
     * @param waveBytes most input bytes, and output bytes, of a wave
     * @param longLeaseBytes most output bytes of a lease that is alone in its wave
     * @param scratch what is lent to waves beside their slots
     */
    private record WaveMemory(int waveBytes, int longLeaseBytes, List<WaveSlot> slots, DeviceBuffer scratch) {
        void close() {
            slots.forEach(WaveSlot::close);
            scratch.close();
        }
    }

    /**
     * Takes it all; where memory is short, smaller waves.
     *
     * @param device an open device, which is closed if this fails
     * @param pinnedMaxBytes most page-locked memory for leases
     * @throws KernelUnavailableException if the device can do nothing of what is asked; nothing is held then
     * @throws DeviceException if the device fails, or has not even memory for the smallest waves; nothing is held then
     */
    static DeviceResources open(Device device, PoolLimits limits, long pinnedMaxBytes, WavePrograms loader)
            throws KernelUnavailableException, DeviceException {
        Map<String, WaveProgram> programs = Map.of();
        WaveMemory memory = null;
        try {
            programs = loader.load(device);
            memory = openMemory(device, limits, programs.values());
            PinnedPool pinned = PinnedPool.allocate(device, pinnedMaxBytes);
            ScratchArena scratch = new ScratchArena(memory.scratch.bytes());
            int waveBytes = memory.waveBytes;
            LeaseBook leases =
                    new LeaseBook(pinned, programs, scratch, waveBytes, memory.longLeaseBytes, waveEntries(waveBytes));
            return new DeviceResources(device, programs, memory, leases);
        } catch (KernelUnavailableException | DeviceException failed) {
            if (memory != null) {
                memory.close();
            }
            programs.values().forEach(WaveProgram::close);
            device.close();
            throw failed;
        }
    }

    /**
     * Opens slots for the largest waves that memory gives, as many as it gives, each with the scratch of the programs
     * that do not wait for it. For those that may wait it takes more, up to what all slots could use, from what is
     * left below the limit.
     */
    private static WaveMemory openMemory(Device device, PoolLimits limits, Collection<WaveProgram> programs)
            throws DeviceException {
        long memoryMaxBytes = limits.memoryMaxBytes(device.info());
        for (int waveBytes = limits.waveBytes(); ; waveBytes /= 2) {
            boolean smallest = waveBytes / 2 < PoolLimits.LEAST_WAVE_BYTES;
            int entries = waveEntries(waveBytes);
            int mostBytes = waveBytes;
            ToLongFunction<WaveProgram> scratchOf = program -> program.scratchBytes(mostBytes, entries);
            long sureBytes =
                    most(programs, program -> program.mayWaitForScratch() ? 0 : scratchOf.applyAsLong(program));
            long workspaceBytes = most(programs, program -> program.workspaceBytes(entries));
            WaveSlot.Layout layout = WaveSlot.Layout.of(waveBytes, workspaceBytes);
            int longLeaseBytes = waveBytes;
            // room for long leases costs no slot, and no wave its size
            WaveSlot.Layout longLayout = layout.withOutputOf(LONG_LEASE_WAVES * waveBytes);
            if (programs.stream().anyMatch(WaveProgram::takesLongLeases)
                    && memoryMaxBytes / (longLayout.bytes() + sureBytes) >= MOST_SLOTS) {
                layout = longLayout;
                longLeaseBytes *= LONG_LEASE_WAVES;
            }
            long fitting = memoryMaxBytes / (layout.bytes() + sureBytes);
            if (fitting < LEAST_SLOTS && !smallest) {
                continue;
            }
            List<WaveSlot> slots = new ArrayList<>();
            try {
                long wanted = Math.max(LEAST_SLOTS, Math.min(MOST_SLOTS, fitting));
                openSlots(device, layout, wanted, slots);
                long leftBytes = memoryMaxBytes - slots.size() * layout.bytes();
                long wishedBytes = Math.min(slots.size() * most(programs, scratchOf), leftBytes);
                return new WaveMemory(
                        waveBytes, longLeaseBytes, slots, openScratch(device, sureBytes, wishedBytes, slots));
            } catch (DeviceException refused) {
                slots.forEach(WaveSlot::close);
                if (refused.failure() != Failure.OUT_OF_MEMORY || smallest) {
                    throw refused;
                }
            }
        }
    }

    private static long most(Collection<WaveProgram> programs, ToLongFunction<WaveProgram> bytes) {
        return WaveSlot.aligned(programs.stream().mapToLong(bytes).max().orElse(0));
    }

    /** Opens as many slots as are wanted, or as memory gives if that is enough. */
    private static void openSlots(Device device, WaveSlot.Layout layout, long wanted, List<WaveSlot> slots)
            throws DeviceException {
        try {
            while (slots.size() < wanted) {
                slots.add(WaveSlot.open(device, layout));
            }
        } catch (DeviceException refused) {
            if (refused.failure() != Failure.OUT_OF_MEMORY || slots.size() < LEAST_SLOTS) {
                throw refused;
            }
        }
    }

    /**
     * Takes as much scratch as is wished, or as memory gives if that is enough for all slots, or for those that are
     * left when some are closed.
     */
    private static DeviceBuffer openScratch(Device device, long sureBytes, long wishedBytes, List<WaveSlot> slots)
            throws DeviceException {
        long triedBytes = wishedBytes;
        while (true) {
            long leastBytes = Math.max(FreeRanges.GRAIN_BYTES, slots.size() * sureBytes);
            long bytes = Math.max(leastBytes, triedBytes - triedBytes % FreeRanges.GRAIN_BYTES);
            try {
                return device.allocate(bytes);
            } catch (DeviceException refused) {
                if (refused.failure() != Failure.OUT_OF_MEMORY || bytes == leastBytes && slots.size() <= LEAST_SLOTS) {
                    throw refused;
                }
                if (bytes == leastBytes) {
                    slots.remove(slots.size() - 1).close();
                }
                triedBytes = bytes / 2;
            }
        }
    }

    private static int waveEntries(int waveBytes) {
        return Math.max(LEAST_WAVE_ENTRIES, waveBytes / BYTES_PER_ENTRY);
    }

    Map<String, WaveProgram> programs() {
        return programs;
    }

    List<WaveSlot> slots() {
        return memory.slots;
    }

    /** The memory of a range of the scratch. */
    DeviceBuffer scratch(ScratchArena.Range range) {
        return memory.scratch.slice(range.offset(), range.bytes());
    }

    LeaseBook leases() {
        return leases;
    }

    /** Page-locks memory that was there before. Any thread may call. */
    PinnedBuffer lock(ByteBuffer memory) throws DeviceException {
        return device.lock(memory);
    }

    /** Unlocks such memory, whichever device locked it; whether that is done. Any thread may call. */
    boolean unlock(PinnedBuffer locked) {
        return locked.closeBy(device);
    }

    /** Makes no further call to the driver, whichever task asks for one. */
    void abandon(String reason) {
        device.abandon(reason);
    }

    /** Frees everything; only when no wave is under way and no memory is lent. */
    void free() {
        memory.close();
        programs.values().forEach(WaveProgram::close);
        leases.free();
        device.close();
    }
}
