package io.warpcodec.engine.gpu;

import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** On a scripted device, whose kernels write what weaker levels of the libraries do. */
class StrongFilesTest extends StrongFilesContract {
    private final Map<Format, ScriptedGpu> gpus = new EnumMap<>(Format.class);

    @Override
    void ready(Format format) {
        ScriptedGpu gpu = gpus.computeIfAbsent(
                format,
                fresh -> new ScriptedGpu(
                                new CpuEngine(),
                                1,
                                fresh == Format.ZSTD ? ScriptedGpu.strongLimits() : ScriptedGpu.smallLimits())
                        .started());
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void close() {
        Engines.installAccelerator(null);
        for (ScriptedGpu gpu : gpus.values()) {
            gpu.awaitNothingLent();
            gpu.close();
        }
    }
}
