package io.warpcodec.engine.gpu.block;

import io.warpcodec.engine.Engine;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The GPU engine over a scripted driver: plans, requests and what is made of a kernel's verdict. */
class MutatedChunksTest extends MutatedChunksContract {
    private static ScriptedGpu gpu;

    @BeforeAll
    static void open() {
        gpu = new ScriptedGpu(new CpuEngine(), 2, ScriptedGpu.smallLimits()).started();
    }

    @AfterAll
    static void close() {
        gpu.close();
    }

    @Override
    Engine gpu() {
        return gpu.engine();
    }
}
