package io.warpcodec.engine.gpu;

import io.warpcodec.Engines;
import io.warpcodec.device.ScriptedDriver;
import io.warpcodec.device.ScriptedDriver.Call;
import io.warpcodec.engine.cpu.CpuEngine;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On scripted devices. */
class GzipStreamTest extends GzipStreamContract {
    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        gpu = new ScriptedGpu(new CpuEngine(), 2, ScriptedGpu.smallLimits()).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
        gpu.close();
    }

    /** Whatever a device fails with, and when: the session goes on where the last good segment ended. */
    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"UPLOAD", "LAUNCH", "DOWNLOAD", "IS_DONE"})
    void aFailureInTheMiddleOfAStreamLosesNothing(Call call) throws IOException {
        byte[] raw = GpuStreams.text(900_000, 12);
        byte[] file = gzip(raw, 1);
        int code = ScriptedDriver.OUT_OF_MEMORY;
        for (int n : new int[] {1, 2, 4, 9, 17}) {
            gpu.driver().failNth(call, n, code);
            requireReadRight(call + " " + n, file, raw);
            code = n == 9 ? 700 : code;
        }
    }

    @Override
    void requireNothingLent() {
        gpu.awaitNothingLent();
    }
}
