package io.warpcodec.device.pool;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceException.Failure;
import io.warpcodec.device.kernel.KernelUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Everything that is taken on a device when it starts, and nothing afterwards: context, kernels, slots for waves, page-locked memory. Belongs
 * to the thread of its device.
 */
final class DeviceResources {
    /**
     * Waves under way at once, where memory allows. A wave lasts as long as its slowest block, milliseconds, so it takes many to keep a device
     * and its link busy.
     */
    static final int MOST_SLOTS = 12;

    /** Rather smaller waves than fewer slots: one to fill, one to compute, one to empty. */
    static final int LEAST_SLOTS = 3;

    private static final int LEAST_WAVE_ENTRIES = 4096;
    private static final int BYTES_PER_ENTRY = 4096;

    private final Device device;
    private final Map<String, WaveProgram> programs;
    private final List<WaveSlot> slots;
    private final LeaseBook leases;

    private DeviceResources(Device device, Map<String, WaveProgram> programs, List<WaveSlot> slots, LeaseBook leases) {
        this.device = device;
        this.programs = programs;
        this.slots = slots;
        this.leases = leases;
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
        List<WaveSlot> slots = new ArrayList<>();
        try {
            programs = loader.load(device);
            int waveBytes = openSlots(device, limits, programs, slots);
            PinnedPool pinned = PinnedPool.allocate(device, pinnedMaxBytes);
            return new DeviceResources(
                    device, programs, slots, new LeaseBook(pinned, waveBytes, waveEntries(waveBytes)));
        } catch (KernelUnavailableException | DeviceException failed) {
            slots.forEach(WaveSlot::close);
            programs.values().forEach(WaveProgram::close);
            device.close();
            throw failed;
        }
    }

    /** Opens slots for the largest waves that memory gives, as many as it gives; the size of a wave. */
    private static int openSlots(
            Device device, PoolLimits limits, Map<String, WaveProgram> programs, List<WaveSlot> slots)
            throws DeviceException {
        for (int waveBytes = limits.waveBytes(); ; waveBytes /= 2) {
            boolean smallest = waveBytes / 2 < PoolLimits.LEAST_WAVE_BYTES;
            int entries = waveEntries(waveBytes);
            long workspaceBytes = programs.values().stream()
                    .mapToLong(program -> program.workspaceBytes(entries))
                    .max()
                    .orElse(0);
            int mostBytes = waveBytes;
            long scratchBytes = programs.values().stream()
                    .mapToLong(program -> program.scratchBytes(mostBytes, entries))
                    .max()
                    .orElse(0);
            WaveSlot.Layout layout = WaveSlot.Layout.of(waveBytes, workspaceBytes, scratchBytes);
            long fitting = limits.memoryMaxBytes() / layout.bytes();
            if (fitting < LEAST_SLOTS && !smallest) {
                continue;
            }
            try {
                long wanted = Math.max(LEAST_SLOTS, Math.min(MOST_SLOTS, fitting));
                while (slots.size() < wanted) {
                    slots.add(WaveSlot.open(device, layout));
                }
                return waveBytes;
            } catch (DeviceException refused) {
                boolean memory = refused.failure() == Failure.OUT_OF_MEMORY;
                if (memory && slots.size() >= LEAST_SLOTS) {
                    return waveBytes;
                }
                if (!memory || smallest) {
                    throw refused;
                }
                slots.forEach(WaveSlot::close);
                slots.clear();
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
        return slots;
    }

    LeaseBook leases() {
        return leases;
    }

    /** Makes no further call to the driver, whichever task asks for one. */
    void abandon(String reason) {
        device.abandon(reason);
    }

    /** Frees everything; only when no wave is under way and no memory is lent. */
    void free() {
        slots.forEach(WaveSlot::close);
        programs.values().forEach(WaveProgram::close);
        leases.free();
        device.close();
    }
}
