package io.warpcodec.engine.gpu.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdCompressCtx;
import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Mode;
import io.warpcodec.device.node.NodePool;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Call;
import io.warpcodec.device.pool.ScriptedDriver.Script;
import io.warpcodec.device.serve.NodeLimits;
import io.warpcodec.engine.Drained;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.BlockJob;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node's service and its clients, over scripted devices, through real sockets and real shared memory. */
class NodeServiceTest {
    private static final String LZ4 = "decode.lz4";
    private static final int RAW_BYTES = 300_000;

    private final ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());

    @AfterEach
    void close() {
        Engines.installAccelerator(null);
        node.driver().endHangs();
        node.close();
    }

    private static byte[] raw(long seed) {
        byte[] raw = new byte[RAW_BYTES];
        Random random = new Random(seed);
        for (int at = 0; at < raw.length; at++) {
            raw[at] = (byte) ('a' + random.nextInt(4));
        }
        return raw;
    }

    /** The order of one LZ4 block. */
    private static byte[] order(int blockBytes, int slotAt, int slotBytes) {
        BlockJob job = new BlockJob();
        job.add(0, blockBytes, slotAt, slotBytes);
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        return order.array();
    }

    @ParameterizedTest
    @EnumSource(GpuStreams.class)
    void everyContainerIsReadAndWrittenThroughIt(GpuStreams kind) throws Exception {
        Engines.installAccelerator(node.engine());
        byte[] raw = raw(1);
        long written = kind.deviceEncodedChunks();
        byte[] file = kind.writeOnDevice(raw, 65_536);
        assertThat(kind.deviceEncodedChunks()).isGreaterThan(written);
        long read = kind.deviceChunks();
        assertThat(kind.read(file)).isEqualTo(raw);
        assertThat(kind.deviceChunks()).isGreaterThan(read);
        Drained.await("bytes of the client", node.pool()::lentBytes);
    }

    /** A member whose middle is 200,000 empty stored blocks, which the service walks past between other work. */
    @Test
    void emptyStoredBlocksAreReadThroughIt() throws Exception {
        byte[] raw = raw(9);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 3});
        Deflater deflater = new Deflater(6, true);
        byte[] out = new byte[2 * RAW_BYTES];
        deflater.setInput(raw);
        file.write(out, 0, deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH));
        for (int block = 0; block < 200_000; block++) {
            file.write(new byte[] {0, 0, 0, (byte) 0xff, (byte) 0xff});
        }
        deflater.setInput(raw);
        deflater.finish();
        file.write(out, 0, deflater.deflate(out));
        deflater.end();
        CRC32 crc = new CRC32();
        crc.update(raw);
        crc.update(raw);
        file.write(ByteBuffer.allocate(2 * Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) crc.getValue())
                .putInt(2 * raw.length)
                .array());
        Engines.installAccelerator(node.engine());
        long before = node.node().service().totals().work().done();
        assertThat(GpuStreams.GZIP.read(file.toByteArray()))
                .isEqualTo(ByteBuffer.allocate(2 * raw.length).put(raw).put(raw).array());
        assertThat(node.node().service().totals().work().done()).isGreaterThan(before);
    }

    /** A frame of many segments, whose bytes behind the first one refer to those before. */
    @Test
    void aLongZstdFrameIsReadThroughIt() throws Exception {
        byte[] raw = GpuStreams.text(12_000_000, 11);
        byte[] file;
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            file = context.setLevel(3)
                    .setWindowLog(18)
                    .setChecksum(true)
                    .setContentSize(false)
                    .compress(raw);
        }
        Engines.installAccelerator(node.engine());
        long before = node.node().service().totals().work().done();
        long decoded = Metrics.counter("decode.zstd.gpu.bytesOut").sum();
        assertThat(Arrays.mismatch(GpuStreams.ZSTD.read(file), raw)).isEqualTo(-1);
        assertThat(node.node().service().totals().work().done() - before).isGreaterThan(2);
        assertThat(Metrics.counter("decode.zstd.gpu.bytesOut").sum() - decoded).isGreaterThan(raw.length * 9L / 10);
    }

    /** Frames of a strong level that are as long as the service's waves; one of noise is longer than that. */
    @Test
    void strongFramesAreWrittenThroughIt() throws Exception {
        int waveBytes = 1 << 20;
        PoolLimits limits = new PoolLimits(200 << 20, 24 << 20, waveBytes, 0, TimeUnit.SECONDS.toNanos(20));
        byte[] raw = GpuStreams.text(5 * waveBytes / 2, 12);
        byte[] noise = new byte[waveBytes];
        new Random(12).nextBytes(noise);
        System.arraycopy(noise, 0, raw, waveBytes, waveBytes);
        try (ScriptedNode large = ScriptedNode.open(1, limits)) {
            Engines.installAccelerator(large.engine());
            CodecOptions strong =
                    GpuStreams.ZSTD.options.withMode(Mode.GPU).withLevel(19).withChunkBytes(waveBytes);
            long before = large.node().service().totals().work().done();
            long written = GpuStreams.ZSTD.deviceEncodedChunks();
            byte[] file = GpuStreams.ZSTD.write(raw, strong);
            assertThat(GpuStreams.ZSTD.deviceEncodedChunks() - written).isEqualTo(3);
            assertThat(large.node().service().totals().work().done() - before).isEqualTo(3);
            Engines.installAccelerator(null);
            assertThat(Arrays.mismatch(GpuStreams.ZSTD.read(file), raw)).isEqualTo(-1);
        }
    }

    @Test
    void whatTheWavesBeforeHaveLeftIsNotSeen() throws Exception {
        byte[] raw = raw(2);
        byte[] block = LZ4Factory.fastestJavaInstance().fastCompressor().compress(raw);
        int most = 2 << 20;
        try (RawClient first = RawClient.welcome(node.node().folder());
                RawClient second = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = first.segment();
            segment.memory().put(0, block);
            // through every slot that a device has
            for (int id = 1; id <= 24; id++) {
                first.work(id, LZ4, segment.id(), 0, block.length, raw.length, order(block.length, 0, raw.length));
                assertThat(first.next(NodeProtocol.OVER).fields().get(Long.BYTES))
                        .isEqualTo(NodeProtocol.DONE);
            }
            byte[] output = new byte[raw.length];
            segment.memory().get(RawClient.outputAt(0, block.length), output);
            assertThat(output).isEqualTo(raw);
            RawClient.Lent other = second.segment();
            byte[] tiny = {0x10, 'x'};
            other.memory().put(0, tiny);
            for (int id = 1; id <= 24; id++) {
                // a single block, whose slot is the end of the output
                second.work(id, LZ4, other.id(), 0, 2, most, order(2, most - 1, 1));
                second.next(NodeProtocol.OVER);
                ByteBuffer seen = other.memory().duplicate();
                int at = RawClient.outputAt(0, 2);
                for (int index = 0; index < most - 1; index++) {
                    if (seen.get(at + index) != 0) {
                        throw new AssertionError("byte " + index + " is " + seen.get(at + index));
                    }
                }
                assertThat(seen.get(at + most - 1)).isEqualTo((byte) 'x');
            }
        }
    }

    @Test
    void aSegmentHasNoNameOnceThereIsWorkAndNoOneElseCanOpenItBefore() throws Exception {
        NodeLimits endless = new NodeLimits(Long.MAX_VALUE, Long.MAX_VALUE, 10);
        try (ScriptedNode patient = ScriptedNode.open(ScriptedNode.caps(24 << 20), endless);
                RawClient client = RawClient.welcome(patient.node().folder())) {
            RawClient.Lent segment = client.segment();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(segment.path())))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(segment.path().getParent())))
                    .isEqualTo("rwx--x--x");
            assertThat(segment.path().getFileName().toString()).matches("[0-9a-f]{32}");
            client.work(1, LZ4, segment.id(), 0, 2, 1, order(2, 0, 1));
            client.next(NodeProtocol.OVER);
            assertThat(segment.path()).doesNotExist();
        }
    }

    @Test
    void theSegmentOfAnotherIsRefused() throws Exception {
        try (RawClient first = RawClient.welcome(node.node().folder());
                RawClient second = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = first.segment();
            second.segment();
            second.work(1, LZ4, segment.id(), 0, 2, 1, order(2, 0, 1));
            assertThatThrownBy(() -> second.next(NodeProtocol.OVER))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is not its own");
            first.work(1, LZ4, segment.id(), 0, 2, 1, order(2, 0, 1));
            first.next(NodeProtocol.OVER);
        }
    }

    @Test
    void anotherVersionIsToldSo() throws Exception {
        try (RawClient client = new RawClient(node.node().folder())) {
            client.hello(NodeProtocol.VERSION + 1);
            assertThat(NodeProtocol.string(client.next(NodeProtocol.REFUSED).fields()))
                    .contains("speaks version " + NodeProtocol.VERSION);
            assertThat(client.isRefused()).isTrue();
        }
    }

    @Test
    void workOfAClientThatHasMuchWaitsForThatOfOneThatHasLittle() throws Exception {
        int bytes = 2 << 20;
        int many = 200;
        int inputBytes = 2;
        node.driver().script((call, n) -> call == Call.WORK ? Script.HANG : 0);
        try (RawClient greedy = RawClient.welcome(node.node().folder());
                RawClient modest = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = greedy.segment();
            RawClient.Lent other = modest.segment();
            for (int id = 1; id <= many; id++) {
                greedy.work(id, LZ4, segment.id(), 0, inputBytes, bytes, order(inputBytes, 0, 1));
            }
            awaitWorks(many);
            modest.work(1, LZ4, other.id(), 0, inputBytes, bytes, order(inputBytes, 0, 1));
            awaitWorks(many + 1);
            node.driver().script((call, n) -> 0);
            node.driver().endHangs();
            modest.next(NodeProtocol.OVER);
            long greedyLeft = works("raw", many);
            // fourteen waves are the pool's; the rest of the greedy one's comes behind
            assertThat(greedyLeft).isGreaterThan(many / 2);
            for (int id = 1; id <= many; id++) {
                greedy.next(NodeProtocol.OVER);
            }
        }
    }

    private long works(String name, long most) {
        return node.node().service().report().clients().stream()
                .filter(client -> client.name().equals(name))
                .mapToLong(client -> client.works())
                .filter(works -> works <= most)
                .sum();
    }

    private void awaitWorks(long count) throws InterruptedException {
        while (works("raw", count) < count) {
            Thread.sleep(1);
        }
    }

    @Test
    void aClientThatGoesGivesBackAllThatItHad() throws Exception {
        long usual = 4 * ScriptedNode.SEGMENT_BYTES;
        node.driver().script((call, n) -> call == Call.WORK ? Script.HANG : 0);
        // what is ready, and the client of this test
        awaitMemory(usual);
        Thread.sleep(100);
        long locked = node.driver().pinnedBytes();
        try (RawClient client = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = client.segment();
            RawClient.Lent second = client.segment();
            assertThat(second.id()).isNotEqualTo(segment.id());
            for (int id = 1; id <= 30; id++) {
                client.work(id, LZ4, segment.id(), 0, 2, 1 << 20, order(2, 0, 1));
            }
            awaitWorks(30);
        }
        while (node.node().service().report().clients().size() > 1) {
            Thread.sleep(1);
        }
        node.driver().script((call, n) -> 0);
        node.driver().endHangs();
        awaitMemory(usual);
        Drained.await("locked bytes", () -> Math.abs(node.driver().pinnedBytes() - locked));
        Drained.await("bytes under way", node.node().devices()::outstandingBytes);
    }

    private void awaitMemory(long bytes) throws InterruptedException {
        while (node.node().service().report().memoryBytes() != bytes) {
            Thread.sleep(1);
        }
    }

    @Test
    void whenTheServiceGoesTheCpuDoesTheWorkAndLaterTheNextService() throws Exception {
        byte[] raw = raw(3);
        byte[] file = GpuStreams.LZ4_FRAME.write(raw, 65_536);
        ScriptedNode second = null;
        NodePool client = node.pool();
        try {
            Engines.installAccelerator(node.engine());
            assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(raw);
            node.node().service().close();
            long before = Metrics.sum("fallback.", "node-lost");
            assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(raw);
            assertThat(Metrics.sum("fallback.", "node-lost")).isGreaterThan(before);
            assertThat(client.unavailableReason()).isEqualTo(FallbackReason.NODE_LOST);
            second = ScriptedNode.openIn(node.node().folder(), 1, ScriptedGpu.smallLimits());
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!client.isRunning() && System.nanoTime() < end) {
                Thread.sleep(10);
            }
            long chunks = Metrics.sum("", ".gpu.chunks");
            assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(raw);
            assertThat(Metrics.sum("", ".gpu.chunks")).isGreaterThan(chunks);
        } finally {
            if (second != null) {
                second.close();
            }
        }
    }

    @Test
    void aClientThatHasGoneKeepsNoMemory() throws Exception {
        RawClient.Lent segment;
        try (RawClient client = RawClient.welcome(node.node().folder())) {
            segment = client.segment();
            segment.memory().put(0, (byte) 1);
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        boolean gone = false;
        try {
            while (System.nanoTime() < end) {
                segment.memory().put(0, (byte) 1);
                Thread.sleep(1);
            }
        } catch (InternalError cutShort) {
            // a compiled access may say so only some instructions later
            gone = true;
        }
        assertThat(gone).isTrue();
    }

    @Test
    void memoryThatAClientMakesLargerIsCut() throws Exception {
        try (RawClient client = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = client.segment();
            segment.file().write(ByteBuffer.allocate(100), ScriptedNode.SEGMENT_BYTES);
            assertThat(NodeProtocol.string(client.next(NodeProtocol.REFUSED).fields()))
                    .contains("made its memory larger");
            assertThat(segment.file().size()).isEqualTo(ScriptedNode.SEGMENT_BYTES);
            // also of a client that is served no longer
            segment.file().write(ByteBuffer.allocate(100), ScriptedNode.SEGMENT_BYTES);
            while (segment.file().size() > ScriptedNode.SEGMENT_BYTES) {
                Thread.sleep(1);
            }
        }
    }

    @Test
    void aFloodOfConnectionsCostsTheOthersNothing() throws Exception {
        List<RawClient> flood = new ArrayList<>();
        try (RawClient before = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = before.segment();
            for (int count = 0; count < 300; count++) {
                RawClient client = new RawClient(node.node().folder());
                flood.add(client);
                if (count % 3 == 0) {
                    client.hello(NodeProtocol.VERSION);
                }
            }
            before.work(1, LZ4, segment.id(), 0, 2, 1, order(2, 0, 1));
            before.next(NodeProtocol.OVER);
        } finally {
            for (RawClient client : flood) {
                client.close();
            }
        }
        // they have gone, and another is welcome
        while (node.node().service().report().clients().size() > 1) {
            Thread.sleep(1);
        }
        RawClient.welcome(node.node().folder()).close();
    }

    @Test
    void noOtherUserCanHoldTheLock() throws Exception {
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(node.node().folder().resolve("lock"))))
                .isEqualTo("rw-------");
    }

    @Test
    void aLostDeviceEndsTheServiceAndNoRead() throws Exception {
        byte[] raw = raw(4);
        byte[] file = GpuStreams.LZ4_FRAME.write(raw, 65_536);
        Engines.installAccelerator(node.engine());
        // each look: a busy machine may look at a wave only when it is done
        node.driver().failAll(Call.IS_DONE, ScriptedDriver.ILLEGAL_ADDRESS);
        assertThat(GpuStreams.LZ4_FRAME.read(file)).isEqualTo(raw);
        assertThat(node.node().service().awaitEnd()).contains("device-lost");
    }

    @Test
    void aFolderThatOthersCanWriteIsRefusedAndWhatIsThereIsLeft() throws Exception {
        Path folder = ServedNode.newFolder();
        Path left = Files.createDirectory(folder.resolve("segments-left"));
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
            assertThatThrownBy(() -> ScriptedNode.openIn(folder, 1, ScriptedGpu.smallLimits()))
                    .hasMessageContaining("can be written by other users");
            assertThat(left).isDirectory();
        } finally {
            Files.delete(left);
            Files.delete(folder);
        }
    }

    @Test
    void whatAServiceLeftIsDeletedAndNoLinkIsFollowed(@TempDir Path elsewhere) throws Exception {
        Path folder = ServedNode.newFolder();
        Path kept = Files.createFile(elsewhere.resolve("kept"));
        Path link = Files.createSymbolicLink(folder.resolve("segments-link"), elsewhere);
        Path left = Files.createDirectory(folder.resolve("segments-left"));
        Files.createFile(left.resolve("segment"));
        Files.createFile(folder.resolve(NodeProtocol.SOCKET));
        Path other = Files.createFile(folder.resolve("notes"));
        try (ScriptedNode second = ScriptedNode.openIn(folder, 1, ScriptedGpu.smallLimits())) {
            assertThat(second.pool().isRunning()).isTrue();
            assertThat(left).doesNotExist();
            assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isFalse();
            assertThat(kept).exists();
            Files.delete(other);
        }
    }

    @Test
    void aFolderIsFreeWhenItsServiceHasEndedAndNotBefore() {
        Path folder = node.node().folder();
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> ScriptedNode.openIn(folder, 1, ScriptedGpu.smallLimits()))
                    .hasMessageContaining("has " + folder);
        }
        node.node().service().close();
        ScriptedNode.openIn(folder, 1, ScriptedGpu.smallLimits()).close();
    }

    @Test
    void aDrainedServiceEndsWhenItsWorkIsDone() throws Exception {
        node.driver().script((call, n) -> call == Call.WORK ? Script.HANG : 0);
        try (RawClient client = RawClient.welcome(node.node().folder())) {
            RawClient.Lent segment = client.segment();
            client.work(1, LZ4, segment.id(), 0, 2, 1, order(2, 0, 1));
            awaitWorks(1);
            node.node().service().drain();
            // it is refused before it has said anything
            try (RawClient late = new RawClient(node.node().folder())) {
                assertThat(late.isRefused()).isTrue();
            }
            node.driver().script((call, n) -> 0);
            node.driver().endHangs();
            client.next(NodeProtocol.OVER);
        }
        assertThat(node.node().service().awaitEnd()).isEqualTo("drained");
    }
}
