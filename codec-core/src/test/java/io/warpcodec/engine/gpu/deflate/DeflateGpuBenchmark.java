package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.block.BlockLaunch;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.EncodeGpuBenchmark;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * Times the encoding of DEFLATE streams at a level on device 0 ({@link EncodeGpuBenchmark}), beside those of the JDK's
 * zlib at level 9. A program, not a test.
 *
 * <pre>
 * usage: DeflateGpuBenchmark FAST|DEFAULT|HIGH|BEST MEMBER_KIB FILE...
 * </pre>
 */
final class DeflateGpuBenchmark {
    private DeflateGpuBenchmark() {}

    /** Launches of a level, of members without anything before them. */
    private record Members(DeflateGpuEncoder encoder, EncodeLevel level) implements BlockLaunch {
        @Override
        public void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
            DeviceBlocks alone = new DeviceBlocks(
                    blocks.input(), blocks.blocks(), blocks.output(), blocks.slots(), new int[blocks.count()]);
            encoder.enqueueEncode(level, DeflateGpuEncoder.Ending.STREAM, alone, memory);
        }

        @Override
        public long workspaceBytes(int blockCount) {
            return DeflateGpuEncoder.workspaceBytes(blockCount);
        }

        @Override
        public long scratchBytes(int waveBytes, int blockCount) {
            return DeflateGpuEncoder.scratchBytes(level, waveBytes, blockCount);
        }

        @Override
        public BlockResult[] results(int blockCount, PinnedBuffer staging) {
            return encoder.results(blockCount, staging);
        }
    }

    private static final class Streams implements EncodeGpuBenchmark.Codec {
        @Override
        public int slotBytes(int rawBytes) {
            return DeflateGpuEncoder.maxEncodedBytes(rawBytes);
        }

        @Override
        public byte[] decode(byte[] encoded, byte[] raw) throws IOException {
            Inflater inflater = new Inflater(true);
            try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(encoded), inflater)) {
                byte[] decoded = in.readAllBytes();
                if (!inflater.finished() || inflater.getBytesRead() != encoded.length) {
                    throw new IOException("a stream ends before its slot");
                }
                return decoded;
            } finally {
                inflater.end();
            }
        }

        @Override
        public List<String> efforts() {
            return List.of("zlib_9");
        }

        @Override
        public long[] foreignBytes(byte[] raw) {
            Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
            try {
                deflater.setInput(raw);
                deflater.finish();
                return new long[] {deflater.deflate(new byte[raw.length + raw.length / 1000 + 64])};
            } finally {
                deflater.end();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("# " + DeviceDriver.devices().get(0));
        try (Device device = DeviceDriver.open(0);
                DeflateGpuEncoder encoder = DeflateGpuEncoder.open(device)) {
            EncodeGpuBenchmark benchmark = new EncodeGpuBenchmark(
                    device, new Members(encoder, EncodeLevel.valueOf(arguments[0])), new Streams());
            benchmark.printHead();
            for (int i = 2; i < arguments.length; i++) {
                benchmark.run(Path.of(arguments[i]), Integer.parseInt(arguments[1]));
            }
        }
    }
}
