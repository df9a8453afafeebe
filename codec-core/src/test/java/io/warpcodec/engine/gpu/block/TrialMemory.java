package io.warpcodec.engine.gpu.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The memory of one trial of kernels: what goes up, what is poisoned before the kernels run, and what comes down.
 * Every byte that no kernel may write holds {@link #CANARY}. {@link #close()} returns it all. For one thread.
 */
public final class TrialMemory implements AutoCloseable {
    /** What unwritten bytes hold. */
    public static final byte CANARY = (byte) 0xA5;

    private final Device device;
    private final DeviceStream stream;
    private final Deque<Runnable> buffers = new ArrayDeque<>();

    public TrialMemory(Device device, DeviceStream stream) {
        this.device = device;
        this.stream = stream;
    }

    /** Device memory that holds these bytes; one byte of no meaning for none. */
    public DeviceBuffer holding(byte[] bytes) throws DeviceException {
        DeviceBuffer memory = allocate(bytes.length);
        PinnedBuffer upload = pinned(bytes.length);
        upload.view().put(bytes);
        stream.upload(upload, memory);
        return memory;
    }

    /** Device memory in which every byte is {@link #CANARY}; at least 8 bytes. */
    public DeviceBuffer poisoned(long bytes) throws DeviceException {
        return filled(bytes, CANARY);
    }

    /** Device memory in which every byte is {@code value}; at least 8 bytes. */
    public DeviceBuffer filled(long bytes, byte value) throws DeviceException {
        DeviceBuffer memory = allocate(Math.max(Long.BYTES, bytes));
        stream.fill(memory, value);
        return memory;
    }

    /** Page-locked memory as it comes; at least 8 bytes. */
    public PinnedBuffer staging(long bytes) throws DeviceException {
        return pinned(Math.max(Long.BYTES, bytes));
    }

    /** Waits for all that was queued; a copy of these bytes. */
    public byte[] bytes(DeviceBuffer memory) throws DeviceException {
        try (PinnedBuffer download = device.allocatePinned(memory.bytes())) {
            stream.download(memory, download);
            stream.synchronise();
            byte[] bytes = new byte[Math.toIntExact(memory.bytes())];
            download.view().get(bytes);
            return bytes;
        }
    }

    /** Fails at the first of the bytes from {@code from} to before {@code to} that was written. */
    public static void requireCanary(String what, byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] != CANARY) {
                assertThat(bytes[at])
                        .as("%s, byte %d beside the output", what, at)
                        .isEqualTo(CANARY);
            }
        }
    }

    @Override
    public void close() throws DeviceException {
        stream.synchronise();
        while (!buffers.isEmpty()) {
            buffers.pop().run();
        }
    }

    private DeviceBuffer allocate(long bytes) throws DeviceException {
        DeviceBuffer memory = device.allocate(Math.max(1, bytes));
        buffers.push(memory::close);
        return memory;
    }

    private PinnedBuffer pinned(long bytes) throws DeviceException {
        PinnedBuffer memory = device.allocatePinned(Math.max(1, bytes));
        buffers.push(memory::close);
        return memory;
    }
}
