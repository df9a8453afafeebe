package io.warpcodec.engine.gpu.node.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.node.ImpatientPool;
import io.warpcodec.device.node.NodeAddress;
import io.warpcodec.device.node.NodePool;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuEngines;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.BlockJob;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.node.ChildJava;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.node.ScriptedServeMain;
import io.warpcodec.engine.gpu.node.ServedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Services that stand still: a client's streams have the right bytes, by its CPU, after waits of their own bound.
 * Pauses of devices, and of connections, end by a clock that the test moves.
 */
@Timeout(300)
class StalledServiceTest {
    private static final GpuStreams KIND = GpuStreams.BZIP2;
    private static final byte[] RAW = GpuStreams.text(300_000, 1);

    /** Time of clients: it passes when the test says so. */
    private final AtomicLong nowNanos = new AtomicLong(TimeUnit.SECONDS.toNanos(1));

    @AfterEach
    void forget() {
        Engines.installAccelerator(null);
    }

    private void jump(long seconds) {
        nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    private NodePool use(Path folder) {
        NodePool client = ImpatientPool.of(new NodeAddress(folder, Set.of()), nowNanos::get);
        Engines.installAccelerator(GpuEngines.over(new CpuEngine(), client, DeviceChoices.learning()));
        return client;
    }

    private static void await(BooleanSupplier state) throws InterruptedException {
        while (!state.getAsBoolean()) {
            Thread.sleep(1);
        }
    }

    private static byte[] file() throws IOException {
        return KIND.write(RAW, 65_536);
    }

    /** Whether the bytes are right, by whatever they are read. */
    private static boolean isRead(byte[] file) {
        try {
            return Arrays.equals(KIND.read(file), RAW);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Reads until devices rest, while time passes; whether the bytes were always right. */
    private boolean isReadUntilDevicesRest(byte[] file) throws InterruptedException {
        long slow = KIND.fallbacks(FallbackReason.DEVICE_SLOW.word());
        long rests = KIND.fallbacks(FallbackReason.POOL_RESTS.word());
        Thread time = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        });
        time.start();
        boolean right = true;
        while (right && KIND.fallbacks(FallbackReason.POOL_RESTS.word()) == rests) {
            right = isRead(file);
        }
        time.interrupt();
        time.join();
        return right && KIND.fallbacks(FallbackReason.DEVICE_SLOW.word()) > slow;
    }

    /**
     * Reads until devices decode. Each time it is a rest later, and what is tried beside the CPU has had twice as
     * long, in real time, to be done before that.
     */
    private void awaitDevices(byte[] file) throws InterruptedException {
        long chunks = KIND.deviceChunks();
        for (long pauseMillis = 10; KIND.deviceChunks() == chunks; pauseMillis *= 2) {
            jump(60);
            assertThat(isRead(file)).isTrue();
            Thread.sleep(pauseMillis);
        }
    }

    @Test
    void oneThatAcceptsAndNeverAnswersHelloIsGivenUp() throws Exception {
        byte[] file = file();
        try (ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());
                StallingSocket socket = new StallingSocket(node.node().folder(), 0);
                NodePool client = use(socket.folder())) {
            assertThat(isRead(file)).isTrue();
            assertThat(client.unavailableReason()).isNull();
            // the connection may be made after a jump: it is silent from then on
            await(() -> {
                jump(11);
                return client.unavailableReason() == FallbackReason.NODE_LOST;
            });
            assertThat(client.whyGone()).isEqualTo("it accepts connections and says nothing");
            long before = KIND.fallbacks(FallbackReason.NODE_LOST.word());
            assertThat(isRead(file)).isTrue();
            assertThat(KIND.fallbacks(FallbackReason.NODE_LOST.word())).isGreaterThan(before);
        }
    }

    /** A closed stream waits for nothing. Its memory would stay lent while the service stands still. */
    @Test
    void oneThatNeverAnswersKeepsTheMemoryOfNoTaskThatHasLeft() throws Exception {
        try (ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());
                StallingSocket socket = new StallingSocket(node.node().folder(), Long.MAX_VALUE);
                NodePool client = use(socket.folder())) {
            client.awaitFirst(TimeUnit.SECONDS.toNanos(30));
            socket.letThrough(0);
            DeviceLease lease = client.tryLease("decode.lz4", 2, 1, 1);
            assertThat(lease.fill(memory -> memory.put(new byte[] {0x10, 'x'}))).isTrue();
            BlockJob job = new BlockJob();
            job.add(0, 2, 0, 1);
            lease.submit(job);
            lease.close();
            jump(59);
            assertThat(client.lentBytes()).isPositive();
            jump(2);
            await(() -> client.lentBytes() == 0);
            await(() -> "it has not answered for a minute".equals(client.whyGone()));
        }
    }

    @Test
    void oneThatStallsInTheMiddleOfAnAnswerIsLeftAloneAndUsedAgainWhenItGoesOn() throws Exception {
        byte[] file = file();
        try (ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());
                StallingSocket socket = new StallingSocket(node.node().folder(), Long.MAX_VALUE);
                NodePool client = use(socket.folder())) {
            client.awaitFirst(TimeUnit.SECONDS.toNanos(30));
            awaitDevices(file);
            // of an answer's length, kind and number
            socket.letThrough(7);
            assertThat(isReadUntilDevicesRest(file)).isTrue();
            assertThat(socket.isStalled()).isTrue();
            socket.letThrough(Long.MAX_VALUE);
            awaitDevices(file);
        }
    }

    private static void signal(Process process, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void oneWhoseProcessIsStoppedIsLeftAloneAndUsedAgainWhenItGoesOn() throws Exception {
        byte[] file = file();
        Path folder = ServedNode.newFolder();
        Process service = ChildJava.start(ScriptedServeMain.class, folder.toString(), "1", Integer.toString(24 << 20));
        try (BufferedReader said =
                        new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.US_ASCII));
                NodePool client = use(folder)) {
            assertThat(said.readLine()).isEqualTo("serving");
            client.awaitFirst(TimeUnit.SECONDS.toNanos(30));
            awaitDevices(file);
            signal(service, "STOP");
            assertThat(isReadUntilDevicesRest(file)).isTrue();
            signal(service, "CONT");
            awaitDevices(file);
        } finally {
            service.destroyForcibly().waitFor();
            try (Stream<Path> left = Files.walk(folder)) {
                left.sorted(Comparator.reverseOrder())
                        .forEach(path -> path.toFile().delete());
            }
        }
    }
}
