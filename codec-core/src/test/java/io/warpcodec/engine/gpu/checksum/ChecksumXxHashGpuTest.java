package io.warpcodec.engine.gpu.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** XXH32 and XXH64 on the device against lz4-java's. */
@GpuTest
class ChecksumXxHashGpuTest {
    private static final byte CANARY = (byte) 0xA5;
    private static final int CANARY_BYTES = 4096;
    private static final XXHash32 SHORT = XXHashFactory.safeInstance().hash32();
    private static final XXHash64 LONG = XXHashFactory.safeInstance().hash64();

    private static final int[] ONE_SEED = {0};

    private static Device device;
    private static DeviceStream stream;
    private static ChecksumGpuDigester digester;

    @BeforeAll
    static void open() throws Exception {
        device = DeviceDriver.open(0);
        stream = device.openStream();
        digester = ChecksumGpuDigester.open(device);
    }

    @AfterAll
    static void close() {
        digester.close();
        stream.close();
        device.close();
    }

    @Test
    void everySmallLengthAtEveryKindOfOffset() throws DeviceException {
        List<int[]> contents = new ArrayList<>();
        for (int offset = 0; offset < 20; offset++) {
            for (int length = 0; length <= 1100; length++) {
                contents.add(new int[] {offset, length});
            }
        }
        assertMatches(noise(1, 1120), contents, "");
    }

    @Test
    void contentsOfVeryDifferentLengthsInOneWarp() throws DeviceException {
        Random random = new Random(3);
        List<int[]> contents = new ArrayList<>();
        byte[] input = noise(4, 3_000_000);
        for (int index = 0; index < 500; index++) {
            int length = random.nextInt(1 << random.nextInt(1, 22));
            contents.add(new int[] {random.nextInt(input.length - length + 1), length});
        }
        contents.add(new int[] {0, input.length});
        contents.add(new int[] {1, input.length - 1});
        contents.add(new int[] {input.length, 0});
        assertMatches(input, contents, "");
    }

    @Test
    void anEmptyBatchAsksForNothing() throws DeviceException {
        assertMatches(new byte[4], List.of(), "");
    }

    @Test
    void aWrongTableIsRefusedBeforeAnythingIsLaunched() throws DeviceException {
        try (DeviceBuffer memory = device.allocate(1024);
                DeviceBuffer workspace = device.allocate(1024);
                PinnedBuffer staging = device.allocatePinned(1024)) {
            ChunkRanges fine = new ChunkRanges(new long[] {0}, new long[] {10});
            ChunkRanges beyond = new ChunkRanges(new long[] {1}, new long[] {1000});
            DeviceBuffer input = memory.slice(0, 1000);
            assertThatThrownBy(() -> digester.enqueueXxHash32(input, beyond, ONE_SEED, workspace, staging, stream))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("chunk 0");
            assertThatThrownBy(() ->
                            digester.enqueueXxHash32(memory.slice(2, 100), fine, ONE_SEED, workspace, staging, stream))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("aligned");
            assertThatThrownBy(() ->
                            digester.enqueueXxHash32(memory.slice(0, 101), fine, ONE_SEED, workspace, staging, stream))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("101");
            assertThatThrownBy(() ->
                            digester.enqueueXxHash32(input, fine, ONE_SEED, workspace.slice(0, 16), staging, stream))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            stream.synchronise();
        }
    }

    /**
     * Runs the batch on a poisoned workspace with a canary behind it; the input ends where its last aligned word does.
     */
    private static void assertMatches(byte[] input, List<int[]> contents, String what) throws DeviceException {
        assertMatches(
                input,
                contents,
                what,
                digester::enqueueXxHash32,
                (content, seed) -> SHORT.hash(input, content[0], content[1], seed));
        assertMatches(input, contents, what, digester::enqueueXxHash64, (content, seed) ->
                (int) LONG.hash(input, content[0], content[1], Integer.toUnsignedLong(seed)));
    }

    private interface Enqueue {
        void enqueue(
                DeviceBuffer input,
                ChunkRanges contents,
                int[] seeds,
                DeviceBuffer workspace,
                PinnedBuffer staging,
                DeviceStream stream)
                throws DeviceException;
    }

    private interface Oracle {
        int hash(int[] content, int seed);
    }

    private static void assertMatches(byte[] input, List<int[]> contents, String what, Enqueue hash, Oracle oracle)
            throws DeviceException {
        int count = contents.size();
        int[] seeds = new Random(count).ints(count).toArray();
        ChunkRanges ranges = new ChunkRanges(
                contents.stream().mapToLong(content -> content[0]).toArray(),
                contents.stream().mapToLong(content -> content[1]).toArray());
        int inputBytes = (input.length + 3) / 4 * 4;
        int workspaceBytes = Math.toIntExact(ChecksumGpuDigester.xxHashWorkspaceBytes(count));
        try (DeviceBuffer memory = device.allocate(inputBytes);
                PinnedBuffer pinned = device.allocatePinned(inputBytes);
                DeviceBuffer workspace = device.allocate(workspaceBytes + CANARY_BYTES);
                PinnedBuffer staging = device.allocatePinned(Math.max(1, workspaceBytes));
                PinnedBuffer all = device.allocatePinned(workspaceBytes + CANARY_BYTES)) {
            pinned.view().put(input);
            stream.upload(pinned, memory);
            stream.fill(workspace, CANARY);
            hash.enqueue(memory, ranges, seeds, workspace.slice(0, workspaceBytes), staging, stream);
            stream.download(workspace, all);
            stream.synchronise();
            int[] actual = digester.xxHashValues(count, staging);
            for (int index = 0; index < count; index++) {
                int[] content = contents.get(index);
                assertThat(actual[index])
                        .as("%s content %d, %d bytes at %d", what, index, content[1], content[0])
                        .isEqualTo(oracle.hash(content, seeds[index]));
            }
            byte[] behind = new byte[CANARY_BYTES];
            all.view().position(workspaceBytes).get(behind);
            assertThat(behind).containsOnly(CANARY);
        }
    }

    private static byte[] noise(long seed, int bytes) {
        byte[] input = new byte[bytes];
        new Random(seed).nextBytes(input);
        return input;
    }
}
