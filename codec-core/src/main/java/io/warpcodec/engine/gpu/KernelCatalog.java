package io.warpcodec.engine.gpu;

import io.warpcodec.device.KernelContract;
import java.util.List;

/** Every kernel module that this version of the GPU engine uses. */
public final class KernelCatalog {
    private KernelCatalog() {}

    /** The contracts of all modules. */
    public static List<KernelContract> contracts() {
        return List.of(
                ChecksumKernels.CONTRACT,
                DeflateKernels.CONTRACT,
                DeflateEncodeKernels.CONTRACT,
                HuffmanKernels.CONTRACT,
                HuffmanBuildKernels.CONTRACT,
                Lz4Kernels.CONTRACT,
                SnappyKernels.CONTRACT);
    }
}
