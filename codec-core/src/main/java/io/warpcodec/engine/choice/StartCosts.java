package io.warpcodec.engine.choice;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.Lz4Levels;
import io.warpcodec.engine.ZstdLevels;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Decides in mode {@code auto} whether starting devices pays for a process. Pure arithmetic on durations in
 * nanoseconds.
 *
 * <p>A start costs <i>S</i>. Devices run after it, and a process that ends right behind it, or in the middle of it,
 * ends up to <i>S</i> later: the driver finishes what it has begun, whatever the JVM does. <i>S</i> is the last start
 * that a process of this user measured on this machine within the last minutes, at least {@link #LEAST_START_NANOS},
 * and {@link #ASSUMED_START_NANOS} where none was measured. Two questions are answered with it:
 *
 * <ol>
 *   <li><b>Has a start paid?</b> The CPU engine has worked for a time, of which devices would have saved the share
 *       {@link #savedShare}. When this is {@link #PAID_STARTS} times <i>S</i>, and the process is
 *       {@link #LIVED_STARTS} times <i>S</i> old, devices start in the background. Nothing waits for them. A process
 *       that ends at that moment has become 1 / {@link #LIVED_STARTS} = 5 % slower than the CPU alone, and every
 *       other process less.
 *   <li><b>Is a start worth waiting for?</b> One DEFLATE stream stays with the engine that begins it. If what is
 *       known to remain of it lets devices save {@link #WORTH_STARTS} times <i>S</i>, devices start at once, and the
 *       stream waits for them, at most {@link #MOST_WAIT_STARTS} times <i>S</i>. A stream of 40 MB (120 MB raw) would
 *       save 0.3 s and starts nothing; one of 330 MB (1 GB raw) would save 2.5 s, where zlib takes 2.9 s or more.
 * </ol>
 *
 * In both cases a process does not start devices while another one of its user does ({@link StartTurns}).
 *
 * <p>A process that knows its work beforehand, as the tool does, starts devices at once if they save <i>S</i> of it
 * ({@link #expectedSavingNanos(Format, Direction, int, long, int)}); its streams wait as a DEFLATE stream does.
 *
 * <p>Devices of a service that runs already cost {@link #JOINING_NANOS}. The first question is asked with that price;
 * a session joins that is known to save as much: that saving is estimated with the fastest zlib, and real ones are
 * two to four times as slow.
 */
final class StartCosts {
    /**
     * On an H200 devices run 0.7 s after the driver is first asked for, of which the context is 0.6 s; the rest is
     * for the end of the process.
     */
    static final long ASSUMED_START_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * No start is taken for shorter than this: a context alone takes 0.6 s on an H200, and somewhat less on small
     * devices.
     */
    static final long LEAST_START_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /**
     * What joining a service costs a young JVM: classes of the GPU engine and of sockets, a connection, memory. With
     * 16 cores a task by itself had its first bytes 0.06 to 0.1 s later than from the CPU, one of sixteen 0.15 to 0.2
     * s.
     */
    static final long JOINING_NANOS = TimeUnit.MILLISECONDS.toNanos(125);

    /** 32 contexts at once took 30 s; a longer measurement says only that something was wrong. */
    static final long MOST_START_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * What came so far is the best guess of what is still to come, so twice the price makes the start a gain even if
     * less comes.
     */
    static final int PAID_STARTS = 2;

    /** 1 / 20 is the 5 % that a process may lose at most. */
    static final int LIVED_STARTS = 20;

    /** The zlib speed below is the fastest that was seen, so that the real factor is 2 to 4. */
    static final int WORTH_STARTS = 2;

    /**
     * A start that takes longer than this was not foreseen: then others are at work on the devices, and the stream
     * goes to the CPU.
     */
    static final int MOST_WAIT_STARTS = 2;

    /** zlib at 0.35 GB/s, the fastest that the JDK's Inflater was seen at; text on an H200's host 0.22. */
    private static final double ZLIB_NANOS_PER_RAW_BYTE = 2.86;

    /** Raw bytes of a byte of DEFLATE data: text by zlib's level 6. */
    private static final double RAW_BYTES_PER_BYTE = 3;

    /**
     * What the CPU takes for work.
     *
     * @param rawBytesPerByte what a compressed byte of text decodes to, with the level that most files have
     * @param decodeNanos processor nanoseconds of a raw byte, text and tables, 16 threads of an H100's host; 0 where
     *     devices leave most files to the CPU
     * @param encodeNanos likewise, with the default level
     */
    private record CpuWork(double rawBytesPerByte, double decodeNanos, double encodeNanos) {}

    /** The CPU's work by format. Most files of zstd are one frame, which the CPU reads. */
    private static final Map<Format, CpuWork> CPU_WORK = Map.of(
            Format.GZIP, new CpuWork(RAW_BYTES_PER_BYTE, 5, 40),
            Format.ZLIB, new CpuWork(RAW_BYTES_PER_BYTE, 5, 40),
            Format.BZIP2, new CpuWork(4, 50, 180),
            Format.SNAPPY, new CpuWork(2, 2, 4),
            Format.LZ4, new CpuWork(2, 1, 5),
            Format.ZSTD, new CpuWork(3, 0, 7));

    /**
     * Processor nanoseconds of a raw byte of text in frames of 8 MiB: libzstd at its levels 10, 13 and 16, and at those
     * behind each. A core of a server of 2022, rounded.
     */
    private static final double[] STRONG_ZSTD_NANOS = {40, 115, 330};

    private static final int LEVELS_OF_A_COST = 3;

    /** Processor nanoseconds of a raw byte of text: liblz4 at its levels 9 to 12. */
    private static final double[] BEST_LZ4_NANOS = {30, 45, 60, 80};

    /** Processor nanoseconds of a raw byte of text by zlib's level 9, 1.5 to 4 times those of level 6. */
    private static final double BEST_ZLIB_NANOS = 80;

    private static final int BEST_ZLIB_LEVEL = 9;

    private static final Map<Format, Double> SAVED_SHARES = Map.of(
            Format.GZIP, 0.9,
            Format.ZLIB, 0.9,
            Format.BZIP2, 0.95,
            Format.SNAPPY, 0.75,
            Format.LZ4, 0.5,
            Format.ZSTD, 0.8);

    private StartCosts() {}

    /** What a start is taken to cost. */
    static long startNanos(long measuredNanos) {
        return measuredNanos < 0
                ? ASSUMED_START_NANOS
                : Math.max(LEAST_START_NANOS, Math.min(MOST_START_NANOS, measuredNanos));
    }

    /**
     * The share of the CPU engine's time that devices save; encoding saves more. 0 for a format that devices do not
     * do. It comes from processor seconds per GB, with 16 threads on an H200's host. On the CPU gzip took 4.8, with
     * devices 0.24; Snappy took 1.9 and 0.38. LZ4 frames took 0.92 and 0.39, bzip2 33 and less than 1.6. On an H100's
     * host reading zstd took 1.3 to 2.8, and 0.3 to 0.4; writing it 6.8 to 8.6, and 0.7 to 0.8.
     */
    static double savedShare(Format format) {
        return SAVED_SHARES.getOrDefault(format, 0.0);
    }

    /** Whether a start in the background has paid by what the process has done so far. */
    static boolean hasPaid(StartEvidence evidence, long startNanos) {
        return evidence.savedNanos() >= PAID_STARTS * startNanos && evidence.livedNanos() >= LIVED_STARTS * startNanos;
    }

    /**
     * What devices save of a session that stays with the engine that begins it. Only DEFLATE has such sessions on
     * devices that gain much.
     *
     * @param expectedBytes compressed bytes that the session is to get at least
     */
    static long expectedSavingNanos(Format format, long expectedBytes) {
        return format == Format.GZIP || format == Format.ZLIB
                ? (long) (savedShare(format) * ZLIB_NANOS_PER_RAW_BYTE * RAW_BYTES_PER_BYTE * expectedBytes)
                : 0;
    }

    /**
     * What devices save of the time of a process that is to do this work, and nothing else, with its threads.
     *
     * @param level of what is encoded
     * @param bytes raw bytes to encode, or compressed bytes to decode
     * @param threads that the CPU engine works with
     */
    static long expectedSavingNanos(Format format, Direction direction, int level, long bytes, int threads) {
        CpuWork work = CPU_WORK.get(format);
        if (work == null) {
            return 0;
        }
        double nanosPerByte = direction == Direction.ENCODE
                ? encodeNanos(format, level, work)
                : work.decodeNanos * work.rawBytesPerByte;
        return (long) (savedShare(format) * nanosPerByte * bytes / threads);
    }

    /** Of a raw byte; 0 where devices do not have the level. */
    private static double encodeNanos(Format format, int level, CpuWork work) {
        if (format == Format.LZ4 && !Lz4Levels.isFast(level)) {
            int aboveFirst = level - Lz4Levels.FIRST_BEST;
            return aboveFirst < 0 ? 0 : BEST_LZ4_NANOS[Math.min(aboveFirst, BEST_LZ4_NANOS.length - 1)];
        }
        if (format == Format.GZIP || format == Format.ZLIB) {
            return level == BEST_ZLIB_LEVEL ? BEST_ZLIB_NANOS : work.encodeNanos;
        }
        if (format != Format.ZSTD || ZstdLevels.isQuick(level)) {
            return work.encodeNanos;
        }
        int above = level - CodecOptions.FIRST_STRONG_ZSTD_LEVEL;
        return above < 0 ? 0 : STRONG_ZSTD_NANOS[Math.min(above / LEVELS_OF_A_COST, STRONG_ZSTD_NANOS.length - 1)];
    }

    /** Whether devices save at least their start of all the work of a process, which is known beforehand. */
    static boolean paysForAll(long savingNanos, long startNanos) {
        return savingNanos >= startNanos;
    }

    /** Whether so much is worth that a stream waits for a start. */
    static boolean isWorthWaiting(long savingNanos, long startNanos) {
        return savingNanos >= WORTH_STARTS * startNanos;
    }
}
