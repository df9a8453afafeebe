package io.warpcodec.engine.gpu.checksum;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.format.checksum.Crc32Combine;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.zip.CRC32;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Times CRC-32 of 1 GiB on device 0, in chunks of several sizes, and prints a table: the kernel alone (input in
 * device memory), the copy to the device alone, and all of it from pinned memory to finished checksums. Then XXH32,
 * the kernel alone, of 1 GiB and of the 32 MiB of a wave. A program, not a test; the results are verified.
 */
final class ChecksumGpuBenchmark {
    private static final int PATTERN_BYTES = 64 << 20;
    private static final int PATTERN_COPIES = 16;
    private static final long INPUT_BYTES = (long) PATTERN_BYTES * PATTERN_COPIES;
    private static final int SAMPLES = 9;
    private static final int LAUNCHES = 20;

    private interface Work {
        void run() throws DeviceException;
    }

    public static void main(String[] arguments) throws Exception {
        byte[] pattern = new byte[PATTERN_BYTES];
        new Random(1).nextBytes(pattern);
        try (Device device = DeviceDriver.open(0);
                DeviceStream stream = device.openStream();
                ChecksumKernels kernels = ChecksumKernels.load(device);
                ChecksumGpuDigester digester = ChecksumGpuDigester.open(device);
                PinnedBuffer source = device.allocatePinned(PATTERN_BYTES);
                DeviceBuffer input = device.allocate(INPUT_BYTES)) {
            source.view().put(pattern);
            System.out.println(
                    device.info() + ", driver " + DeviceDriver.status().driverVersionText());
            System.out.printf("%d resident warps%n", kernels.residentWarpCount());
            System.out.println(
                    "chunk_bytes,chunks,kernel_ms,kernel_ms_min,kernel_ms_max,kernel_GBps,copy_ms,all_ms,all_GBps,cpu_1_thread_GBps");
            for (long chunkBytes :
                    new long[] {INPUT_BYTES, 16 << 20, 1 << 20, 256 << 10, 64 << 10, 16 << 10, 4 << 10}) {
                measure(chunkBytes, pattern, device, stream, kernels, digester, source, input);
            }
            System.out.println(
                    "xxh32_content_bytes,contents,kernel_ms,kernel_ms_min,kernel_ms_max,kernel_GBps,cpu_1_thread_GBps");
            for (long totalBytes : new long[] {INPUT_BYTES, 32 << 20}) {
                for (int contentBytes : new int[] {4 << 20, 1 << 20, 256 << 10, 64 << 10, 16 << 10}) {
                    measureXxHash32(totalBytes, contentBytes, pattern, device, stream, kernels, digester, input);
                }
            }
        }
    }

    private static void measureXxHash32(
            long totalBytes,
            int contentBytes,
            byte[] pattern,
            Device device,
            DeviceStream stream,
            ChecksumKernels kernels,
            ChecksumGpuDigester digester,
            DeviceBuffer input)
            throws DeviceException {
        int count = (int) (totalBytes / contentBytes);
        long[] offsets = new long[count];
        long[] lengths = new long[count];
        Arrays.setAll(offsets, content -> (long) content * contentBytes);
        Arrays.fill(lengths, contentBytes);
        long workspaceBytes = ChecksumGpuDigester.xxHashWorkspaceBytes(count);
        long tableBytes = (long) count * ChecksumKernels.CONTENT_ENTRY_BYTES;
        try (DeviceBuffer workspace = device.allocate(workspaceBytes);
                PinnedBuffer staging = device.allocatePinned(workspaceBytes)) {
            digester.enqueueXxHash32(
                    input, new ChunkRanges(offsets, lengths), new int[count], workspace, staging, stream);
            DeviceBuffer table = workspace.slice(0, tableBytes);
            DeviceBuffer values = workspace.slice(tableBytes, workspaceBytes - tableBytes);
            double[] kernel =
                    sample(LAUNCHES, stream, () -> kernels.xxh32Contents(count, input, table, values, stream));
            int[] actual = digester.xxHashValues(count, staging);
            XXHash32 host = XXHashFactory.fastestInstance().hash32();
            long start = System.nanoTime();
            for (int content = 0; content < PATTERN_BYTES / contentBytes; content++) {
                int expected = host.hash(pattern, content * contentBytes, contentBytes, 0);
                for (int same = content; same < count; same += PATTERN_BYTES / contentBytes) {
                    if (actual[same] != expected) {
                        throw new AssertionError("content " + same + " of " + contentBytes + " bytes is wrong");
                    }
                }
            }
            double cpuSeconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "%d,%d,%.3f,%.3f,%.3f,%.0f,%.2f%n",
                    contentBytes,
                    count,
                    kernel[SAMPLES / 2],
                    kernel[0],
                    kernel[SAMPLES - 1],
                    totalBytes / kernel[SAMPLES / 2] / 1e6,
                    PATTERN_BYTES / cpuSeconds / 1e9);
        }
    }

    private static void measure(
            long chunkBytes,
            byte[] pattern,
            Device device,
            DeviceStream stream,
            ChecksumKernels kernels,
            ChecksumGpuDigester digester,
            PinnedBuffer source,
            DeviceBuffer input)
            throws DeviceException {
        int count = (int) (INPUT_BYTES / chunkBytes);
        long[] offsets = new long[count];
        long[] lengths = new long[count];
        Arrays.setAll(offsets, chunk -> chunk * chunkBytes);
        Arrays.fill(lengths, chunkBytes);
        ChunkRanges chunks = new ChunkRanges(offsets, lengths);
        ChecksumLaunchPlan plan = ChecksumLaunchPlan.of(chunks, kernels.residentWarpCount());
        long workspaceBytes = ChecksumGpuDigester.workspaceBytes(count);
        long tableBytes = ChecksumLaunchPlan.tableBytes(count);
        try (DeviceBuffer workspace = device.allocate(workspaceBytes);
                PinnedBuffer staging = device.allocatePinned(workspaceBytes)) {
            Work copy = () -> {
                for (int i = 0; i < PATTERN_COPIES; i++) {
                    stream.upload(source, input.slice((long) i * PATTERN_BYTES, PATTERN_BYTES));
                }
            };
            copy.run();
            digester.enqueueCrc32(input, chunks, workspace, staging, stream);
            DeviceBuffer table = workspace.slice(0, tableBytes);
            DeviceBuffer crc32 = workspace.slice(tableBytes, workspaceBytes - tableBytes);
            double[] kernel = sample(LAUNCHES, stream, () -> kernels.crc32Chunks(plan, input, table, crc32, stream));
            double[] copies = sample(1, stream, copy);
            double[] all = sample(1, stream, () -> {
                copy.run();
                digester.enqueueCrc32(input, chunks, workspace, staging, stream);
            });
            double cpuSeconds = verify(pattern, chunkBytes, digester.crc32Values(count, staging));
            System.out.printf(
                    Locale.ROOT,
                    "%d,%d,%.3f,%.3f,%.3f,%.0f,%.2f,%.2f,%.1f,%.2f%n",
                    chunkBytes,
                    count,
                    kernel[SAMPLES / 2],
                    kernel[0],
                    kernel[SAMPLES - 1],
                    INPUT_BYTES / kernel[SAMPLES / 2] / 1e6,
                    copies[SAMPLES / 2],
                    all[SAMPLES / 2],
                    INPUT_BYTES / all[SAMPLES / 2] / 1e6,
                    PATTERN_BYTES / cpuSeconds / 1e9);
        }
    }

    /** Milliseconds for one run of the work, sorted; the first sample, a warm-up, is dropped. */
    private static double[] sample(int repeats, DeviceStream stream, Work work) throws DeviceException {
        double[] milliseconds = new double[SAMPLES];
        for (int sample = -1; sample < SAMPLES; sample++) {
            stream.synchronise();
            long start = System.nanoTime();
            for (int i = 0; i < repeats; i++) {
                work.run();
            }
            stream.synchronise();
            if (sample >= 0) {
                milliseconds[sample] = (System.nanoTime() - start) / 1e6 / repeats;
            }
        }
        Arrays.sort(milliseconds);
        return milliseconds;
    }

    /** Compares every chunk with the JDK's CRC-32; answers the seconds that the JDK took for one pattern. */
    private static double verify(byte[] pattern, long chunkBytes, int[] actual) {
        int piece = (int) Math.min(chunkBytes, PATTERN_BYTES);
        int[] pieces = new int[PATTERN_BYTES / piece];
        CRC32 crc = new CRC32();
        ByteBuffer bytes = ByteBuffer.wrap(pattern);
        long start = System.nanoTime();
        for (int i = 0; i < pieces.length; i++) {
            crc.reset();
            crc.update(bytes.limit((i + 1) * piece).position(i * piece));
            pieces[i] = (int) crc.getValue();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        for (int chunk = 0; chunk < actual.length; chunk++) {
            int expected = pieces[chunk % pieces.length];
            for (long done = piece; done < chunkBytes; done += piece) {
                expected = Crc32Combine.combine(expected, pieces[0], piece);
            }
            if (actual[chunk] != expected) {
                throw new AssertionError("chunk " + chunk + " of " + chunkBytes + " bytes is wrong");
            }
        }
        return seconds;
    }
}
