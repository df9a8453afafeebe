package io.warpcodec.engine.gpu.deflate;

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
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Times the encoding of DEFLATE streams at a level on device 0, from device memory to device memory: a stream alone, 96
 * MB in one launch, and as waves of 8 MB on twelve streams of the device. Prints a line of CSV for each. A program, not
 * a test: the JDK's zlib decodes each stream, and its own streams of level 9 stand beside.
 *
 * <pre>
 * usage: DeflateGpuBenchmark FAST|DEFAULT|HIGH|BEST MEMBER_KIB FILE...
 * </pre>
 */
final class DeflateGpuBenchmark {
    private static final int ROUNDS = 5;
    private static final int ALL_BYTES = 96 << 20;
    private static final int WAVE_BYTES = 8 << 20;
    private static final int STREAMS = 12;
    private static final int WORD_BYTES = 16;
    private static final Map<byte[], Integer> ZLIB = new IdentityHashMap<>();

    private DeflateGpuBenchmark() {}

    /** Members in device memory, and what comes of them. */
    private static final class Wave implements AutoCloseable {
        private final DeflateGpuEncoder encoder;
        private final EncodeLevel level;
        private final List<byte[]> raws;
        private final DeviceStream stream;
        private final DeviceBlocks blocks;
        private final LaunchMemory memory;
        private final DeviceBuffer output;
        private final List<AutoCloseable> resources = new ArrayList<>();

        Wave(Device device, DeflateGpuEncoder encoder, EncodeLevel level, List<byte[]> raws, DeviceStream stream)
                throws DeviceException {
            this.encoder = encoder;
            this.level = level;
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
                slotBytes[range] = DeflateGpuEncoder.maxEncodedBytes(raws.get(range).length);
                allRaw += inputBytes[range];
                allSlots += slotBytes[range];
            }
            DeviceBuffer input = kept(device.allocate(allRaw + WORD_BYTES));
            output = kept(device.allocate(allSlots));
            DeviceBuffer workspace = kept(device.allocate(DeflateGpuEncoder.workspaceBytes(count)));
            PinnedBuffer staging = kept(device.allocatePinned(DeflateGpuEncoder.workspaceBytes(count)));
            DeviceBuffer scratch = kept(device.allocate(DeflateGpuEncoder.scratchBytes(level, allRaw, count)));
            blocks = new DeviceBlocks(
                    input,
                    new ChunkRanges(inputAt, inputBytes),
                    output,
                    new ChunkRanges(slotAt, slotBytes),
                    new int[count]);
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
            encoder.enqueueEncode(level, DeflateGpuEncoder.Ending.STREAM, blocks, memory);
        }

        /** Bytes of all streams; each must decode to its own bytes. */
        long verify(Device device) throws DeviceException {
            BlockResult[] results = encoder.results(raws.size(), memory.staging());
            long bytes = 0;
            try (PinnedBuffer download = device.allocatePinned(output.bytes())) {
                stream.download(output, download);
                stream.synchronise();
                for (int range = 0; range < results.length; range++) {
                    require(results[range].status() == BlockResult.Status.SOUND, "status " + results[range].status());
                    byte[] encoded = new byte[results[range].outputBytes()];
                    download.view().get((int) blocks.slots().offsetBytes(range), encoded);
                    require(decodes(encoded, raws.get(range)), "wrong bytes");
                    bytes += encoded.length;
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
        System.out.println("file,level,member_kib,how,MB,ms,least_ms,most_ms,GBps,bytes,zlib_9_bytes,percent");
        EncodeLevel level = EncodeLevel.valueOf(arguments[0]);
        int memberBytes = Integer.parseInt(arguments[1]) << 10;
        try (Device device = DeviceDriver.open(0);
                DeflateGpuEncoder encoder = DeflateGpuEncoder.open(device)) {
            for (int i = 2; i < arguments.length; i++) {
                Path file = Path.of(arguments[i]);
                List<byte[]> members = members(file, memberBytes);
                String name = file.getFileName() + "," + level + "," + arguments[1];
                time(device, encoder, level, name, members, memberBytes, memberBytes);
                time(device, encoder, level, name, members, ALL_BYTES, ALL_BYTES);
                time(device, encoder, level, name, members, WAVE_BYTES, ALL_BYTES);
            }
        }
    }

    private static List<byte[]> members(Path file, int memberBytes) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        List<byte[]> members = new ArrayList<>();
        for (int at = 0; at < Math.min(bytes.length, ALL_BYTES); at += memberBytes) {
            members.add(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + memberBytes)));
        }
        return members;
    }

    private static void time(
            Device device,
            DeflateGpuEncoder encoder,
            EncodeLevel level,
            String name,
            List<byte[]> members,
            int waveBytes,
            int allBytes)
            throws Exception {
        List<AutoCloseable> resources = new ArrayList<>();
        List<DeviceStream> streams = new ArrayList<>();
        List<Wave> waves = new ArrayList<>();
        try {
            long rawBytes = 0;
            for (int member = 0; rawBytes < allBytes; ) {
                List<byte[]> own = new ArrayList<>();
                for (long bytes = 0; bytes < waveBytes && rawBytes < allBytes; member++) {
                    byte[] raw = members.get(member % members.size());
                    own.add(raw);
                    bytes += raw.length;
                    rawBytes += raw.length;
                }
                if (streams.size() < STREAMS) {
                    streams.add(device.openStream());
                    resources.add(streams.get(streams.size() - 1));
                }
                Wave wave = new Wave(device, encoder, level, own, streams.get(waves.size() % STREAMS));
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
            long zlibBytes = 0;
            for (Wave wave : waves) {
                bytes += wave.verify(device);
                for (byte[] raw : wave.raws) {
                    zlibBytes += ZLIB.computeIfAbsent(raw, DeflateGpuBenchmark::zlibBytes);
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
                    zlibBytes,
                    100.0 * bytes / zlibBytes - 100);
        } finally {
            for (int i = resources.size() - 1; i >= 0; i--) {
                resources.get(i).close();
            }
        }
    }

    private static boolean decodes(byte[] encoded, byte[] raw) {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(encoded);
            byte[] back = new byte[raw.length + 1];
            int length = inflater.inflate(back);
            return inflater.finished()
                    && inflater.getRemaining() == 0
                    && Arrays.equals(back, 0, length, raw, 0, raw.length);
        } catch (DataFormatException defect) {
            return false;
        } finally {
            inflater.end();
        }
    }

    private static int zlibBytes(byte[] raw) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try {
            deflater.setInput(raw);
            deflater.finish();
            return deflater.deflate(new byte[raw.length + raw.length / 1000 + 64]);
        } finally {
            deflater.end();
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException(what);
        }
    }
}
