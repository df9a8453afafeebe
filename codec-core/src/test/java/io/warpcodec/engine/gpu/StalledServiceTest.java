package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.device.node.ImpatientPool;
import io.warpcodec.device.node.NodeAddress;
import io.warpcodec.device.node.NodePool;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.cost.CostModel;
import io.warpcodec.metrics.FallbackReason;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Services that stand still: a client's streams have the right bytes, by its CPU, and count why. */
class StalledServiceTest {
    /** Ten of these make a service gone. */
    private static final long TURN_MILLIS = 80;

    private static final byte[] RAW = raw();

    private static byte[] raw() {
        byte[] raw = new byte[300_000];
        Random random = new Random(1);
        for (int at = 0; at < raw.length; at++) {
            raw[at] = (byte) ('a' + random.nextInt(4));
        }
        return raw;
    }

    @AfterEach
    void forget() {
        Engines.installAccelerator(null);
    }

    private static NodePool use(Path folder) {
        NodePool client = ImpatientPool.of(new NodeAddress(folder, Set.of()), TURN_MILLIS);
        Engines.installAccelerator(new GpuEngine(new CpuEngine(), client, CostModel.deviceAlways()));
        return client;
    }

    private static void await(BooleanSupplier state) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!state.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waits too long").isLessThan(end);
            Thread.sleep(1);
        }
    }

    private static long lost() {
        return GpuStreams.LZ4_FRAME.fallbacks(FallbackReason.NODE_LOST.word());
    }

    private static byte[] file() throws IOException {
        return GpuStreams.LZ4_FRAME.write(RAW, 65_536);
    }

    /** Whether the bytes are right, by whatever they are read. */
    private static boolean isRead(byte[] file) {
        try {
            return Arrays.equals(GpuStreams.LZ4_FRAME.read(file), RAW);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void oneThatAcceptsAndNeverAnswersHelloIsGivenUp() throws Exception {
        byte[] file = file();
        try (ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());
                StallingSocket socket = new StallingSocket(node.node().folder(), 0);
                NodePool client = use(socket.folder())) {
            assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(RAW);
            client.start();
            await(() -> client.unavailableReason() == FallbackReason.NODE_LOST);
            assertThat(client.whyGone()).startsWith("the service has been silent for");
            long before = lost();
            assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(RAW);
            assertThat(lost()).isGreaterThan(before);
        }
    }

    @Test
    void oneThatStallsInTheMiddleOfAnAnswerIsGivenUp() throws Exception {
        byte[] file = file();
        try (ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());
                StallingSocket socket = new StallingSocket(node.node().folder(), Long.MAX_VALUE);
                NodePool client = use(socket.folder())) {
            client.awaitFirst(TimeUnit.SECONDS.toNanos(30));
            long chunks = GpuStreams.LZ4_FRAME.deviceChunks();
            assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(RAW);
            assertThat(GpuStreams.LZ4_FRAME.deviceChunks()).isGreaterThan(chunks);
            long before = lost();
            // of an answer's length, kind and number
            socket.letThrough(7);
            assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(RAW);
            assertThat(socket.isStalled()).isTrue();
            assertThat(lost()).isGreaterThan(before);
            assertThat(client.whyGone()).startsWith("the service has been silent for");
            // it goes on, and so does the client
            socket.letThrough(Long.MAX_VALUE);
            long later = GpuStreams.LZ4_FRAME.deviceChunks();
            await(() -> isRead(file) && GpuStreams.LZ4_FRAME.deviceChunks() > later);
        }
    }

    private static void signal(Process process, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void oneWhoseProcessIsStoppedIsGivenUpAndUsedAgainWhenItGoesOn() throws Exception {
        byte[] file = file();
        Path folder = ServedNode.newFolder();
        Process service = ChildJava.start(ScriptedServeMain.class, folder.toString(), "1", Integer.toString(24 << 20));
        try (BufferedReader said =
                        new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.US_ASCII));
                NodePool client = use(folder)) {
            assertThat(said.readLine()).isEqualTo("serving");
            client.awaitFirst(TimeUnit.SECONDS.toNanos(30));
            assertThat(client.isRunning()).isTrue();
            signal(service, "STOP");
            long before = lost();
            // the work is sent to it
            assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(RAW);
            assertThat(lost()).isGreaterThan(before);
            assertThat(client.whyGone()).startsWith("the service has been silent for");
            signal(service, "CONT");
            long chunks = GpuStreams.LZ4_FRAME.deviceChunks();
            await(() -> isRead(file) && GpuStreams.LZ4_FRAME.deviceChunks() > chunks);
        } finally {
            service.destroyForcibly().waitFor();
            try (Stream<Path> left = Files.walk(folder)) {
                left.sorted(Comparator.reverseOrder())
                        .forEach(path -> path.toFile().delete());
            }
        }
    }
}
