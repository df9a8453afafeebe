package io.warpcodec.engine.gpu.lz4;

import static io.warpcodec.format.lz4.Lz4Format.WINDOW_BYTES;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.engine.BlockRun;
import io.warpcodec.engine.BlockRunDecoder;
import io.warpcodec.engine.gpu.block.BlockJob;
import io.warpcodec.engine.gpu.choice.DeviceChoice;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.request.Interruption;
import io.warpcodec.format.lz4.Lz4Format;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decodes runs of LZ4 blocks on the pool's devices, one run at a time, each as one lease. What is not decoded is
 * counted with its reason.
 */
final class Lz4GpuRunDecoder implements BlockRunDecoder {
    // A block that refers to the ones before needs their bytes as sources. Those that the device decodes itself it has;
    // the history of the run and stored blocks go to it as blocks of literals. So there is one kind of block.

    /** Below this the way to a device and back takes longer than a core: 1 MiB decodes in half a millisecond. */
    private static final int LEAST_RAW_BYTES = 1 << 20;

    /** Enough for most runs of {@link #LEAST_RAW_BYTES} and more, whatever they compress to. */
    private static final int USEFUL_INPUT_BYTES = 4 << 20;

    /** Space for the history, in the input or in the output. */
    private static final int HISTORY_BYTES = aligned(literalsBytes(WINDOW_BYTES));

    private static final int MOST_BLOCKS = 1024;
    private static final int ALIGNMENT_BYTES = 16;
    private static final int NIBBLE_MAX = 15;
    private static final int LENGTH_CONTINUES = 255;

    private final DevicePool pool;
    private final DeviceChoices choices;
    private final DeviceChoice choice;
    private final CodecOptions options;
    private final WorkMeter meter;
    private long bytesIn;
    private long bytesOut;
    private long nanos;

    Lz4GpuRunDecoder(DevicePool pool, DeviceChoices choices, CodecOptions options, WorkMeter meter) {
        this.pool = pool;
        this.choices = choices;
        this.choice = choices.ofSessions(Format.LZ4, options, Lz4GpuFormat.CPU_DECODE_NANOS, false);
        this.options = options;
        this.meter = meter;
    }

    @Override
    public int leastRawBytes() {
        return LEAST_RAW_BYTES;
    }

    @Override
    public int mostRawBytes(boolean linked) {
        return Math.max(0, pool.mostLeaseBytes() - (linked ? HISTORY_BYTES : 0));
    }

    @Override
    public int usefulInputBytes() {
        return USEFUL_INPUT_BYTES;
    }

    @Override
    public int decode(BlockRun run, ByteBuffer target, int targetAt) throws IOException {
        long start = System.nanoTime();
        int rawBytes = decodeOnDevice(run, target, targetAt);
        long took = System.nanoTime() - start;
        nanos += took;
        if (rawBytes >= 0) {
            bytesIn += run.bytes();
            bytesOut += rawBytes;
            meter.count(1, run.bytes(), rawBytes, took);
        }
        return rawBytes;
    }

    private int decodeOnDevice(BlockRun run, ByteBuffer target, int targetAt) throws IOException {
        long start = System.nanoTime();
        BlockJob job = new BlockJob();
        int inputBytes = plan(run, job);
        if (job.entryCount() > MOST_BLOCKS) {
            return left(FallbackReason.MANY_BLOCKS, NOT_NOW);
        }
        DeviceChoices.Verdict verdict = choices.choose(choice, options, run.rawBytes(), 0, pool);
        if (verdict == DeviceChoices.Verdict.CPU) {
            return left(FallbackReason.AUTO, NOT_NOW);
        }
        if (verdict == DeviceChoices.Verdict.CPU_WHILE_DEVICES_REST) {
            return left(FallbackReason.POOL_RESTS, NOT_NOW);
        }
        DeviceLease lease = submit(run, job, inputBytes);
        if (verdict == DeviceChoices.Verdict.CPU_BESIDE_DEVICE) {
            choices.tried(choice, run.rawBytes(), pool, lease);
            return left(FallbackReason.POOL_RESTS, NOT_NOW);
        }
        if (lease == null) {
            return left(
                    pool.refusalReason(Lz4GpuFormat.LONG_BLOCKS, inputBytes, job.outputLimit(), job.entryCount()),
                    NOT_NOW);
        }
        try (lease) {
            long submitted = System.nanoTime();
            FallbackReason refusal =
                    choices.hedge(choice, options, run.rawBytes(), pool).await(lease);
            if (refusal != null) {
                return left(refusal, NOT_NOW);
            }
            long done = System.nanoTime();
            int last = job.entryCount() - 1;
            if (!job.isSound(0, last) || !job.result(last).isSound()) {
                return left(FallbackReason.BLOCK_REFUSED, REFUSED);
            }
            int first = job.entryCount() - run.blocks().size();
            int rawBytes =
                    job.outputAt(last) - job.outputAt(first) + job.result(last).outputBytes();
            byte[] array = target.array();
            int at = target.arrayOffset() + targetAt;
            boolean read = lease.read(output -> output.get(job.outputAt(first), array, at, rawBytes));
            if (!read) {
                return left(lease.failure(), NOT_NOW);
            }
            long hostNanos = submitted - start + System.nanoTime() - done;
            choice.turnedAround(lease.elapsedNanos() + hostNanos, pool.nanoTime());
            return rawBytes;
        } catch (InterruptedException interrupted) {
            throw Interruption.of(interrupted, Direction.DECODE);
        }
    }

    /** Gives a run to a device; null if there is no memory. */
    private DeviceLease submit(BlockRun run, BlockJob job, int inputBytes) {
        DeviceLease lease = pool.tryLease(Lz4GpuFormat.LONG_BLOCKS, inputBytes, job.outputLimit(), job.entryCount());
        if (lease != null) {
            lease.fill(memory -> fill(run, job, memory));
            lease.submit(job);
        }
        return lease;
    }

    private static int left(FallbackReason reason, int answer) {
        Metrics.countFallback(Direction.DECODE, Format.LZ4, reason);
        return answer;
    }

    /**
     * Puts the blocks into the job: the history first, its end at {@link Lz4Format#WINDOW_BYTES}. Returns the bytes
     * of input.
     */
    private static int plan(BlockRun run, BlockJob job) {
        int inputAt = 0;
        int outputAt = 0;
        int windowBytes = 0;
        if (run.linked() && run.historyBytes() > 0) {
            windowBytes = run.historyBytes();
            outputAt = WINDOW_BYTES;
            int bytes = literalsBytes(windowBytes);
            job.add(0, bytes, WINDOW_BYTES - windowBytes, windowBytes);
            inputAt = aligned(bytes);
        }
        for (BlockRun.Block block : run.blocks()) {
            int bytes = block.stored() ? literalsBytes(block.bytes()) : block.bytes();
            job.addWithWindow(inputAt, bytes, outputAt, block.rawBytes(), windowBytes);
            inputAt += aligned(bytes);
            outputAt += block.rawBytes();
            windowBytes = run.linked() ? Math.min(WINDOW_BYTES, windowBytes + block.rawBytes()) : 0;
        }
        return inputAt;
    }

    private static void fill(BlockRun run, BlockJob job, ByteBuffer input) {
        int first = job.entryCount() - run.blocks().size();
        if (first > 0) {
            putLiterals(run.history(), 0, run.historyBytes(), input.position(0));
        }
        for (BlockRun.Block block : run.blocks()) {
            int at = job.inputAt(first++);
            if (block.stored()) {
                putLiterals(run.input(), block.at(), block.bytes(), input.position(at));
            } else {
                input.put(at, run.input(), block.at(), block.bytes());
            }
        }
    }

    private static int aligned(int bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /** Length of so many bytes as an LZ4 block of nothing but literals. */
    private static int literalsBytes(int rawBytes) {
        return 1 + (rawBytes < NIBBLE_MAX ? 0 : (rawBytes - NIBBLE_MAX) / LENGTH_CONTINUES + 1) + rawBytes;
    }

    /** Writes that block. */
    private static void putLiterals(ByteBuffer raw, int at, int rawBytes, ByteBuffer target) {
        target.put((byte) (Math.min(rawBytes, NIBBLE_MAX) << 4));
        if (rawBytes >= NIBBLE_MAX) {
            int rest = rawBytes - NIBBLE_MAX;
            for (; rest >= LENGTH_CONTINUES; rest -= LENGTH_CONTINUES) {
                target.put((byte) LENGTH_CONTINUES);
            }
            target.put((byte) rest);
        }
        target.put(target.position(), raw, at, rawBytes);
    }

    @Override
    public void sessionDid(int rawBytes, long took) {
        choice.cpuDid(rawBytes, took);
    }

    @Override
    public void leave() {
        Metrics.countFallback(Direction.DECODE, Format.LZ4, FallbackReason.SESSION);
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
}
