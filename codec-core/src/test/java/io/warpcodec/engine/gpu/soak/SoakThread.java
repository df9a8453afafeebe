package io.warpcodec.engine.gpu.soak;

import io.warpcodec.CodecOptions;
import io.warpcodec.Mode;
import io.warpcodec.engine.gpu.soak.SoakSamples.Sample;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread of a {@link Soak}: reads and writes samples, sound and damaged, to the end or not, and compares every
 * byte.
 */
final class SoakThread implements Runnable {
    private static final int[] READ_BYTES = {1 << 20, 1 << 20, 256 << 10, 64 << 10, 10_007};
    /**
     * Streams that are cut short, damaged or abandoned are not longer than this: they are read twice, or for nothing.
     */
    private static final int MOST_TRIAL_BYTES = 1 << 20;

    /** A library, which goes on where a device fails, takes a second and more for a megabyte at a strong level. */
    private static final int MOST_STRONG_BYTES = 300_000;

    private static final int MOST_INTERRUPT_MICROS = 5000;

    /** What a soak's threads share. */
    record Shared(
            SoakSamples samples,
            Mode mode,
            boolean encode,
            int meanOperationsPerFault,
            Lock running,
            ScheduledExecutorService interrupts,
            Counts counts) {}

    /** What was done so far. */
    static final class Counts {
        final LongAdder rawBytes = new LongAdder();
        final LongAdder damaged = new LongAdder();
        final LongAdder refused = new LongAdder();
        final LongAdder abandoned = new LongAdder();
        final LongAdder interrupted = new LongAdder();
        volatile String wrong;
        volatile boolean over;

        /** Ends the soak; the first reason counts. */
        synchronized void fail(String what) {
            wrong = wrong == null ? what : wrong;
            over = true;
        }
    }

    /** A sink that is used again and again. */
    private static final class Sink extends ByteArrayOutputStream {
        InputStream source() {
            return new ByteArrayInputStream(buf, 0, count);
        }
    }

    private final Shared shared;
    private final Counts counts;
    private final Random random;
    private final byte[] buffer = new byte[1 << 20];
    private final byte[] again = new byte[MOST_TRIAL_BYTES];
    private final byte[] file = new byte[2 * MOST_TRIAL_BYTES];
    private final byte[] content = new byte[MOST_TRIAL_BYTES];
    private final Sink sink = new Sink();
    private String doing = "";

    SoakThread(Shared shared, long seed) {
        this.shared = shared;
        this.counts = shared.counts;
        this.random = new Random(seed);
    }

    @Override
    public void run() {
        while (!counts.over) {
            shared.running.lock(); // a pause holds the other side
            try {
                operate();
            } catch (Exception | Error failed) {
                counts.fail(doing + ": " + failed);
            } finally {
                shared.running.unlock();
            }
        }
    }

    private void operate() throws Exception {
        boolean fault = shared.meanOperationsPerFault > 0 && random.nextInt(shared.meanOperationsPerFault) == 0;
        Sample sample = fault ? shared.samples.anyUpTo(MOST_TRIAL_BYTES, random) : shared.samples.any(random);
        doing = sample.name() + " of " + sample.raw().length + " bytes";
        if (fault) {
            switch (random.nextInt(3)) {
                case 0 -> readDamaged(sample);
                case 1 -> abandon(sample);
                default -> interrupt(sample);
            }
        } else if (shared.encode && random.nextInt(4) == 0) {
            write(sample);
            readAll(sample, sink.source());
        } else {
            readAll(sample, source(sample));
        }
    }

    private static InputStream source(Sample sample) {
        return new ByteArrayInputStream(sample.file());
    }

    private static ChunkedInputStream open(Sample sample, InputStream source, Mode mode) {
        return new ChunkedInputStream(source, sample.format(), sample.options().withMode(mode));
    }

    /** To the end. */
    private void readAll(Sample sample, InputStream source) throws IOException {
        int bytes = sample.raw().length;
        try (ChunkedInputStream in = open(sample, source, shared.mode)) {
            readFront(sample, in, bytes);
            if (in.read(buffer, 0, 1) >= 0) {
                throw new IOException("more than " + bytes + " bytes");
            }
        }
    }

    private void readFront(Sample sample, InputStream in, int bytes) throws IOException {
        int step = READ_BYTES[random.nextInt(READ_BYTES.length)];
        for (int at = 0; at < bytes; ) {
            int count = in.read(buffer, 0, Math.min(step, bytes - at));
            if (count < 0) {
                throw new IOException("the end after " + at + " bytes");
            }
            int wrongAt = Arrays.mismatch(buffer, 0, count, sample.raw(), at, at + count);
            if (wrongAt >= 0) {
                throw new IOException("byte " + (at + wrongAt) + " is wrong");
            }
            at += count;
            counts.rawBytes.add(count);
        }
    }

    private static CodecOptions strong(Sample sample) {
        return switch (sample.format()) {
            case ZSTD -> sample.options().withLevel(19);
            case LZ4 -> sample.options().withLevel(12);
            case GZIP, ZLIB -> sample.options().withLevel(9);
            default -> sample.options();
        };
    }

    /** At a strong level every other time, where the content is short. */
    private void write(Sample sample) throws IOException {
        sink.reset();
        boolean isStrong = sample.raw().length <= MOST_STRONG_BYTES && random.nextBoolean();
        CodecOptions options = (isStrong ? strong(sample) : sample.options()).withMode(shared.mode);
        try (ChunkedOutputStream out = new ChunkedOutputStream(sink, sample.format(), options)) {
            int step = READ_BYTES[random.nextInt(READ_BYTES.length)];
            for (int at = 0; at < sample.raw().length; at += step) {
                out.write(sample.raw(), at, Math.min(step, sample.raw().length - at));
            }
        }
        counts.rawBytes.add(sample.raw().length);
    }

    /**
     * The CPU engine and the other deliver the same bytes before the same error, or none; of single streams perhaps
     * more or fewer of them.
     */
    private void readDamaged(Sample sample) throws IOException {
        int fileBytes = sample.file().length;
        System.arraycopy(sample.file(), 0, file, 0, fileBytes);
        for (int defects = 1 + random.nextInt(3); defects > 0; defects--) {
            file[random.nextInt(fileBytes)] ^= (byte) (1 << random.nextInt(8));
        }
        int bytes = random.nextInt(4) == 0 ? random.nextInt(fileBytes) : fileBytes;
        Outcome expected = outcome(sample, bytes, Mode.CPU, content);
        Outcome got = outcome(sample, bytes, shared.mode, again);
        counts.damaged.increment();
        counts.refused.add(expected.error == null ? 0 : 1);
        int both = (int) Math.min(MOST_TRIAL_BYTES, Math.min(got.bytes, expected.bytes));
        boolean same =
                sample.inPieces() && expected.error != null ? expected.error.equals(got.error) : got.equals(expected);
        if (!same || !Arrays.equals(again, 0, both, content, 0, both)) {
            throw new IOException("damaged: " + got + " instead of " + expected);
        }
    }

    /**
     * How a damaged file was read to its end: how many bytes, of which the first lie in the target, and the error
     * behind them or null.
     */
    private record Outcome(long bytes, String error) {}

    private Outcome outcome(Sample sample, int fileBytes, Mode mode, byte[] target) {
        int at = 0;
        try (ChunkedInputStream in = open(sample, new ByteArrayInputStream(file, 0, fileBytes), mode)) {
            for (int count; at < target.length && (count = in.read(target, at, target.length - at)) >= 0; ) {
                at += count;
            }
            // the end, which a full target does not show: sums that are wrong are found only there
            long more = at < target.length ? 0 : in.transferTo(OutputStream.nullOutputStream());
            return new Outcome(at + more, null);
        } catch (IOException refused) {
            return new Outcome(at, refused.toString());
        }
    }

    /** Half of them are not even closed. */
    private void abandon(Sample sample) throws IOException {
        ChunkedInputStream in = open(sample, source(sample), shared.mode);
        readFront(sample, in, random.nextInt(sample.raw().length));
        counts.abandoned.increment();
        if (random.nextBoolean()) {
            in.close();
        }
    }

    /** What is read until a task is cancelled is right, and the next stream of the same thread does not notice. */
    private void interrupt(Sample sample) throws Exception {
        Thread self = Thread.currentThread();
        Future<?> coming = shared.interrupts.schedule(
                self::interrupt, random.nextInt(MOST_INTERRUPT_MICROS), TimeUnit.MICROSECONDS);
        try {
            do {
                readAll(sample, source(sample));
            } while (!coming.isDone());
        } catch (InterruptedIOException stopped) {
            counts.interrupted.increment();
        } finally {
            while (!coming.isDone()) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(10));
            }
            Thread.interrupted(); // nothing comes later
        }
    }
}
