package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.gpu.GpuPrograms;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gzip.StreamPosition;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Times the decoding of one DEFLATE stream on device 0, for several sizes of wave, one thread: from page-locked
 * memory to page-locked memory, and to the heap while the next segment is under way; beside it the JDK's zlib. Prints
 * a line of CSV for each. A program, not a test; all output is verified.
 *
 * <pre>
 * usage: SegmentGpuBenchmark WAVE_MB,... FILE.gz...      FILE.gz: one member whose header says nothing, as gzip -n writes it
 * </pre>
 */
final class SegmentGpuBenchmark {
    private static final int ROUNDS = 3;
    private static final int HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8;

    private SegmentGpuBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        List<DeviceInfo> devices = DeviceDriver.devices().subList(0, 1);
        System.out.println("# " + devices);
        System.out.println("file,raw_MB,ratio,wave_MB,segments,pinned_GBps,pinned_with_fill_GBps,heap_GBps,jdk_GBps");
        for (String file : Arrays.asList(arguments).subList(1, arguments.length)) {
            Stream stream = Stream.of(Path.of(file));
            for (String wave : arguments[0].split(",")) {
                measure(stream, Integer.parseInt(wave) << 20, devices);
            }
        }
    }

    /**
     * One stream, with a member's trailer behind it; {@code jdkNanos} is what the JDK's zlib takes for it, without a
     * checksum.
     */
    private record Stream(String name, byte[] deflated, long rawBytes, int crc32, long jdkNanos) {
        static Stream of(Path file) throws IOException, DataFormatException {
            byte[] member = Files.readAllBytes(file);
            require(member[2] == Deflater.DEFLATED && member[3] == 0, file + " has a name or a comment in its header");
            byte[] deflated = Arrays.copyOfRange(member, HEADER_BYTES, member.length);
            int crc32 = ByteBuffer.wrap(member).order(ByteOrder.LITTLE_ENDIAN).getInt(member.length - TRAILER_BYTES);
            Inflater inflater = new Inflater(true);
            inflater.setInput(deflated);
            byte[] buffer = new byte[1 << 20];
            long start = System.nanoTime();
            while (!inflater.finished()) {
                require(inflater.inflate(buffer) > 0 || inflater.finished(), file + " is cut short");
            }
            long nanos = System.nanoTime() - start;
            require(inflater.getRemaining() == TRAILER_BYTES, file + " is not one member");
            long rawBytes = inflater.getBytesWritten();
            inflater.end();
            return new Stream(file.getFileName().toString(), deflated, rawBytes, crc32, nanos);
        }
    }

    private static void measure(Stream stream, int waveBytes, List<DeviceInfo> devices) throws Exception {
        PoolLimits limits = new PoolLimits(
                40L << 30, Math.max(512L << 20, 16L * waveBytes), waveBytes, 0, TimeUnit.SECONDS.toNanos(20));
        try (OwnPool pool = OwnPool.open(devices, limits, new GpuPrograms(), Metrics::counter)
                .orElseThrow()) {
            pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
            long[] nanos = new long[3];
            int segments = 0;
            for (int round = 0; round < ROUNDS; round++) {
                segments = pinned(stream, pool, nanos);
                nanos[2] = heap(stream, pool);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%s,%.1f,%.3f,%d,%d,%.2f,%.2f,%.2f,%.3f%n",
                    stream.name,
                    stream.rawBytes / 1e6,
                    (double) stream.rawBytes / stream.deflated.length,
                    waveBytes >> 20,
                    segments,
                    (double) stream.rawBytes / nanos[0],
                    (double) stream.rawBytes / nanos[1],
                    (double) stream.rawBytes / nanos[2],
                    (double) stream.rawBytes / stream.jdkNanos);
        }
    }

    /**
     * Times from submitted leases to their results, without and with the taking and filling of leases. Answers how many
     * leases there were.
     */
    private static int pinned(Stream stream, OwnPool pool, long[] nanos) throws Exception {
        nanos[0] = 0;
        nanos[1] = 0;
        CRC32 crc = new CRC32();
        AtomicReference<StreamPosition> position = new AtomicReference<>(StreamPosition.BEGIN);
        int at = 0;
        double ratio = 3;
        int segments = 0;
        for (; !position.get().ended(); segments++) {
            StreamPosition before = position.get();
            int outputBytes = pool.mostLeaseBytes();
            int bytes =
                    (int) Math.min(Math.min(stream.deflated.length - at, outputBytes / 2), outputBytes / ratio * 1.06);
            long begin = System.nanoTime();
            SegmentJob job = new SegmentJob(before, bytes, outputBytes);
            try (DeviceLease lease =
                    pool.tryLease(DeflateGpuFormat.SEGMENTS, job.inputBytes(), outputBytes, job.entryCount())) {
                ByteBuffer input = ByteBuffer.wrap(stream.deflated, at, bytes).slice();
                lease.fill(memory -> job.fill(memory, input));
                long start = System.nanoTime();
                lease.submit(job);
                require(lease.await(DeviceLease.WITHOUT_BOUND), String.valueOf(lease.failure()));
                long end = System.nanoTime();
                nanos[0] += end - start;
                nanos[1] += end - begin;
                require(job.sound() && (job.endBit() > before.bit() || job.ended()), "a segment was refused");
                lease.read(output -> {
                    crc.update(output.slice(SegmentChain.HISTORY_BYTES, job.rawBytes()));
                    position.set(job.positionBehind(before, output));
                });
                ratio = Math.max(1, job.rawBytes() / (job.endBit() / 8.0));
                at += job.endByte();
            }
        }
        require(position.get().rawBytes() == stream.rawBytes && (int) crc.getValue() == stream.crc32, "wrong bytes");
        return segments;
    }

    /** Through the decoder that sessions use. */
    private static long heap(Stream stream, OwnPool pool) throws Exception {
        WorkMeter meter = new WorkMeter(Direction.DECODE, Format.GZIP, "gpu");
        long start = System.nanoTime();
        try (GpuSegmentDecoder decoder = new GpuSegmentDecoder(
                pool,
                DeviceChoices.deviceAlways(),
                Format.GZIP,
                CodecOptions.DEFAULTS.withMode(Mode.GPU),
                meter,
                false)) {
            decoder.reset();
            ByteBuffer input = ByteBuffer.wrap(stream.deflated);
            while (!decoder.position().ended() && decoder.advance(input)) {
                // its bytes are on the heap
            }
            long took = System.nanoTime() - start;
            StreamPosition end = decoder.position();
            long left = stream.rawBytes - end.rawBytes();
            require(end.ended() ? left == 0 && end.crc32() == stream.crc32 : left < 2_000_000, "not all was decoded");
            return took;
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException(what);
        }
    }
}
