package io.warpcodec.engine.gpu.huffman;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;
import java.util.Map;

/** {@code huffman_build.cu}: entry names, and the constants of both sides. Thread-safe. */
public final class HuffmanBuildKernels implements AutoCloseable {
    static final int ABI = 3;
    static final int MAX_SYMBOLS = 288;
    static final int MAX_LIMIT = 15;
    static final int CTA_THREADS = MAX_SYMBOLS;
    /** Longest range whose bytes are counted: the weights of a code add up to less than 2^27. */
    static final int MAX_COUNT_BYTES = (1 << 27) - 1;
    /** An offset of 64 bits, two numbers of 32, little-endian. */
    static final int COUNT_ENTRY_BYTES = 16;
    /** What a cta counts. */
    static final int COUNT_PIECE_BYTES = 64 << 10;

    static final int COUNT_CTA_THREADS = 256;

    /** {@code BuildBatch} of {@code huffman_build.cu}, which the kernel that builds codes takes. */
    static final ArgumentLayout BUILD_LAYOUT = ArgumentLayout.of("batch")
            .pointer("weights")
            .pointer("lengths")
            .pointer("codes")
            .int32("symbol_count")
            .int32("limit")
            .int32("code_count");

    /** {@code CountBatch} of {@code huffman_count.cuh}, which the kernel that counts bytes takes. */
    static final ArgumentLayout COUNT_LAYOUT = ArgumentLayout.of("count_batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("entries")
            .int32("range_count")
            .pointer("weights")
            .int32("piece_count");

    public static final KernelContract CONTRACT = new KernelContract(
                    "huffman_build",
                    ABI,
                    Map.of(
                            "huffman_build_max_symbols", MAX_SYMBOLS,
                            "huffman_build_max_limit", MAX_LIMIT,
                            "huffman_build_cta_threads", CTA_THREADS,
                            "huffman_build_max_count_bytes", MAX_COUNT_BYTES,
                            "huffman_build_count_entry_bytes", COUNT_ENTRY_BYTES,
                            "huffman_build_count_piece_bytes", COUNT_PIECE_BYTES,
                            "huffman_build_count_cta_threads", COUNT_CTA_THREADS))
            .taking(BUILD_LAYOUT, COUNT_LAYOUT);

    private final KernelModule module;
    private final KernelFunction buildCodes;
    private final KernelFunction countSymbols;

    private HuffmanBuildKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.buildCodes = module.function("huffman_build_codes");
        this.countSymbols = module.function("huffman_count_symbols");
    }

    static HuffmanBuildKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, HuffmanBuildKernels::new);
    }

    /** Builds codes, a cta each. */
    KernelFunction buildCodes() {
        return buildCodes;
    }

    /** Counts the bytes of ranges, a cta for each piece. */
    KernelFunction countSymbols() {
        return countSymbols;
    }

    @Override
    public void close() {
        module.close();
    }
}
