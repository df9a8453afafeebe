package io.warpcodec.engine.gpu.huffman;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.engine.gpu.ScriptedGpu;
import org.junit.jupiter.api.AfterEach;

/** The launcher alone: on a scripted device, whose kernels are {@link HostHuffman}'s. */
class HuffmanEncodeTest extends HuffmanEncodeContract {
    private ScriptedDriver driver;

    @Override
    Device openDevice() throws Exception {
        driver = ScriptedGpu.newDriver(1);
        return driver.open(0);
    }

    @AfterEach
    void discard() {
        driver.discard();
    }
}
