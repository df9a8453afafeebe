package io.warpcodec.engine.gpu.checksum;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import java.nio.ByteBuffer;

/**
 * CRC-32, XXH32 or XXH64 of the chunks of a batch that lies in device memory. Allocates nothing: the caller lends a
 * workspace on the device and a staging area of the same size in pinned memory.
 *
 * <p>Thread-safe, as long as each call has its own stream, workspace and staging area.
 */
public final class ChecksumGpuDigester implements AutoCloseable {
    // Workspace and staging have the same layout: the chunk table, then one word per chunk. Both go up in one copy
    // (the words preset to the final inversion, into which the kernel adds its terms), the words come down in
    // another.

    private final ChecksumKernels kernels;
    private final int residentWarpCount;

    private ChecksumGpuDigester(ChecksumKernels kernels, int residentWarpCount) {
        this.kernels = kernels;
        this.residentWarpCount = residentWarpCount;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    public static ChecksumGpuDigester open(Device device) throws KernelUnavailableException, DeviceException {
        ChecksumKernels kernels = ChecksumKernels.load(device);
        try {
            return new ChecksumGpuDigester(kernels, kernels.residentWarpCount());
        } catch (DeviceException | RuntimeException failed) {
            kernels.close();
            throw failed;
        }
    }

    /** Bytes of workspace, and of staging area, for a batch of that many chunks: 28 per chunk. */
    public static long workspaceBytes(int chunkCount) {
        return ChecksumLaunchPlan.tableBytes(chunkCount) + (long) chunkCount * Integer.BYTES;
    }

    /**
     * Asks the stream for the checksums; {@link #crc32Values} reads them once the stream has come that far.
     *
     * @param input device memory that the chunks lie in, aligned to 16 bytes
     * @param chunks where they lie
     * @param workspace at least {@link #workspaceBytes}, aligned to 8 bytes
     * @param staging at least {@link #workspaceBytes}
     * @param stream where the work queues
     * @throws IllegalArgumentException if a chunk does not lie in the input, or an alignment is wrong; nothing is
     *     launched then
     * @throws IndexOutOfBoundsException if workspace or staging is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueCrc32(
            DeviceBuffer input, ChunkRanges chunks, DeviceBuffer workspace, PinnedBuffer staging, DeviceStream stream)
            throws DeviceException {
        chunks.requireWithin(input.bytes());
        input.requireAligned(ChecksumKernels.INPUT_ALIGNMENT_BYTES);
        workspace.requireAligned(Long.BYTES);
        int count = chunks.count();
        long tableBytes = ChecksumLaunchPlan.tableBytes(count);
        long crcBytes = (long) count * Integer.BYTES;
        PinnedBuffer upload = staging.slice(0, Math.toIntExact(workspaceBytes(count)));
        DeviceBuffer table = workspace.slice(0, tableBytes);
        DeviceBuffer crc32 = workspace.slice(tableBytes, crcBytes);
        if (count == 0) {
            return;
        }
        ChecksumLaunchPlan plan = ChecksumLaunchPlan.of(chunks, residentWarpCount);
        ByteBuffer view = upload.view();
        plan.writeTable(view);
        while (view.hasRemaining()) {
            view.putInt(ChecksumKernels.CRC32_START);
        }
        stream.upload(upload, workspace.slice(0, tableBytes + crcBytes));
        kernels.crc32Chunks(plan, input, table, crc32, stream);
        stream.download(crc32, staging.slice(Math.toIntExact(tableBytes), Math.toIntExact(crcBytes)));
    }

    /**
     * The checksums of a batch whose stream has been synchronised.
     *
     * @param chunkCount number of chunks of that batch
     * @param staging the staging area that was lent to it
     */
    public int[] crc32Values(int chunkCount, PinnedBuffer staging) {
        int[] values = new int[chunkCount];
        staging.view()
                .position(Math.toIntExact(ChecksumLaunchPlan.tableBytes(chunkCount)))
                .asIntBuffer()
                .get(values);
        return values;
    }

    /** Bytes of workspace, and of staging area, for XXH32 or XXH64 of that many contents: 20 per content. */
    public static long xxHashWorkspaceBytes(int contentCount) {
        return (long) contentCount * (ChecksumKernels.CONTENT_ENTRY_BYTES + Integer.BYTES);
    }

    /**
     * Asks the stream for the XXH32 of contents; {@link #xxHashValues} reads them once the stream has come that
     * far. A content goes by at about 2 GB/s, so what counts is how many there are.
     *
     * @param input device memory that the contents lie in, aligned to 4 bytes, a multiple of 4 bytes long
     * @param contents where they lie
     * @param seeds one for each
     * @param workspace at least {@link #xxHashWorkspaceBytes}, aligned to 8 bytes
     * @param staging at least {@link #xxHashWorkspaceBytes}
     * @param stream where the work queues
     * @throws IllegalArgumentException if a content does not lie in the input or has 2^31 bytes or more, the counts
     *     differ, or an alignment is wrong; nothing is launched then
     * @throws IndexOutOfBoundsException if workspace or staging is too small; nothing is launched then
     * @throws DeviceException if the device fails
     */
    public void enqueueXxHash32(
            DeviceBuffer input,
            ChunkRanges contents,
            int[] seeds,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceStream stream)
            throws DeviceException {
        enqueue(kernels::xxh32Contents, input, contents, seeds, workspace, staging, stream);
    }

    /**
     * As {@link #enqueueXxHash32}, for the lowest 32 bits of XXH64, at about 1.3 GB/s a content. Seeds are read as
     * unsigned.
     *
     * @throws DeviceException if the device fails
     */
    public void enqueueXxHash64(
            DeviceBuffer input,
            ChunkRanges contents,
            int[] seeds,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceStream stream)
            throws DeviceException {
        enqueue(kernels::xxh64Contents, input, contents, seeds, workspace, staging, stream);
    }

    /** Hashes contents. */
    private interface ContentHash {
        void launch(int count, DeviceBuffer input, DeviceBuffer table, DeviceBuffer hashes, DeviceStream stream)
                throws DeviceException;
    }

    private static void enqueue(
            ContentHash hash,
            DeviceBuffer input,
            ChunkRanges contents,
            int[] seeds,
            DeviceBuffer workspace,
            PinnedBuffer staging,
            DeviceStream stream)
            throws DeviceException {
        contents.requireWithin(input.bytes());
        input.requireAligned(Integer.BYTES);
        if (input.bytes() % Integer.BYTES != 0) {
            throw new IllegalArgumentException("input of " + input.bytes() + " bytes, no multiple of 4");
        }
        workspace.requireAligned(Long.BYTES);
        int count = contents.count();
        if (seeds.length != count) {
            throw new IllegalArgumentException(count + " contents, " + seeds.length + " seeds");
        }
        int tableBytes = Math.multiplyExact(count, ChecksumKernels.CONTENT_ENTRY_BYTES);
        int valueBytes = Math.multiplyExact(count, Integer.BYTES);
        PinnedBuffer upload = staging.slice(0, tableBytes);
        PinnedBuffer answer = staging.slice(tableBytes, valueBytes);
        DeviceBuffer table = workspace.slice(0, tableBytes);
        DeviceBuffer values = workspace.slice(tableBytes, valueBytes);
        if (count == 0) {
            return;
        }
        ByteBuffer view = upload.view();
        for (int content = 0; content < count; content++) {
            if (contents.lengthBytes(content) > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "content " + content + " has " + contents.lengthBytes(content) + " bytes");
            }
            view.putLong(contents.offsetBytes(content));
            view.putInt((int) contents.lengthBytes(content)).putInt(seeds[content]);
        }
        stream.upload(upload, table);
        hash.launch(count, input, table, values, stream);
        stream.download(values, answer);
    }

    /**
     * The hashes of contents whose stream has been synchronised.
     *
     * @param contentCount number of contents
     * @param staging the staging area that was lent to them
     */
    public int[] xxHashValues(int contentCount, PinnedBuffer staging) {
        int[] values = new int[contentCount];
        staging.view()
                .position(contentCount * ChecksumKernels.CONTENT_ENTRY_BYTES)
                .asIntBuffer()
                .get(values);
        return values;
    }

    @Override
    public void close() {
        kernels.close();
    }
}
