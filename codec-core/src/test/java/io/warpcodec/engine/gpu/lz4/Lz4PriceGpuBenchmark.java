package io.warpcodec.engine.gpu.lz4;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.engine.gpu.block.EncodeGpuBenchmark;
import java.nio.file.Path;
import java.util.List;
import net.jpountz.lz4.LZ4Factory;

/**
 * Times the encoding of LZ4 blocks by price on device 0 ({@link EncodeGpuBenchmark}), beside lz4-java's levels 9 and
 * 12. A program, not a test.
 *
 * <pre>
 * usage: Lz4PriceGpuBenchmark BLOCK_KIB FILE...
 * </pre>
 */
final class Lz4PriceGpuBenchmark {
    private Lz4PriceGpuBenchmark() {}

    private static final class Blocks implements EncodeGpuBenchmark.Codec {
        private static final int[] LEVELS = {9, 12};

        @Override
        public int slotBytes(int rawBytes) {
            return rawBytes + rawBytes / 255 + 16;
        }

        @Override
        public byte[] decode(byte[] encoded, byte[] raw) {
            return LZ4Factory.fastestInstance().safeDecompressor().decompress(encoded, raw.length);
        }

        @Override
        public List<String> efforts() {
            return List.of("level9", "level12");
        }

        @Override
        public long[] foreignBytes(byte[] raw) {
            long[] bytes = new long[LEVELS.length];
            for (int i = 0; i < LEVELS.length; i++) {
                bytes[i] =
                        LZ4Factory.fastestInstance().highCompressor(LEVELS[i]).compress(raw).length;
            }
            return bytes;
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("# " + DeviceDriver.devices().get(0));
        try (Device device = DeviceDriver.open(0);
                Lz4PriceEncoder encoder = Lz4PriceEncoder.open(device)) {
            EncodeGpuBenchmark benchmark = new EncodeGpuBenchmark(device, encoder, new Blocks());
            benchmark.printHead();
            for (int i = 1; i < arguments.length; i++) {
                benchmark.run(Path.of(arguments[i]), Integer.parseInt(arguments[0]));
            }
        }
    }
}
