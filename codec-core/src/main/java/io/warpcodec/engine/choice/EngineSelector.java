package io.warpcodec.engine.choice;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.LongRepeats;
import io.warpcodec.engine.WaitBounds;
import io.warpcodec.engine.ZstdLevels;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;

/**
 * Picks the engine for each batch, with the reason. Thread-safe.
 *
 * <p>The CPU is always there. The accelerator may be unavailable; then {@link #unavailableReason} says why. In
 * {@link Mode#GPU} it is looked for and started at the first batch, in {@link Mode#CPU} never, in {@link Mode#AUTO}
 * once its start pays ({@link AcceleratorStart}): until then all work is the CPU's, as in {@link Mode#CPU}. From then
 * on a batch goes to the accelerator when it supports the work; what it cannot take at the moment, or what it expects
 * to cost more there, it gives to the CPU itself, request by request.
 */
public final class EngineSelector {
    private final LendingEngine cpu;
    private final AcceleratorStart start;
    private final Engine cpuBesideStart;
    private final Runnable onAccelerator;

    /** @param start finds the accelerator */
    public EngineSelector(LendingEngine cpu, AcceleratorStart start) {
        this(cpu, start, new CpuBesideStart(cpu, start), () -> {});
    }

    private EngineSelector(LendingEngine cpu, AcceleratorStart start, Engine cpuBesideStart, Runnable onAccelerator) {
        this.cpu = cpu;
        this.start = start;
        this.cpuBesideStart = cpuBesideStart;
        this.onAccelerator = onAccelerator;
    }

    /**
     * A selector of these engines that tells when it hands out the accelerator.
     *
     * @param onAccelerator runs whenever this selector is about to hand out the accelerator, on the thread that asks
     */
    public EngineSelector observed(Runnable onAccelerator) {
        return new EngineSelector(cpu, start, cpuBesideStart, onAccelerator);
    }

    /** The CPU engine. */
    public LendingEngine cpu() {
        return cpu;
    }

    /** The other engine, looked for if it was not, or null. */
    public Engine accelerator() {
        return handedOut(start.found().accelerator());
    }

    private Engine handedOut(Engine accelerator) {
        if (accelerator != null) {
            onAccelerator.run();
        }
        return accelerator;
    }

    /**
     * The other engine where these options allow it, or null; in {@link Mode#AUTO} only if it has been found already.
     */
    public Engine accelerator(CodecOptions options) {
        return switch (options.mode()) {
            case CPU -> null;
            case AUTO -> {
                AcceleratorStart.Found known = start.known();
                yield known == null ? null : handedOut(known.accelerator());
            }
            case GPU -> accelerator();
        };
    }

    /** Whether a stream with these options may come to hold memory of another engine, now or later. */
    public boolean mayUseAccelerator(CodecOptions options) {
        AcceleratorStart.Found known = start.known();
        return options.mode() != Mode.CPU && (known == null || known.accelerator() != null);
    }

    /** Why there is no accelerator, or null when there is one. Looks for it if that was not done. */
    public FallbackReason unavailableReason() {
        return start.found().unavailableReason();
    }

    /**
     * Whether such work may go to an engine that works by itself, so that streams read far ahead and keep more than
     * one batch in flight.
     */
    public boolean worksAhead(Format format, Direction direction, CodecOptions options) {
        if (cpu.isAsynchronous()) {
            return true;
        }
        Engine other = accelerator(options);
        return other != null && other.isAsynchronous() && other.supports(format, direction);
    }

    /**
     * How many decode batches of this format a stream keeps in flight now, the one it reads included: 1 where nothing
     * works ahead.
     */
    public int batchesInFlight(Format format, CodecOptions options) {
        if (!worksAhead(format, Direction.DECODE, options)) {
            return 1;
        }
        Engine other = accelerator(options);
        return (other == null ? cpu : other).batchesInFlight(format);
    }

    /** A selector with this accelerator, found or to be found, beside another CPU engine. */
    public EngineSelector withCpu(LendingEngine other) {
        return new EngineSelector(other, start, new CpuBesideStart(other, start), onAccelerator);
    }

    /**
     * Tells what the process is to do before long ({@link AcceleratorStart#expect}).
     *
     * @param level of what is encoded
     * @param bytes raw bytes to encode, or compressed bytes to decode
     * @param threads of the CPU engine
     */
    public void expectWork(Format format, Direction direction, int level, long bytes, int threads) {
        start.expect(format, direction, level, bytes, threads);
    }

    /**
     * Picks the engine for one batch. What AUTO does not give to the accelerator is counted with its reason.
     *
     * @throws IOException in {@link Mode#GPU} when the accelerator cannot do this; in {@link Mode#AUTO} if the thread
     *     was interrupted while it waited for devices
     */
    public Engine choose(Format format, Direction direction, CodecOptions options) throws IOException {
        return choose(format, direction, options, cpuBesideStart);
    }

    /**
     * A batch that is encoded.
     *
     * @param engine does it
     */
    public record Encoding(Engine engine, Batch<EncodedChunk> batch) {}

    /**
     * Picks an engine and submits raw chunks to it, as {@link Engine#encode}. While devices start, chunks of zstd's
     * strong levels wait for that, no longer than {@link WaitBounds#TIMES} times what the CPU takes for them at
     * least: it takes seconds for each.
     *
     * @throws IOException as {@link #choose}
     */
    public Encoding encode(Format format, CodecOptions options, List<Chunk> chunks) throws IOException {
        double waitedTimes = 0;
        int level = options.level(format);
        if (options.mode() == Mode.AUTO && format == Format.ZSTD && ZstdLevels.isStrong(level)) {
            start.consider();
            if (start.isUnderWay()) {
                waitedTimes = awaitStart(ZstdLevels.leastStrongNanos(level), chunks);
            }
        }
        Engine engine = choose(format, Direction.ENCODE, options);
        return new Encoding(engine, engine.encode(format, options, chunks, waitedTimes));
    }

    /** Waits for the start that is under way; returns how long, in times of what the CPU takes for the chunks. */
    private double awaitStart(double cpuNanosPerByte, List<Chunk> chunks) throws InterruptedIOException {
        long dearBytes = chunks.stream()
                .mapToLong(chunk -> LongRepeats.otherBytes(chunk.bytesView()))
                .sum();
        double cpuNanos = Math.max(1, cpuNanosPerByte * dearBytes);
        return start.awaitAtMost((long) (WaitBounds.TIMES * cpuNanos)) / cpuNanos;
    }

    /** @param besideStart gets the work while devices start */
    private Engine choose(Format format, Direction direction, CodecOptions options, Engine besideStart)
            throws IOException {
        if (options.mode() == Mode.CPU) {
            return cpu;
        }
        boolean insist = options.mode() == Mode.GPU;
        FallbackReason reason = refusal(format, direction, insist);
        if (reason == null) {
            return accelerator();
        }
        if (insist) {
            throw new IOException(
                    "mode=gpu, but " + format.word() + " cannot be " + direction.word() + "d on a device: " + reason);
        }
        Metrics.countFallback(direction, format, reason);
        return reason == FallbackReason.POOL_STARTING ? besideStart : cpu;
    }

    /** Why the accelerator does not get such work now; null if it does. */
    private FallbackReason refusal(Format format, Direction direction, boolean insist) throws InterruptedIOException {
        if (!insist) {
            boolean gains = StartCosts.savedShare(format) > 0;
            if (gains) {
                start.consider();
                start.awaitExpected();
            }
            if (start.known() == null) {
                return !gains
                        ? FallbackReason.UNSUPPORTED
                        : start.isUnderWay() ? FallbackReason.POOL_STARTING : FallbackReason.START_UNPAID;
            }
        }
        Engine accelerator = accelerator();
        if (accelerator == null) {
            return unavailableReason();
        }
        return accelerator.supports(format, direction)
                ? accelerator.unavailableReason(insist)
                : FallbackReason.UNSUPPORTED;
    }

    /**
     * Picks the engine for a session, which stays where it is begun: in {@link Mode#AUTO} this starts an accelerator
     * and waits for it, if what is known to come is worth that.
     *
     * @param expectedBytes compressed bytes that the session is to get at least
     * @throws IOException as {@link #choose}, or if the thread was interrupted while it waited
     */
    public Engine chooseForSession(Format format, CodecOptions options, long expectedBytes) throws IOException {
        if (options.mode() == Mode.AUTO) {
            start.awaitIfWorth(format, expectedBytes);
        }
        return choose(format, Direction.DECODE, options, cpu);
    }
}
