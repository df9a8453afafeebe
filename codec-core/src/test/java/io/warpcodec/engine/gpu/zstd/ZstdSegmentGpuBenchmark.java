package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.gpu.GpuPrograms;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.zstd.ZstdPosition;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import net.jpountz.xxhash.StreamingXXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Times the decoding of files of one zstd frame on device 0, one thread: from page-locked memory to page-locked memory
 * without and with the filling of leases, and through streams to the heap, with devices and with libzstd alone. Prints
 * a line of CSV for each. A program, not a test; all output is compared by its XXH64.
 *
 * <pre>
 * usage: ZstdSegmentGpuBenchmark WAVE_MB FILE.zst...
 * </pre>
 */
final class ZstdSegmentGpuBenchmark {
    private static final int ROUNDS = 3;
    private static final int READ_BYTES = 1 << 20;
    private static final byte[] NO_SPARE = {};
    /** More is expected of a block than the last segment's had in the mean. */
    private static final double SLACK = 1.25;

    private ZstdSegmentGpuBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        List<DeviceInfo> devices = DeviceDriver.devices().subList(0, 1);
        System.out.println("# " + devices);
        System.out.println("file,raw_MB,ratio,segments,pinned_GBps,pinned_with_fill_GBps,heap_GBps,libzstd_heap_GBps");
        int waveBytes = Integer.parseInt(arguments[0]) << 20;
        PoolLimits limits = new PoolLimits(
                40L << 30, Math.max(512L << 20, 16L * waveBytes), waveBytes, 0, TimeUnit.SECONDS.toNanos(20));
        double[][] pinned = new double[arguments.length][];
        try (OwnPool pool = OwnPool.open(devices, limits, new GpuPrograms(), Metrics::counter)
                .orElseThrow()) {
            pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
            for (int i = 1; i < arguments.length; i++) {
                byte[] file = Files.readAllBytes(Path.of(arguments[i]));
                for (int round = 0; round < ROUNDS; round++) {
                    pinned[i] = pinned(file, pool);
                }
            }
        }
        GpuStreams.startedDevices();
        for (int i = 1; i < arguments.length; i++) {
            byte[] file = Files.readAllBytes(Path.of(arguments[i]));
            double[] heap = new double[2];
            long rawBytes = 0;
            for (int round = 0; round < ROUNDS; round++) {
                rawBytes = heap(file, Mode.GPU, heap, 0);
                heap(file, Mode.CPU, heap, 1);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%s,%.1f,%.3f,%.0f,%.2f,%.2f,%.2f,%.2f%n",
                    Path.of(arguments[i]).getFileName(),
                    rawBytes / 1e6,
                    (double) rawBytes / file.length,
                    pinned[i][0],
                    rawBytes / pinned[i][1],
                    rawBytes / pinned[i][2],
                    rawBytes / heap[0],
                    rawBytes / heap[1]);
        }
    }

    /** Segments, nanoseconds from submitted leases to their results, and with the cutting and filling of leases. */
    private static double[] pinned(byte[] file, OwnPool pool) throws Exception {
        double[] took = new double[3];
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        ZstdFrameHeader header = ZstdFrameHeader.at(new BufferWindow(bytes, 0), 0);
        AtomicReference<ZstdPosition> position = new AtomicReference<>(ZstdPosition.BEGIN);
        int at = header.bytes();
        int expectedBlockBytes = header.maxBlockBytes();
        try (StreamingXXHash64 hash = XXHashFactory.fastestInstance().newStreamingHash64(0)) {
            while (!position.get().ended()) {
                ZstdPosition before = position.get();
                int outputBytes = Math.min(pool.mostOutputBytes(ZstdGpuFormat.SEGMENTS), 24 << 20);
                int most = (int) (pool.mostInputBytes(ZstdGpuFormat.SEGMENTS)
                        - header.windowBytes()
                        - ZstdSegment.mostOtherBytes(outputBytes));
                int rawLimit = outputBytes - ZstdKernels.SEGMENT_HEAD_BYTES;
                long begin = System.nanoTime();
                ByteBuffer input = ByteBuffer.wrap(file, at, Math.min(most, file.length - at));
                ZstdSegmentJob job = new ZstdSegmentJob(new ZstdSegment(
                        input, before, header.maxBlockBytes(), expectedBlockBytes, rawLimit, Long.MAX_VALUE));
                try (DeviceLease lease =
                        pool.tryLease(ZstdGpuFormat.SEGMENTS, job.inputBytes(), job.outputBytes(), job.entryCount())) {
                    lease.fill(memory -> job.fill(memory, input));
                    long start = System.nanoTime();
                    lease.submit(job);
                    require(lease.await(DeviceLease.WITHOUT_BOUND), String.valueOf(lease.failure()));
                    long end = System.nanoTime();
                    took[1] += end - start;
                    took[2] += System.nanoTime() - begin;
                    if (!job.sound()) {
                        require(job.isOptimistic(), "a segment was refused");
                        expectedBlockBytes = header.maxBlockBytes();
                        continue;
                    }
                    expectedBlockBytes = (int) (SLACK * Math.max(1, job.meanBlockBytes()));
                    lease.read(output -> position.set(job.positionBehind(output, header.windowBytes(), NO_SPARE)));
                    took[0]++;
                    byte[] raw = new byte[job.rawBytes()];
                    lease.read(output -> output.get(job.headBytes(), raw));
                    hash.update(raw, 0, raw.length);
                    at += job.endByte();
                }
            }
            require(!header.checksum() || bytes.getInt(at) == (int) hash.getValue(), "wrong bytes");
        }
        return took;
    }

    /** Through a stream, to one array again and again. */
    private static long heap(byte[] file, Mode mode, double[] took, int at) throws IOException {
        byte[] target = new byte[READ_BYTES];
        long rawBytes = 0;
        long start = System.nanoTime();
        try (InputStream in = new ChunkedInputStream(
                new ByteArrayInputStream(file), Format.ZSTD, CodecOptions.DEFAULTS.withMode(mode))) {
            for (int count = in.read(target); count >= 0; count = in.read(target)) {
                rawBytes += count;
            }
        }
        took[at] = System.nanoTime() - start;
        return rawBytes;
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException(what);
        }
    }
}
