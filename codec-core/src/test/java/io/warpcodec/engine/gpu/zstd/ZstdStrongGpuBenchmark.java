package io.warpcodec.engine.gpu.zstd;

import com.github.luben.zstd.Zstd;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Times the encoding of zstd frames at a level on device 0, from device memory to device memory: a frame alone, 96 MB
 * in one launch, and as waves of 8 MB on twelve streams. Prints a line of CSV for each. A program, not a test: libzstd
 * decodes each frame, and its own frames of the level's size stand beside.
 *
 * <pre>
 * usage: ZstdStrongGpuBenchmark FAST|DEFAULT|HIGH FRAME_KIB FILE...
 * </pre>
 */
final class ZstdStrongGpuBenchmark {
    private static final int ROUNDS = 5;
    private static final int ALL_BYTES = 96 << 20;
    private static final int WAVE_BYTES = 8 << 20;
    private static final int STREAMS = 12;
    private static final int WORD_BYTES = 8;
    private static final int CHECKSUM_BYTES = 4;
    private static final Map<byte[], Integer> LIBZSTD = new IdentityHashMap<>();

    private ZstdStrongGpuBenchmark() {}

    /** Frames in device memory, and what comes of them. */
    private static final class Wave implements AutoCloseable {
        private final ZstdGpuEncoder encoder;
        private final List<byte[]> raws;
        private final DeviceStream stream;
        private final DeviceBlocks blocks;
        private final LaunchMemory memory;
        private final DeviceBuffer output;
        private final List<AutoCloseable> resources = new ArrayList<>();

        Wave(Device device, ZstdGpuEncoder encoder, List<byte[]> raws, DeviceStream stream) throws DeviceException {
            this.encoder = encoder;
            this.raws = raws;
            this.stream = stream;
            int count = raws.size();
            long[] inputAt = new long[count];
            long[] inputBytes = new long[count];
            long[] slotAt = new long[count];
            long[] slotBytes = new long[count];
            long allRaw = 0;
            long allSlots = 0;
            for (int range = 0; range < count; range++) {
                inputAt[range] = allRaw;
                inputBytes[range] = raws.get(range).length;
                slotAt[range] = allSlots;
                slotBytes[range] = ZstdGpuEncoder.maxEncodedBytes(raws.get(range).length);
                allRaw += inputBytes[range];
                allSlots += slotBytes[range];
            }
            DeviceBuffer input = kept(device.allocate(allRaw + WORD_BYTES));
            output = kept(device.allocate(allSlots));
            DeviceBuffer workspace = kept(device.allocate(encoder.workspaceBytes(count)));
            PinnedBuffer staging = kept(device.allocatePinned(encoder.workspaceBytes(count)));
            DeviceBuffer scratch = kept(device.allocate(encoder.scratchBytes(Math.toIntExact(allRaw), count)));
            blocks = new DeviceBlocks(
                    input, new ChunkRanges(inputAt, inputBytes), output, new ChunkRanges(slotAt, slotBytes));
            memory = new LaunchMemory(workspace, staging, scratch, stream);
            try (PinnedBuffer upload = device.allocatePinned(allRaw)) {
                for (int range = 0; range < count; range++) {
                    upload.view().put((int) inputAt[range], raws.get(range));
                }
                stream.upload(upload, input.slice(0, allRaw));
                stream.synchronise();
            }
        }

        private <T extends AutoCloseable> T kept(T resource) {
            resources.add(resource);
            return resource;
        }

        void enqueue() throws DeviceException {
            encoder.enqueue(blocks, memory);
        }

        /** Bytes of all frames with their checksums; each must decode to its own bytes. */
        long verify(Device device) throws DeviceException {
            BlockResult[] results = encoder.results(raws.size(), memory.staging());
            long bytes = 0;
            try (PinnedBuffer download = device.allocatePinned(output.bytes())) {
                stream.download(output, download);
                stream.synchronise();
                for (int range = 0; range < results.length; range++) {
                    require(results[range].status() == BlockResult.Status.SOUND, "status " + results[range].status());
                    byte[] frame = new byte[results[range].outputBytes()];
                    download.view().get((int) blocks.slots().offsetBytes(range), frame);
                    byte[] raw = raws.get(range);
                    byte[] whole = ZstdEncoderContract.signed(frame, raw);
                    require(Arrays.equals(Zstd.decompress(whole, raw.length), raw), "wrong bytes");
                    bytes += whole.length;
                }
            }
            return bytes;
        }

        @Override
        public void close() throws Exception {
            for (AutoCloseable resource : resources) {
                resource.close();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("# " + DeviceDriver.devices().get(0));
        System.out.println("file,frame_kib,how,MB,ms,least_ms,most_ms,GBps,bytes,libzstd_bytes,percent");
        EncodeLevel level = EncodeLevel.valueOf(arguments[0]);
        int frameBytes = Integer.parseInt(arguments[1]) << 10;
        try (Device device = DeviceDriver.open(0);
                ZstdGpuEncoder encoder = ZstdGpuEncoder.open(device, level)) {
            for (int i = 2; i < arguments.length; i++) {
                Path file = Path.of(arguments[i]);
                List<byte[]> frames = frames(file, frameBytes);
                String name = file.getFileName() + "," + arguments[1];
                time(device, encoder, level, name, frames, frameBytes, frameBytes);
                time(device, encoder, level, name, frames, ALL_BYTES, ALL_BYTES);
                time(device, encoder, level, name, frames, WAVE_BYTES, ALL_BYTES);
            }
        }
    }

    private static List<byte[]> frames(Path file, int frameBytes) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        List<byte[]> frames = new ArrayList<>();
        for (int at = 0; at < Math.min(bytes.length, ALL_BYTES); at += frameBytes) {
            frames.add(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + frameBytes)));
        }
        return frames;
    }

    private static void time(
            Device device,
            ZstdGpuEncoder encoder,
            EncodeLevel level,
            String name,
            List<byte[]> frames,
            int waveBytes,
            int allBytes)
            throws Exception {
        List<AutoCloseable> resources = new ArrayList<>();
        List<DeviceStream> streams = new ArrayList<>();
        List<Wave> waves = new ArrayList<>();
        try {
            long rawBytes = 0;
            long libzstdBytes = 0;
            for (int frame = 0; rawBytes < allBytes; ) {
                List<byte[]> own = new ArrayList<>();
                for (long bytes = 0; bytes < waveBytes && rawBytes < allBytes; frame++) {
                    byte[] raw = frames.get(frame % frames.size());
                    own.add(raw);
                    bytes += raw.length;
                    rawBytes += raw.length;
                }
                if (streams.size() < STREAMS) {
                    streams.add(device.openStream());
                    resources.add(streams.get(streams.size() - 1));
                }
                Wave wave = new Wave(device, encoder, own, streams.get(waves.size() % STREAMS));
                waves.add(wave);
                resources.add(wave);
            }
            double[] millis = new double[ROUNDS];
            for (int round = -1; round < ROUNDS; round++) {
                long start = System.nanoTime();
                for (Wave wave : waves) {
                    wave.enqueue();
                }
                for (DeviceStream stream : streams) {
                    stream.synchronise();
                }
                if (round >= 0) {
                    millis[round] = (System.nanoTime() - start) / 1e6;
                }
            }
            Arrays.sort(millis);
            long bytes = 0;
            for (Wave wave : waves) {
                bytes += wave.verify(device);
                for (byte[] raw : wave.raws) {
                    libzstdBytes += waves.size() > 1 ? 0 : libzstd(raw, level);
                }
            }
            System.out.printf(
                    Locale.ROOT,
                    "%s,%s,%.1f,%.2f,%.2f,%.2f,%.3f,%d,%d,%.2f%n",
                    name,
                    waves.size() > 1 ? "waves of 8 MiB" : "one launch",
                    rawBytes / 1e6,
                    millis[ROUNDS / 2],
                    millis[0],
                    millis[ROUNDS - 1],
                    rawBytes / millis[ROUNDS / 2] / 1e6,
                    bytes,
                    libzstdBytes,
                    libzstdBytes == 0 ? 0 : 100.0 * bytes / libzstdBytes - 100);
        } finally {
            for (int i = resources.size() - 1; i >= 0; i--) {
                resources.get(i).close();
            }
        }
    }

    /** Bytes of libzstd's frame, made once. */
    private static int libzstd(byte[] raw, EncodeLevel level) {
        return LIBZSTD.computeIfAbsent(
                raw, own -> Zstd.compress(own, ZstdEncoderContract.levelOfLibzstd(level)).length + CHECKSUM_BYTES);
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException(what);
        }
    }
}
