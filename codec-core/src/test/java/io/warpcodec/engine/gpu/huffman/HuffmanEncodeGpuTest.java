package io.warpcodec.engine.gpu.huffman;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.block.BlockData;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The kernels, and codes that {@link HuffmanGpuBuilder} builds for them. */
@GpuTest
class HuffmanEncodeGpuTest extends HuffmanEncodeContract {
    @Override
    Device openDevice() throws Exception {
        return DeviceDriver.open(0);
    }

    @Test
    void codesOfEveryLimitThatTheBuilderMakes() throws Exception {
        List<byte[]> raws = new ArrayList<>();
        for (int index = 0; index < 60; index++) {
            raws.add(BlockData.make(new Random(index), index % BlockData.KINDS, 1 + index * index * 30));
        }
        for (int limitBits = 1; limitBits <= 15; limitBits++) {
            HuffmanEncodeTrial counted = trial(limitBits);
            raws.forEach(counted::add);
            List<byte[]> lengths = counted.buildLengths(limitBits);
            HuffmanEncodeTrial trial = trial(20 + limitBits);
            for (int index = 0; index < raws.size(); index++) {
                for (byte length : lengths.get(index)) {
                    assertThat(length).isBetween((byte) 0, (byte) limitBits);
                }
                int room = (int) HuffmanGpuEncoder.maxEncodedBytes(raws.get(index).length, limitBits);
                trial.add(raws.get(index), lengths.get(index), room);
            }
            trial.check("limit " + limitBits);
            // 256 different bytes need words of 8 bits; where the limit does not suffice there is no code.
            assertThat(trial.soundCount()).isBetween(limitBits >= 8 ? 60L : 10L, limitBits >= 8 ? 60L : 50L);
        }
    }
}
