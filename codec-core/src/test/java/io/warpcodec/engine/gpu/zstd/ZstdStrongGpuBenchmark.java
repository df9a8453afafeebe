package io.warpcodec.engine.gpu.zstd;

import com.github.luben.zstd.Zstd;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.engine.gpu.block.EncodeGpuBenchmark;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.format.zstd.ZstdFormat;
import java.nio.file.Path;
import java.util.List;

/**
 * Times the encoding of zstd frames at a level on device 0 ({@link EncodeGpuBenchmark}), beside libzstd's frames of the
 * level that it stands for. A program, not a test.
 *
 * <pre>
 * usage: ZstdStrongGpuBenchmark FAST|DEFAULT|HIGH FRAME_KIB FILE...
 * </pre>
 */
final class ZstdStrongGpuBenchmark {
    private ZstdStrongGpuBenchmark() {}

    /** Frames with checksums. */
    private record Frames(int libzstdsLevel) implements EncodeGpuBenchmark.Codec {
        @Override
        public int slotBytes(int rawBytes) {
            return ZstdGpuEncoder.maxEncodedBytes(rawBytes);
        }

        @Override
        public byte[] decode(byte[] encoded, byte[] raw) {
            return Zstd.decompress(ZstdEncoderContract.signed(encoded, raw), raw.length);
        }

        @Override
        public int addedBytes() {
            return ZstdFormat.CHECKSUM_BYTES;
        }

        @Override
        public List<String> efforts() {
            return List.of("libzstd");
        }

        @Override
        public long[] foreignBytes(byte[] raw) {
            return new long[] {Zstd.compress(raw, libzstdsLevel).length + ZstdFormat.CHECKSUM_BYTES};
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("# " + DeviceDriver.devices().get(0));
        EncodeLevel level = EncodeLevel.valueOf(arguments[0]);
        try (Device device = DeviceDriver.open(0);
                ZstdGpuEncoder encoder = ZstdGpuEncoder.open(device, level)) {
            EncodeGpuBenchmark benchmark =
                    new EncodeGpuBenchmark(device, encoder, new Frames(ZstdEncoderContract.levelOfLibzstd(level)));
            benchmark.printHead();
            for (int i = 2; i < arguments.length; i++) {
                benchmark.run(Path.of(arguments[i]), Integer.parseInt(arguments[1]));
            }
        }
    }
}
