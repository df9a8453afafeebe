package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
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
 * Times an encoder on a device, from device memory to device memory: a block or 8 MB of blocks alone, 96 MB in one
 * launch, as waves of 8 MB on twelve streams, and 1 GB in one launch. Prints a line of CSV for each. All output is
 * decoded by a library, and that library's own sizes stand beside.
 */
public final class EncodeGpuBenchmark {
    private static final int ROUNDS = 5;
    /** The JVM compiles what asks for launches, which short ones wait for otherwise. */
    private static final long WARM_UP_NANOS = 500_000_000;

    private static final int ALL_BYTES = 96 << 20;
    private static final int WAVE_BYTES = 8 << 20;
    private static final int LARGEST_BYTES = 1000 << 20;
    private static final int STREAMS = 12;
    /** Kernels may read a word behind the input. */
    private static final int WORD_BYTES = 16;

    private final Device device;
    private final BlockLaunch launch;
    private final Codec codec;
    private final Map<byte[], long[]> foreign = new IdentityHashMap<>();

    /** What is particular to a format. */
    public interface Codec {
        /** Bytes of a slot that is enough for so many raw ones. */
        int slotBytes(int rawBytes);

        /** What a library decodes, of a block that is to be these raw bytes. */
        byte[] decode(byte[] encoded, byte[] raw) throws IOException;

        /** Bytes that a container adds to each block, and that the library's sizes have, too. */
        default int addedBytes() {
            return 0;
        }

        /** Names of the library's efforts. */
        List<String> efforts();

        /** Bytes that the library makes of a block at each effort; asked for once a block, by many threads. */
        long[] foreignBytes(byte[] raw);
    }

    public EncodeGpuBenchmark(Device device, BlockLaunch launch, Codec codec) {
        this.device = device;
        this.launch = launch;
        this.codec = codec;
    }

    /** Blocks in device memory, and what comes of them. */
    private final class Wave implements AutoCloseable {
        private final List<byte[]> raws;
        private final DeviceBlocks blocks;
        private final LaunchMemory memory;
        private final DeviceBuffer output;
        private final List<AutoCloseable> resources = new ArrayList<>();

        Wave(List<byte[]> raws, DeviceStream stream) throws DeviceException {
            this.raws = raws;
            int count = raws.size();
            long[] inputAt = new long[count];
            long[] inputBytes = new long[count];
            long[] slotAt = new long[count];
            long[] slotBytes = new long[count];
            long allRaw = 0;
            long allSlots = 0;
            for (int block = 0; block < count; block++) {
                inputAt[block] = allRaw;
                inputBytes[block] = raws.get(block).length;
                slotAt[block] = allSlots;
                slotBytes[block] = codec.slotBytes(raws.get(block).length);
                allRaw += inputBytes[block];
                allSlots += slotBytes[block];
            }
            DeviceBuffer input = kept(device.allocate(allRaw + WORD_BYTES));
            output = kept(device.allocate(allSlots));
            DeviceBuffer workspace = kept(device.allocate(launch.workspaceBytes(count)));
            PinnedBuffer staging = kept(device.allocatePinned(launch.workspaceBytes(count)));
            DeviceBuffer scratch = kept(device.allocate(launch.scratchBytes(Math.toIntExact(allRaw), count)));
            blocks = new DeviceBlocks(
                    input, new ChunkRanges(inputAt, inputBytes), output, new ChunkRanges(slotAt, slotBytes));
            memory = new LaunchMemory(workspace, staging, scratch, stream);
            try (PinnedBuffer upload = device.allocatePinned(allRaw)) {
                for (int block = 0; block < count; block++) {
                    upload.view().put((int) inputAt[block], raws.get(block));
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
            launch.enqueue(blocks, memory);
        }

        /** Bytes of all blocks; each must decode to its own bytes. */
        long verify() throws DeviceException, IOException {
            BlockResult[] results = launch.results(raws.size(), memory.staging());
            long bytes = 0;
            try (PinnedBuffer download = device.allocatePinned(output.bytes())) {
                memory.stream().download(output, download);
                memory.stream().synchronise();
                for (int block = 0; block < results.length; block++) {
                    require(results[block].isSound(), "status " + results[block].status());
                    byte[] encoded = new byte[results[block].outputBytes()];
                    download.view().get((int) blocks.slots().offsetBytes(block), encoded);
                    byte[] raw = raws.get(block);
                    require(Arrays.equals(codec.decode(encoded, raw), raw), "wrong bytes");
                    bytes += encoded.length + codec.addedBytes();
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

    /** The first line of the CSV. */
    public void printHead() {
        StringBuilder head = new StringBuilder("file,block_kib,how,MB,ms,least_ms,most_ms,GBps,bytes");
        for (String effort : codec.efforts()) {
            head.append(',').append(effort).append("_bytes,").append(effort).append("_percent");
        }
        System.out.println(head);
    }

    /**
     * Times one file's blocks, again and again as often as they are needed. A device that has no memory for 1 GB has no
     * figure of it.
     */
    public void run(Path file, int blockKib) throws Exception {
        List<byte[]> blocks = blocks(file, blockKib << 10);
        List<long[]> sizes = blocks.parallelStream().map(codec::foreignBytes).toList();
        foreign.clear();
        for (int block = 0; block < blocks.size(); block++) {
            foreign.put(blocks.get(block), sizes.get(block));
        }
        String name = file.getFileName() + "," + blockKib;
        time(name, "one block", blocks, blockKib << 10, blockKib << 10);
        time(name, "8 MiB alone", blocks, WAVE_BYTES, WAVE_BYTES);
        time(name, "one launch", blocks, ALL_BYTES, ALL_BYTES);
        time(name, "waves of 8 MiB", blocks, WAVE_BYTES, ALL_BYTES);
        try {
            time(name, "1 GB", blocks, LARGEST_BYTES, LARGEST_BYTES);
        } catch (DeviceException failed) {
            System.out.println("# " + name + ", 1 GB: " + failed.getMessage());
        }
    }

    private static List<byte[]> blocks(Path file, int blockBytes) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        List<byte[]> blocks = new ArrayList<>();
        for (int at = 0; at < Math.min(bytes.length, ALL_BYTES); at += blockBytes) {
            blocks.add(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + blockBytes)));
        }
        return blocks;
    }

    private void time(String name, String how, List<byte[]> blocks, int waveBytes, int allBytes) throws Exception {
        List<AutoCloseable> resources = new ArrayList<>();
        try {
            List<DeviceStream> streams = new ArrayList<>();
            List<Wave> waves = new ArrayList<>();
            long rawBytes = 0;
            for (int block = 0; rawBytes < allBytes; ) {
                List<byte[]> own = new ArrayList<>();
                for (long bytes = 0; bytes < waveBytes && rawBytes < allBytes; block++) {
                    byte[] raw = blocks.get(block % blocks.size());
                    own.add(raw);
                    bytes += raw.length;
                    rawBytes += raw.length;
                }
                if (streams.size() < STREAMS) {
                    streams.add(device.openStream());
                    resources.add(streams.get(streams.size() - 1));
                }
                waves.add(new Wave(own, streams.get(waves.size() % STREAMS)));
                resources.add(waves.get(waves.size() - 1));
            }
            double[] millis = rounds(waves, streams);
            long bytes = 0;
            long[] theirs = new long[codec.efforts().size()];
            for (Wave wave : waves) {
                bytes += wave.verify();
                for (byte[] raw : wave.raws) {
                    long[] own = foreign.get(raw);
                    Arrays.setAll(theirs, effort -> theirs[effort] + own[effort]);
                }
            }
            print(name + "," + how, rawBytes, millis, bytes, theirs);
        } finally {
            for (int i = resources.size() - 1; i >= 0; i--) {
                resources.get(i).close();
            }
        }
    }

    /** Milliseconds of each round after the warm-up, in order. */
    private static double[] rounds(List<Wave> waves, List<DeviceStream> streams) throws DeviceException {
        for (long nanos = 0; nanos < WARM_UP_NANOS; ) {
            nanos += round(waves, streams);
        }
        double[] millis = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            millis[round] = round(waves, streams) / 1e6;
        }
        Arrays.sort(millis);
        return millis;
    }

    private static long round(List<Wave> waves, List<DeviceStream> streams) throws DeviceException {
        long start = System.nanoTime();
        for (Wave wave : waves) {
            wave.enqueue();
        }
        for (DeviceStream stream : streams) {
            stream.synchronise();
        }
        return System.nanoTime() - start;
    }

    private static void print(String what, long rawBytes, double[] millis, long bytes, long[] theirs) {
        double median = millis[ROUNDS / 2];
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%s,%.1f,%.2f,%.2f,%.2f,%.3f,%d",
                what,
                rawBytes / 1e6,
                median,
                millis[0],
                millis[ROUNDS - 1],
                rawBytes / median / 1e6,
                bytes));
        for (long other : theirs) {
            line.append(String.format(Locale.ROOT, ",%d,%.2f", other, 100.0 * bytes / other - 100));
        }
        System.out.println(line);
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException(what);
        }
    }
}
