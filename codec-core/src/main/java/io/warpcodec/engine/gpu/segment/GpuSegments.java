package io.warpcodec.engine.gpu.segment;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.engine.SegmentHelp;
import io.warpcodec.engine.gpu.choice.DeviceChoice;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.choice.HedgedWait;
import io.warpcodec.engine.gpu.request.Interruption;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decodes one unit on the pool's devices, a segment at a time, each as one lease. What a segment is, and what is known
 * behind it, is the format's. While the caller takes a segment's bytes the next one is under way. They are taken from
 * where they lie. Where the pool is quiet segments are twice as long as a wave, where it is crowded half as long. Where
 * it is nearly full their bytes are copied at once, so that others get the memory. Where it stops, that is counted with
 * its reason.
 *
 * @param <J> segments of the format
 */
public abstract class GpuSegments<J extends SegmentWork> implements SegmentHelp {
    /** Of input, and of output: both lie in one piece of page-locked memory, whatever a wave may hold. */
    private static final int MOST_LEASE_BYTES = 24 << 20;

    /** Expected of a stream of which nothing is known. */
    private static final double FIRST_RATIO = 3;
    /** More is put into a segment than the last one's ratio asks for, so that its output is filled. */
    private static final double SPARE_INPUT = 1.06;
    /** Most poor segments of a stream; with one more the rest of it is the session's. */
    private static final int MOST_POOR_SEGMENTS = 8;
    /** A poor segment takes less than one part in so many of its input, and fills less than that of its output. */
    private static final int POOR_SHARE = 4;
    /** A segment may be longer by one part in so many if the unit ends with it. */
    private static final int REST_SHARE = 4;
    /** Share of lent memory up to which a stream may take more than it needs to work well beside others. */
    private static final double QUIET = 0.25;
    /** Share of lent memory above which a stream takes nothing that it needs later. */
    private static final double NEARLY_FULL = 0.75;

    private final DevicePool pool;
    private final DeviceChoices choices;
    private final Format format;
    private final DeviceChoice choice;
    private final CodecOptions options;
    private final WorkMeter meter;
    private final String program;
    private final int leastInputBytes;

    private double ratio = FIRST_RATIO;
    private int poorSegments;
    /**
     * Whether a wait for memory is worth it: the last one was not in vain. An index scan asks again behind each block.
     */
    private boolean waitsForMemory = true;

    private boolean left;
    private InFlight<J> next;
    private final SegmentOutput output = new SegmentOutput();

    private long bytesIn;
    private long bytesOut;
    private long nanos;

    /** A segment under way. */
    private record InFlight<J>(DeviceLease lease, J job, HedgedWait patience, long startNanos) {}

    /**
     * @param program that decodes segments
     * @param leastInputBytes below this the way to a device and back takes longer than a core
     * @param cpuNanosPerMebibyte what a core takes for a mebibyte of raw bytes until that is seen
     */
    protected GpuSegments(
            DevicePool pool,
            DeviceChoices choices,
            Format format,
            CodecOptions options,
            WorkMeter meter,
            String program,
            int leastInputBytes,
            double cpuNanosPerMebibyte) {
        this.pool = pool;
        this.choices = choices;
        this.choice = choices.ofSessions(format, options, cpuNanosPerMebibyte, true);
        this.format = format;
        this.options = options;
        this.meter = meter;
        this.program = program;
        this.leastInputBytes = leastInputBytes;
    }

    /** Whether it stands at the unit's begin. */
    protected abstract boolean isBegin();

    /** Whether the unit's last segment is done. */
    protected abstract boolean ended();

    /**
     * Most compressed bytes of a segment.
     *
     * @param inputBytes of its lease at most
     * @param outputBytes of its lease
     */
    protected abstract int mostSegmentBytes(int inputBytes, int outputBytes);

    /** Most that a segment decodes to where its lease has so many bytes of output. */
    protected int mostRawBytes(int outputBytes) {
        return outputBytes;
    }

    /** Output of a segment that ends the unit; {@link Long#MAX_VALUE} if that is not known. */
    protected long restOutputBytes() {
        return Long.MAX_VALUE;
    }

    /** Whether what segments decode to is wanted. */
    protected boolean keepsOutput() {
        return true;
    }

    /**
     * Cuts a segment where the unit stands; null if that cannot be, or is not worth it ({@link #cutRefusal}).
     *
     * @param input of the unit, from position on
     * @param segmentBytes compressed bytes that are enough, not more than there are
     * @param outputBytes of its lease at most
     * @param mostRawBytes that it may decode to
     */
    protected abstract J cut(ByteBuffer input, int segmentBytes, int outputBytes, int mostRawBytes);

    /** Why the last cut gave nothing. */
    protected FallbackReason cutRefusal() {
        return FallbackReason.SEGMENT_REFUSED;
    }

    /** Has the next segment cut shorter than this one, which a device refused. False if that cannot make it sound. */
    protected boolean cutsShorter(J refused) {
        return false;
    }

    /** Whether a segment has brought the unit no further. */
    protected abstract boolean isInVain(J done);

    /**
     * Goes behind a segment. False if the session cannot go on from there.
     *
     * @param results its output
     */
    protected abstract boolean pass(J done, ByteBuffer results);

    @Override
    public int leastInputBytes() {
        return leastInputBytes;
    }

    /**
     * Enough for two segments, one of them under way while the other is taken; at a stream's begin no more than these
     * need, since nothing is under way while that is gathered.
     */
    @Override
    public int usefulInputBytes() {
        boolean begins = isBegin() && keepsOutput();
        return Math.max(leastInputBytes, 2 * (begins ? expectedInputBytes(spaceBytes()) : mostInputBytes()));
    }

    /** Input of a segment that decodes to so many bytes. */
    private int expectedInputBytes(int rawBytes) {
        return (int) Math.min(mostInputBytes(), Math.max(leastInputBytes, rawBytes / ratio * SPARE_INPUT));
    }

    private int mostInputBytes() {
        return mostSegmentBytes(leaseInputBytes(), Math.min(pool.mostLeaseBytes(), MOST_LEASE_BYTES));
    }

    private int leaseInputBytes() {
        return Math.min(pool.mostInputBytes(program), MOST_LEASE_BYTES);
    }

    /**
     * Space for a segment's output: the longer a segment, the faster it is by itself, and the fewer streams have one
     * at once. What would be left of the unit behind it goes along if that is not much.
     */
    private int spaceBytes() {
        int most = pool.lentShare() <= QUIET ? pool.mostOutputBytes(program) : pool.mostLeaseBytes();
        int space = Math.min(pool.isCrowded() ? most / 2 : most, MOST_LEASE_BYTES);
        long rest = restOutputBytes();
        boolean endsSoon = rest > space && rest <= space + space / REST_SHARE && rest <= pool.mostOutputBytes(program);
        return endsSoon ? (int) Math.min(rest, MOST_LEASE_BYTES) : space;
    }

    /** Forgets everything; another unit begins. */
    protected void restart() {
        drop();
        ratio = FIRST_RATIO;
        poorSegments = 0;
        waitsForMemory = true;
        left = false;
    }

    /** Forgets everything but how long it has waited. */
    protected void restartInTheMiddle() {
        boolean waited = waitsForMemory;
        restart();
        waitsForMemory = waited;
    }

    private void drop() {
        if (next != null) {
            next.lease.close();
            next = null;
        }
        output.close();
    }

    @Override
    public boolean advance(ByteBuffer input) throws IOException {
        long start = System.nanoTime();
        try {
            left |= ended() || !advanceOnDevice(input);
        } finally {
            nanos += System.nanoTime() - start;
        }
        if (left) {
            drop();
        }
        return !left;
    }

    private boolean advanceOnDevice(ByteBuffer input) throws IOException {
        try {
            while (!left) {
                if (next == null && !begin(input)) {
                    return false;
                }
                InFlight<J> current = next;
                next = null;
                DeviceLease lease = current.lease;
                FallbackReason refusal = null;
                boolean again = false;
                boolean passed = false;
                try {
                    refusal = current.patience.await(lease);
                    again = refusal == null && !current.job.sound() && cutsShorter(current.job);
                    passed = refusal == null
                            && !again
                            && isOfUse(current.job)
                            && lease.read(bytes -> pass(current, bytes, input))
                            && !left;
                } finally {
                    if (!passed) {
                        lease.close();
                    }
                }
                if (passed) {
                    open(current, input);
                    return true;
                }
                if (again) {
                    if (!begin(input)) {
                        return false;
                    }
                    next.patience.follow(current.patience);
                    continue;
                }
                // results that waited too long for a slow reader gave way to others: they are to be had again
                if (!left && !lease.wasRevoked()) {
                    return leave(refusal == null ? lease.failure() : refusal);
                }
            }
            return false;
        } catch (InterruptedException interrupted) {
            throw Interruption.of(interrupted, Direction.DECODE);
        }
    }

    private boolean isOfUse(J job) {
        if (!job.sound()) {
            return leave(FallbackReason.SEGMENT_REFUSED);
        }
        return !isInVain(job) || leave(FallbackReason.SEGMENT_EMPTY);
    }

    /** Goes behind a segment. */
    private void pass(InFlight<J> done, ByteBuffer bytes, ByteBuffer input) {
        J job = done.job;
        int endByte = job.endByte();
        if (!pass(job, bytes)) {
            leave(FallbackReason.SEGMENT_REFUSED);
            return;
        }
        input.position(input.position() + endByte);
        bytesIn += endByte;
        bytesOut += job.rawBytes();
        meter.count(0, endByte, job.rawBytes(), System.nanoTime() - done.startNanos);
        if (endByte < job.segmentBytes() / POOR_SHARE && job.rawBytes() < job.outputBytes() / POOR_SHARE) {
            poorSegments++;
        }
        if (endByte > 0) {
            ratio = Math.max(1, (double) job.rawBytes() / endByte);
        }
    }

    /** Makes a segment's output the one to take, and has the next one begun. */
    private void open(InFlight<J> done, ByteBuffer input) {
        if (done.job.rawBytes() < DeviceChoice.PIPELINED_BYTES) {
            choice.turnedAround(done.lease.elapsedNanos(), pool.nanoTime());
        }
        output.open(done.lease, done.job.headBytes(), keepsOutput() ? done.job.rawBytes() : 0);
        // a stream has no second lease while others may have none
        if (pool.lentShare() > NEARLY_FULL) {
            output.copyAll(done.job.outputBytes());
        } else if (!ended()) {
            tryBegin(input);
        }
    }

    /** Begins a segment where the stream stands, and waits for memory of the pool as long as for results. */
    private boolean begin(ByteBuffer input) throws InterruptedException {
        FallbackReason[] reason = {tryBegin(input)};
        if (reason[0] == FallbackReason.POOL_FULL && waitsForMemory) {
            HedgedWait wait = choices.hedge(choice, options, expectedRawBytes(input), pool);
            wait.attempt(() -> (reason[0] = tryBegin(input)) != FallbackReason.POOL_FULL);
            waitsForMemory = next != null;
            if (next != null) {
                next.patience.follow(wait);
            }
        }
        return reason[0] == null || leave(reason[0]);
    }

    /** Raw bytes that the next segment may come to. */
    private int expectedRawBytes(ByteBuffer input) {
        return (int) Math.min(spaceBytes(), ratio * input.remaining());
    }

    /** Begins a segment where the stream stands, or says why not. */
    private FallbackReason tryBegin(ByteBuffer input) {
        long start = System.nanoTime();
        if (poorSegments > MOST_POOR_SEGMENTS) {
            return FallbackReason.SEGMENTS_SHORT;
        }
        int mostBytes = Math.min(input.remaining(), mostInputBytes());
        if (mostBytes < leastInputBytes) {
            FallbackReason unavailable = pool.unavailableReason();
            boolean isShort = input.remaining() < leastInputBytes;
            return unavailable != null ? unavailable : isShort ? FallbackReason.SEGMENT_SHORT : FallbackReason.SESSION;
        }
        int outputBytes = spaceBytes();
        int mostRawBytes = mostRawBytes(outputBytes);
        int fittingBytes = mostSegmentBytes(leaseInputBytes(), outputBytes);
        boolean endsUnit = restOutputBytes() <= outputBytes;
        int enoughBytes = endsUnit ? mostBytes : expectedInputBytes(mostRawBytes);
        int segmentBytes = Math.min(Math.min(mostBytes, fittingBytes), enoughBytes);
        int expectedBytes = (int) Math.min(mostRawBytes, ratio * segmentBytes);
        J job = cut(input, segmentBytes, outputBytes, mostRawBytes);
        if (job == null) {
            return cutRefusal();
        }
        // a large segment counts as a large batch: what a stream once gives up it does not get back
        DeviceChoices.Verdict verdict = choices.choose(choice, options, expectedBytes, expectedBytes, pool);
        if (verdict == DeviceChoices.Verdict.CPU) {
            return FallbackReason.AUTO;
        }
        if (verdict == DeviceChoices.Verdict.CPU_WHILE_DEVICES_REST) {
            return FallbackReason.POOL_RESTS;
        }
        DeviceLease lease = pool.tryLease(program, job.inputBytes(), job.outputBytes(), job.entryCount());
        if (lease != null) {
            lease.fill(memory -> job.fill(memory, input));
            lease.submit(job);
        }
        if (verdict == DeviceChoices.Verdict.CPU_BESIDE_DEVICE) {
            choices.tried(choice, expectedBytes, pool, lease);
            return FallbackReason.POOL_RESTS;
        }
        if (lease == null) {
            return pool.refusalReason(program, job.inputBytes(), job.outputBytes(), job.entryCount());
        }
        HedgedWait wait = choices.hedge(choice, options, expectedBytes, pool);
        next = new InFlight<>(lease, job, wait, start);
        return null;
    }

    private boolean leave(FallbackReason reason) {
        left = true;
        Metrics.countFallback(Direction.DECODE, format, reason);
        return false;
    }

    @Override
    public int outputBytes() {
        return output.remaining();
    }

    @Override
    public boolean take(ByteBuffer target) {
        boolean there = output.take(target);
        if (!there) {
            Metrics.countFallback(Direction.DECODE, format, FallbackReason.RESULTS_REVOKED);
        }
        return there;
    }

    @Override
    public void sessionDid(int bytes, long took) {
        choice.cpuDid(bytes, took);
    }

    @Override
    public long bytesIn() {
        return bytesIn;
    }

    @Override
    public long bytesOut() {
        return bytesOut;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public void close() {
        drop();
    }
}
