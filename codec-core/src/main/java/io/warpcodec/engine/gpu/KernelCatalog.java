package io.warpcodec.engine.gpu;

import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.engine.gpu.checksum.ChecksumKernels;
import io.warpcodec.engine.gpu.request.GpuFormat;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Every kernel module that this version of the GPU engine uses. */
public final class KernelCatalog {
    private KernelCatalog() {}

    /** The words of the formats that devices read and write, in the order of {@link io.warpcodec.Format}. */
    public static List<String> formats() {
        return GpuFormats.ALL.stream()
                .sorted(Comparator.comparing(GpuFormat::format))
                .map(known -> known.format().word())
                .toList();
    }

    /** The contracts of all modules, each once: some serve several formats. */
    public static List<KernelContract> contracts() {
        Stream<KernelContract> stages = Stream.of(ChecksumKernels.CONTRACT);
        Stream<KernelContract> formats = GpuFormats.ALL.stream().flatMap(format -> format.contracts().stream());
        return Stream.concat(stages, formats).distinct().toList();
    }
}
