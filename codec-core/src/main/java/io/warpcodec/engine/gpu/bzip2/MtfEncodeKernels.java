package io.warpcodec.engine.gpu.bzip2;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;

/** {@code mtf_encode.cu}: entry names, and the constants of both sides. Thread-safe. */
final class MtfEncodeKernels implements AutoCloseable {
    static final int ABI = 1;
    /** Bytes of a column that a warp works on. */
    static final int CHUNK_SYMBOLS = 1024;
    /** Different bytes. */
    static final int BYTES = 256;

    static final int INFO_BYTES = 16;
    static final int RESULT_BYTES = 48;
    private static final int CTA_THREADS = 128;
    private static final int CTA_WARPS = CTA_THREADS / 32;
    private static final int SCAN_CTA_THREADS = 256;

    /** {@code MtfBatch} of {@code mtf_encode_format.cuh}, which the kernels take. */
    static final ArgumentLayout LAYOUT = ArgumentLayout.of("batch")
            .pointer("column")
            .int64("column_bytes")
            .pointer("entries")
            .pointer("tile_blocks")
            .pointer("results")
            .pointer("symbols")
            .pointer("lasts")
            .pointer("infos")
            .int32("block_count")
            .int32("tile_count");

    static final KernelContract CONTRACT = KernelContract.named("mtf_encode", ABI)
            .constant("chunk_symbols", CHUNK_SYMBOLS)
            .constant("cta_threads", CTA_THREADS)
            .constant("scan_cta_threads", SCAN_CTA_THREADS)
            .constant("info_bytes", INFO_BYTES)
            .constant("result_bytes", RESULT_BYTES)
            .taking(LAYOUT);

    private final KernelModule module;
    private final KernelFunction mark;
    private final KernelFunction scan;
    private final KernelFunction replay;

    private MtfEncodeKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.mark = module.function("mtf_encode_mark");
        this.scan = module.function("mtf_encode_scan");
        this.replay = module.function("mtf_encode_replay");
    }

    static MtfEncodeKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, MtfEncodeKernels::new);
    }

    /** All three, one behind the other. */
    void encode(int blockCount, int tileCount, KernelArguments arguments, DeviceStream stream) throws DeviceException {
        int chunkCtas = (tileCount * (SortKernels.TILE_KEYS / CHUNK_SYMBOLS) + CTA_WARPS - 1) / CTA_WARPS;
        mark.launch(chunkCtas, CTA_THREADS, arguments, stream);
        scan.launch(blockCount, SCAN_CTA_THREADS, arguments, stream);
        replay.launch(chunkCtas, CTA_THREADS, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
