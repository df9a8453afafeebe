package io.warpcodec.engine.gpu;

import io.warpcodec.device.Device;
import io.warpcodec.device.DeviceException;
import io.warpcodec.device.KernelContract;
import io.warpcodec.device.KernelFunction;
import io.warpcodec.device.KernelModule;
import io.warpcodec.device.KernelUnavailableException;
import java.util.Map;

/** {@code huffman_build.cu}: entry names, and the constants of both sides. Thread-safe. */
final class HuffmanBuildKernels implements AutoCloseable {
    static final int ABI = 1;
    static final int MAX_SYMBOLS = 288;
    static final int MAX_LIMIT = 15;
    static final int CTA_THREADS = MAX_SYMBOLS;

    static final KernelContract CONTRACT = new KernelContract(
            "huffman_build",
            ABI,
            Map.of(
                    "huffman_build_max_symbols", MAX_SYMBOLS,
                    "huffman_build_max_limit", MAX_LIMIT,
                    "huffman_build_cta_threads", CTA_THREADS));

    private final KernelModule module;
    private final KernelFunction buildCodes;

    private HuffmanBuildKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.buildCodes = module.function("huffman_build_codes");
    }

    static HuffmanBuildKernels load(Device device) throws KernelUnavailableException, DeviceException {
        KernelModule module = KernelModule.load(device, CONTRACT);
        try {
            return new HuffmanBuildKernels(module);
        } catch (DeviceException | RuntimeException failed) {
            module.close();
            throw failed;
        }
    }

    /** Builds codes, a cta each. */
    KernelFunction buildCodes() {
        return buildCodes;
    }

    @Override
    public void close() {
        module.close();
    }
}
