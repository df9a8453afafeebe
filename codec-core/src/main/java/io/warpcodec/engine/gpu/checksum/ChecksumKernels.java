package io.warpcodec.engine.gpu.checksum;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.format.checksum.Crc32Combine;

/** {@code checksum.cu}: entry names, and the constants of both sides. Thread-safe. */
public final class ChecksumKernels implements AutoCloseable {
    static final int ABI = 3;
    /** Bytes that a warp takes at a time, at multiples of the same number. */
    static final int ROW_BYTES = 512;
    /** Virtual bytes in front of each chunk that stand for the register's start value. */
    static final int PRELUDE_BYTES = 4;
    /** Row start, offset, length: three little-endian 64-bit words. */
    public static final int CHUNK_ENTRY_BYTES = 24;
    /** What the address of the input must be a multiple of. */
    static final int INPUT_ALIGNMENT_BYTES = 16;

    static final int CTA_THREADS = 512;
    static final int CTA_WARPS = CTA_THREADS / 32;
    /** Offset of 64 bits, length and seed of 32, little-endian. */
    public static final int CONTENT_ENTRY_BYTES = 16;

    static final int XXH32_CTA_THREADS = 64;
    /** Contents of one cta: a warp each. */
    private static final int XXH32_CTA_CONTENTS = XXH32_CTA_THREADS / 32;
    /** What each word of the output holds when the kernel starts: the final inversion. */
    static final int CRC32_START = -1;

    /** {@code ChunkBatch} of {@code checksum_format.cuh}, which CRC-32 takes. */
    private static final ArgumentLayout CHUNK_LAYOUT = ArgumentLayout.of("chunk_batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("chunks")
            .int64("rows_per_warp")
            .pointer("crc32")
            .int32("chunk_count");

    /** {@code ContentBatch} of the same file, which XXH32 and XXH64 take. */
    private static final ArgumentLayout CONTENT_LAYOUT = ArgumentLayout.of("content_batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("contents")
            .pointer("hashes")
            .int32("content_count");

    public static final KernelContract CONTRACT = KernelContract.named("checksum", ABI)
            .constant("crc32_polynomial", Crc32Combine.POLYNOMIAL)
            .constant("row_bytes", ROW_BYTES)
            .constant("prelude_bytes", PRELUDE_BYTES)
            .constant("chunk_entry_bytes", CHUNK_ENTRY_BYTES)
            .constant("cta_threads", CTA_THREADS)
            .constant("content_entry_bytes", CONTENT_ENTRY_BYTES)
            .constant("xxh32_cta_threads", XXH32_CTA_THREADS)
            .taking(CHUNK_LAYOUT, CONTENT_LAYOUT);

    private final KernelModule module;
    private final KernelFunction crc32Chunks;
    private final KernelFunction xxh32Contents;
    private final KernelFunction xxh64Contents;

    private ChecksumKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.crc32Chunks = module.function("checksum_crc32_chunks");
        this.xxh32Contents = module.function("checksum_xxh32_contents");
        this.xxh64Contents = module.function("checksum_xxh64_contents");
    }

    static ChecksumKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, ChecksumKernels::new);
    }

    /** Warps that the device runs at once. */
    int residentWarpCount() throws DeviceException {
        return crc32Chunks.residentCtaCount(CTA_THREADS) * CTA_WARPS;
    }

    /** CRC-32 of each chunk. {@code crc32} must hold CRC32_START in every word. */
    void crc32Chunks(
            ChecksumLaunchPlan plan, DeviceBuffer input, DeviceBuffer chunks, DeviceBuffer crc32, DeviceStream stream)
            throws DeviceException {
        KernelArguments arguments = new KernelArguments(CHUNK_LAYOUT)
                .buffer("input", input)
                .int64("input_bytes", input.bytes())
                .buffer("chunks", chunks)
                .int64("rows_per_warp", plan.rowsPerWarp())
                .buffer("crc32", crc32)
                .int32("chunk_count", plan.chunkCount());
        crc32Chunks.launch(plan.ctaCount(), CTA_THREADS, arguments, stream);
    }

    /** XXH32 of each content. */
    void xxh32Contents(
            int contentCount, DeviceBuffer input, DeviceBuffer contents, DeviceBuffer hashes, DeviceStream stream)
            throws DeviceException {
        launch(xxh32Contents, contentCount, input, contents, hashes, stream);
    }

    /** The lowest 32 bits of XXH64 of each content. */
    void xxh64Contents(
            int contentCount, DeviceBuffer input, DeviceBuffer contents, DeviceBuffer hashes, DeviceStream stream)
            throws DeviceException {
        launch(xxh64Contents, contentCount, input, contents, hashes, stream);
    }

    private static void launch(
            KernelFunction hash,
            int contentCount,
            DeviceBuffer input,
            DeviceBuffer contents,
            DeviceBuffer hashes,
            DeviceStream stream)
            throws DeviceException {
        KernelArguments arguments = new KernelArguments(CONTENT_LAYOUT)
                .buffer("input", input)
                .int64("input_bytes", input.bytes())
                .buffer("contents", contents)
                .buffer("hashes", hashes)
                .int32("content_count", contentCount);
        int ctaCount = (contentCount + XXH32_CTA_CONTENTS - 1) / XXH32_CTA_CONTENTS;
        hash.launch(ctaCount, XXH32_CTA_THREADS, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
