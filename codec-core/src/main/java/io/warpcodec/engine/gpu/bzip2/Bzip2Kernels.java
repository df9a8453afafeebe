package io.warpcodec.engine.gpu.bzip2;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockResult;
import java.util.Map;

/**
 * {@code bzip2.cu}: entry names, and the constants of both sides. Thread-safe.
 */
public final class Bzip2Kernels implements AutoCloseable {
    static final int ABI = 1;
    /** Offsets of input, output and scratch of 64 bits, input length and output limit of 32, little-endian. */
    public static final int ENTRY_BYTES = 32;

    /** {@code DecodeBatch} of {@code bzip2_format.cuh}, which the kernels take. */
    static final ArgumentLayout LAYOUT = ArgumentLayout.of("decode_batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("output")
            .int64("output_bytes")
            .pointer("scratch")
            .int64("scratch_bytes")
            .pointer("entries")
            .pointer("results")
            .int32("block_count")
            .int32("largest_slot");

    static final KernelContract CONTRACT = new KernelContract(
                    "bzip2",
                    ABI,
                    Map.of(
                            "bzip2_record_bytes", Bzip2Record.FIXED_BYTES,
                            "bzip2_decode_entry_bytes", ENTRY_BYTES,
                            "bzip2_block_result_bytes", BlockBatch.RESULT_BYTES))
            .and(BlockResult.statusConstants("bzip2"))
            .taking(LAYOUT);

    private final KernelModule module;
    private final KernelFunction finish;

    private Bzip2Kernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.finish = module.function("bzip2_finish");
    }

    static Bzip2Kernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, Bzip2Kernels::new);
    }

    /** Writes the result of each block. */
    KernelFunction finish() {
        return finish;
    }

    @Override
    public void close() {
        module.close();
    }
}
