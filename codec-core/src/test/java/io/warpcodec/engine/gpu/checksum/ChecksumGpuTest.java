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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** CRC-32 on the device against {@link CRC32}. */
@GpuTest
class ChecksumGpuTest {
    /** Size of the largest input; lower it where a memory checker slows the device down. */
    private static final int LARGE_BYTES = Integer.getInteger("warpcodec.gpu.largeBytes", 100_000_000);

    private static final byte CANARY = (byte) 0xA5;
    private static final int CANARY_BYTES = 4096;

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
        byte[] input = noise(1, 4096);
        Ranges ranges = new Ranges();
        for (int offset : new int[] {0, 1, 2, 3, 4, 5, 15, 16, 17, 507, 508, 509, 511, 512, 513, 515, 516, 517, 1023}) {
            for (int length = 0; length <= 1100; length++) {
                ranges.add(offset, length);
            }
        }
        assertMatches(input, ranges, "");
    }

    @Test
    void lengthsAroundRowsWarpsAndCtas() throws DeviceException {
        int ctaRows = ChecksumLaunchPlan.MIN_ROWS_PER_WARP * ChecksumKernels.CTA_WARPS;
        byte[] input = noise(2, (2 * ctaRows + 2) * ChecksumKernels.ROW_BYTES);
        for (int rows : new int[] {1, 2, 3, 4, 5, 8, 15, 16, 17, 32, ctaRows - 1, ctaRows, ctaRows + 1, 2 * ctaRows}) {
            for (int length = rows * ChecksumKernels.ROW_BYTES - 5;
                    length <= rows * ChecksumKernels.ROW_BYTES + 5;
                    length++) {
                Ranges ranges = new Ranges();
                ranges.add(length % 7, length);
                assertMatches(input, ranges, "length " + length);
            }
        }
    }

    @Test
    void randomBatches() throws DeviceException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int turn = 0; turn < 30; turn++) {
            byte[] input = noise(random.nextLong(), 1 + random.nextInt(1 << random.nextInt(1, 22)));
            int count = 1 + random.nextInt(1 << random.nextInt(1, 11));
            int longest = 1 << random.nextInt(1, 16);
            Ranges ranges = new Ranges();
            for (int chunk = 0; chunk < count; chunk++) {
                int offset = random.nextInt(input.length + 1);
                ranges.add(offset, Math.min(random.nextInt(longest), input.length - offset));
            }
            assertMatches(input, ranges, "seed " + seed + ", turn " + turn);
        }
    }

    @Test
    void zerosAndOnesAreToldApartByLength() throws DeviceException {
        for (int value : new int[] {0, 0xFF}) {
            byte[] input = new byte[70_000];
            Arrays.fill(input, (byte) value);
            Ranges ranges = new Ranges();
            for (int length = 0; length <= input.length; length += 333) {
                ranges.add(input.length - length, length);
            }
            assertMatches(input, ranges, "value " + value);
        }
    }

    @Test
    void oneLargeChunkIsSharedByTheWholeDevice() throws DeviceException {
        byte[] input = noise(4, LARGE_BYTES);
        Ranges ranges = new Ranges();
        ranges.add(0, LARGE_BYTES);
        assertMatches(input, ranges, "one");
        ranges.add(1, LARGE_BYTES - 1);
        ranges.add(LARGE_BYTES, 0);
        ranges.add(LARGE_BYTES - 1, 1);
        ranges.add(513, LARGE_BYTES / 2);
        assertMatches(input, ranges, "with small ones");
    }

    @Test
    void everyGridGivesTheSameSums() throws Exception {
        byte[] input = noise(5, 300_001);
        Ranges ranges = new Ranges();
        ranges.add(3, 299_998);
        ranges.add(0, 0);
        ranges.add(100_000, 65_536);
        int[] expected = expected(input, ranges);
        try (ChecksumKernels kernels = ChecksumKernels.load(device);
                DeviceBuffer memory = upload(input);
                DeviceBuffer workspace = device.allocate(ChecksumGpuDigester.workspaceBytes(3));
                PinnedBuffer staging = device.allocatePinned(ChecksumGpuDigester.workspaceBytes(3))) {
            int tableBytes = Math.toIntExact(ChecksumLaunchPlan.tableBytes(3));
            for (int warps : new int[] {1, 2, 3, 7, 16, 17, 100, 1000, 100_000}) {
                ChecksumLaunchPlan plan = ChecksumLaunchPlan.of(ranges.toChunkRanges(), warps);
                ByteBuffer view = staging.view();
                plan.writeTable(view);
                view.putInt(-1).putInt(-1).putInt(-1);
                stream.upload(staging, workspace);
                kernels.crc32Chunks(
                        plan,
                        memory.slice(0, input.length),
                        workspace.slice(0, tableBytes),
                        workspace.slice(tableBytes, 12),
                        stream);
                stream.download(workspace, staging);
                stream.synchronise();
                assertThat(digester.crc32Values(3, staging))
                        .as("%d warps", warps)
                        .containsExactly(expected);
            }
        }
    }

    @Test
    void anEmptyBatchAsksForNothing() throws DeviceException {
        assertMatches(new byte[1], new Ranges(), "");
    }

    @Test
    void aWrongTableIsRefusedBeforeAnythingIsLaunched() throws DeviceException {
        try (DeviceBuffer memory = upload(new byte[1000]);
                DeviceBuffer workspace = device.allocate(1024);
                PinnedBuffer staging = device.allocatePinned(1024)) {
            DeviceBuffer input = memory.slice(0, 1000);
            ChunkRanges beyond = new ChunkRanges(new long[] {1}, new long[] {1000});
            assertThatThrownBy(() -> digester.enqueueCrc32(input, beyond, workspace, staging, stream))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("chunk 0");
            ChunkRanges fine = new ChunkRanges(new long[] {0}, new long[] {10});
            assertThatThrownBy(() -> digester.enqueueCrc32(input.slice(8, 100), fine, workspace, staging, stream))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("aligned");
            assertThatThrownBy(() -> digester.enqueueCrc32(input, fine, workspace.slice(0, 50), staging, stream))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> digester.enqueueCrc32(input, fine, workspace, staging.slice(0, 50), stream))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            stream.synchronise();
        }
    }

    /** Runs the batch twice on the same poisoned workspace, with canaries behind input and workspace. */
    private static void assertMatches(byte[] input, Ranges ranges, String what) throws DeviceException {
        ChunkRanges chunks = ranges.toChunkRanges();
        int workspaceBytes = Math.toIntExact(ChecksumGpuDigester.workspaceBytes(chunks.count()));
        try (DeviceBuffer memory = upload(input);
                DeviceBuffer workspace = device.allocate(workspaceBytes + CANARY_BYTES);
                PinnedBuffer staging = device.allocatePinned(workspaceBytes);
                PinnedBuffer all = device.allocatePinned(workspaceBytes + CANARY_BYTES)) {
            stream.fill(workspace, CANARY);
            for (int run = 0; run < 2; run++) {
                digester.enqueueCrc32(
                        memory.slice(0, input.length), chunks, workspace.slice(0, workspaceBytes), staging, stream);
                stream.synchronise();
                int[] actual = digester.crc32Values(chunks.count(), staging);
                int[] expected = expected(input, ranges);
                for (int chunk = 0; chunk < expected.length; chunk++) {
                    if (actual[chunk] != expected[chunk]) {
                        assertThat(actual[chunk])
                                .as(
                                        "%s, run %d, chunk %d at %d, %d bytes",
                                        what, run, chunk, chunks.offsetBytes(chunk), chunks.lengthBytes(chunk))
                                .isEqualTo(expected[chunk]);
                    }
                }
            }
            stream.download(workspace, all);
            stream.synchronise();
            byte[] behind = new byte[CANARY_BYTES];
            all.view().position(workspaceBytes).get(behind);
            assertThat(behind).containsOnly(CANARY);
        }
    }

    /** The input in device memory, at least one byte long; the caller slices it to the right size. */
    private static DeviceBuffer upload(byte[] input) throws DeviceException {
        DeviceBuffer memory = device.allocate(Math.max(1, input.length));
        try (PinnedBuffer pinned = device.allocatePinned(Math.max(1, input.length))) {
            pinned.view().put(input);
            stream.upload(pinned, memory);
            stream.synchronise();
        }
        return memory;
    }

    private static int[] expected(byte[] input, Ranges ranges) {
        CRC32 crc = new CRC32();
        return ranges.list.stream()
                .mapToInt(range -> {
                    crc.reset();
                    crc.update(input, range[0], range[1]);
                    return (int) crc.getValue();
                })
                .toArray();
    }

    private static byte[] noise(long seed, int bytes) {
        byte[] input = new byte[bytes];
        new Random(seed).nextBytes(input);
        return input;
    }

    /** Offsets and lengths while a batch is put together. */
    private static final class Ranges {
        final List<int[]> list = new ArrayList<>();

        void add(int offset, int length) {
            list.add(new int[] {offset, length});
        }

        ChunkRanges toChunkRanges() {
            return new ChunkRanges(
                    list.stream().mapToLong(range -> range[0]).toArray(),
                    list.stream().mapToLong(range -> range[1]).toArray());
        }
    }
}
