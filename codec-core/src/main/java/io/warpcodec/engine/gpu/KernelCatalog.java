package io.warpcodec.engine.gpu;

import io.warpcodec.Format;
import io.warpcodec.device.KernelContract;
import java.util.List;
import java.util.stream.Stream;

/** Every kernel module that this version of the GPU engine uses. */
public final class KernelCatalog {
    private KernelCatalog() {}

    /** The formats that devices read and write. */
    public static List<Format> formats() {
        return Stream.of(Format.values()).filter(GpuPrograms::supports).toList();
    }

    /** The contracts of all modules. */
    public static List<KernelContract> contracts() {
        return List.of(
                ChecksumKernels.CONTRACT,
                DeflateDecodeKernels.CONTRACT,
                DeflateEncodeKernels.CONTRACT,
                DeflateStreamKernels.CONTRACT,
                HuffmanKernels.CONTRACT,
                HuffmanBuildKernels.CONTRACT,
                Lz4Kernels.CONTRACT,
                SnappyKernels.CONTRACT);
    }
}
