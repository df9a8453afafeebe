package io.warpcodec.device.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets which segment when the thread that makes them is behind. */
class SegmentStockTest {
    private static final int SEGMENT_BYTES = 1 << 16;
    /** Two segments in all; the stock keeps a single segment ready. */
    private static final NodeCaps CAPS = new NodeCaps(64, 64, 2 * SEGMENT_BYTES, 2 * SEGMENT_BYTES, 0, SEGMENT_BYTES);

    /** A client that is there, or has gone. */
    private static final class Client implements SegmentStock.Taker {
        private final boolean there;
        private final CompletableFuture<Segment> taken = new CompletableFuture<>();

        Client(boolean there) {
            this.there = there;
        }

        @Override
        public boolean isThere() {
            return there;
        }

        @Override
        public void take(Segment segment) {
            taken.complete(segment);
        }
    }

    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory(Path.of("/dev/shm"), "warpcodec-test-");
    }

    private static Client asks(SegmentStock stock, boolean there) {
        Client client = new Client(there);
        stock.take(client);
        return client;
    }

    private static Segment taken(Client client) throws Exception {
        return client.taken.get(300, TimeUnit.SECONDS);
    }

    /** The device that locked a segment may be lost before the segment comes back: another one unlocks it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8})
    void memoryComesBackWhileADeviceRunsAndElseStaysCounted(int deviceCount) throws Exception {
        ScriptedDriver driver = new ScriptedDriver(deviceCount, 512L << 20, Map.of(), List.of());
        OwnPool pool = QueuedWork.pool(driver);
        SegmentStock stock = new SegmentStock(pool, folder, CAPS, why -> {});
        try {
            for (int lost = 0; lost < deviceCount; lost++) {
                Segment segment = taken(asks(stock, true));
                assertThat(segment).as("segment %d", lost).isNotNull();
                QueuedWork.await(() -> stock.bytes() == 2 * SEGMENT_BYTES);
                driver.script(lost, (call, n) -> call == Call.UPLOAD ? ScriptedDriver.ECC_UNCORRECTABLE : 0);
                int left = deviceCount - lost - 1;
                QueuedWork.submit(pool);
                QueuedWork.await(() -> pool.runningCount() == left);
                long lockedBytes = driver.pinnedBytes();
                assertThat(segment.letGo()).isTrue();
                long unlocks = driver.count(Call.UNLOCK);
                stock.giveBack(segment);
                if (left > 0) {
                    QueuedWork.await(() -> driver.count(Call.UNLOCK) == unlocks + 1);
                    QueuedWork.await(() -> stock.bytes() == SEGMENT_BYTES);
                    assertThat(driver.pinnedBytes()).isEqualTo(lockedBytes - SEGMENT_BYTES);
                } else {
                    assertThat(taken(asks(stock, true)))
                            .as("the one that was ready")
                            .isNotNull();
                    assertThat(taken(asks(stock, true))).as("more than all").isNull();
                    assertThat(driver.count(Call.UNLOCK)).isEqualTo(unlocks);
                    assertThat(driver.pinnedBytes()).isEqualTo(lockedBytes);
                    assertThat(stock.bytes()).isEqualTo(2 * SEGMENT_BYTES);
                }
            }
        } finally {
            end(driver, stock, pool);
        }
    }

    /** A device that is lost in that very call. */
    @Test
    void memoryIsLockedByTheNextDeviceWhereTheFirstIsLost() throws Exception {
        ScriptedDriver driver = new ScriptedDriver(4, 512L << 20, Map.of(), List.of());
        OwnPool pool = QueuedWork.pool(driver);
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            driver.script(ordinal, (call, n) -> call == Call.LOCK ? ScriptedDriver.ECC_UNCORRECTABLE : 0);
        }
        SegmentStock stock = new SegmentStock(pool, folder, CAPS, why -> {});
        try {
            assertThat(taken(asks(stock, true))).isNotNull();
            assertThat(driver.count(2, Call.LOCK)).isPositive();
        } finally {
            end(driver, stock, pool);
        }
    }

    @Test
    void whatComesBackGoesFirstAndClientsThatHaveGoneGetNothing() throws Exception {
        ScriptedDriver driver = new ScriptedDriver(1, 512L << 20, Map.of(), List.of());
        OwnPool pool = QueuedWork.pool(driver);
        driver.script((call, n) -> call == Call.LOCK && n == 2 ? Script.HANG : 0);
        SegmentStock stock = new SegmentStock(pool, folder, CAPS, why -> {});
        try {
            Segment first = taken(asks(stock, true));
            assertThat(first).isNotNull();
            // the next one is made ahead, and takes long
            QueuedWork.await(() -> driver.count(Call.LOCK) == 2);
            Client gone = asks(stock, false);
            Client second = asks(stock, true);
            Client third = asks(stock, true);
            assertThat(first.letGo()).isTrue();
            stock.giveBack(first);
            driver.endHangs();
            assertThat(taken(gone)).isNull();
            assertThat(taken(second)).isNotNull();
            assertThat(taken(third)).isNotNull();
            assertThat(taken(asks(stock, true))).as("more than all").isNull();
        } finally {
            end(driver, stock, pool);
        }
    }

    private void end(ScriptedDriver driver, SegmentStock stock, OwnPool pool) throws IOException {
        driver.endHangs();
        stock.close();
        pool.close();
        driver.discard();
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
            for (Path each : left) {
                Files.delete(each);
            }
        }
        Files.delete(folder);
    }
}
