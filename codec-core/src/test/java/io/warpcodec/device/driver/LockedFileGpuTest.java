package io.warpcodec.device.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files on tmpfs that another process cuts while a real driver locks them, or while the device copies. */
@GpuTest
class LockedFileGpuTest {
    private static final int BYTES = 8 << 20;
    private static final int ROUNDS = 200;
    private static Device device;

    @BeforeAll
    static void open() throws DeviceException {
        device = DeviceDriver.open(0);
    }

    @AfterAll
    static void close() {
        device.close();
    }

    private static FileChannel file() throws IOException {
        Path path = Files.createTempFile(Path.of("/dev/shm"), "warpcodec-test-", "");
        return FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    }

    private static void fill(FileChannel file) throws IOException {
        file.write(ByteBuffer.allocate(BYTES), 0);
    }

    private static Thread cutting(FileChannel file, AtomicBoolean over) {
        Thread cuts = new Thread(() -> {
            try {
                for (int round = 0; !over.get(); round++) {
                    file.truncate((long) BYTES / 4 * (round % 4));
                    fill(file);
                }
            } catch (IOException closed) {
                over.set(true);
            }
        });
        cuts.start();
        return cuts;
    }

    /** What locking came to: done, or a failure of the driver. */
    private enum Came {
        LOCKED,
        FAILED
    }

    @Test
    void aFileThatIsCutMeanwhileIsLockedOrRefusedAndTheDeviceLivesOn() throws Exception {
        Map<Came, Integer> came = new EnumMap<>(Came.class);
        AtomicBoolean over = new AtomicBoolean();
        try (FileChannel file = file();
                DeviceStream stream = device.openStream();
                DeviceBuffer memory = device.allocate(BYTES)) {
            fill(file);
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
            Thread cuts = cutting(file, over);
            for (int round = 0; round < ROUNDS; round++) {
                Came how = Came.LOCKED;
                try (PinnedBuffer locked = device.lock(mapped)) {
                    stream.upload(locked, memory);
                    stream.download(memory, locked);
                    stream.synchronise();
                } catch (DeviceException refused) {
                    how = Came.FAILED;
                }
                came.merge(how, 1, Integer::sum);
            }
            over.set(true);
            cuts.join();
        }
        System.out.println("locking a file that is cut: " + came);
        theDeviceWorks();
    }

    @Test
    void aFileThatIsCutBehindItsLockingIsCopiedFromAndTo() throws Exception {
        try (FileChannel file = file();
                DeviceStream stream = device.openStream();
                DeviceBuffer memory = device.allocate(BYTES)) {
            fill(file);
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
            try (PinnedBuffer locked = device.lock(mapped)) {
                file.truncate(0);
                stream.fill(memory, (byte) 7);
                stream.download(memory, locked);
                stream.upload(locked, memory);
                stream.synchronise();
            }
        }
        theDeviceWorks();
    }

    private static void theDeviceWorks() throws DeviceException {
        try (DeviceStream stream = device.openStream();
                DeviceBuffer memory = device.allocate(1 << 20);
                PinnedBuffer back = device.allocatePinned(1 << 20)) {
            stream.fill(memory, (byte) 9);
            stream.download(memory, back);
            stream.synchronise();
            assertThat(back.view().get(12345)).isEqualTo((byte) 9);
        }
    }
}
