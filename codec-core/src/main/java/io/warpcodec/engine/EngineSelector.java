package io.warpcodec.engine;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * Picks the engine for each batch, with the reason. Thread-safe.
 *
 * <p>The CPU is always there. The accelerator may be absent; then {@code absence} says why. It is looked for when somebody first asks for
 * it, which nobody in {@link Mode#CPU} does. In {@link Mode#AUTO} a batch goes to the accelerator when it supports the work; what it cannot
 * take at the moment, or what it expects to cost more there, it gives to the CPU itself, request by request.
 */
public final class EngineSelector {
    private final Engine cpu;
    private final Supplier<Found> search;
    private volatile Found found;

    /**
     * What a search came to.
     *
     * @param accelerator null when there is none
     * @param absence one word for the counters why there is none: {@code no-driver}; null when there is one
     */
    public record Found(Engine accelerator, String absence) {}

    /**
     * @param search looks for the accelerator; run at most once
     */
    public EngineSelector(Engine cpu, Supplier<Found> search) {
        this.cpu = cpu;
        this.search = search;
    }

    /** The CPU engine. */
    public Engine cpu() {
        return cpu;
    }

    private Found found() {
        Found known = found;
        if (known == null) {
            synchronized (this) {
                if (found == null) {
                    found = search.get();
                }
                known = found;
            }
        }
        return known;
    }

    /** The other engine, or null. */
    public Engine accelerator() {
        return found().accelerator;
    }

    /** The other engine where these options allow it, or null. */
    public Engine accelerator(CodecOptions options) {
        return options.mode() == Mode.CPU ? null : accelerator();
    }

    /** Why there is no accelerator, in one word, or null when there is one. */
    public String absence() {
        return found().absence;
    }

    /** Whether such work may go to an engine that works by itself, so that streams read far ahead and keep more than one batch in flight. */
    public boolean worksAhead(Format format, Direction direction, CodecOptions options) {
        if (cpu.isAsynchronous()) {
            return true;
        }
        Engine other = accelerator(options);
        return other != null && other.isAsynchronous() && other.supports(format, direction);
    }

    /** How many decode batches of this format a stream keeps in flight now, the one it reads included: 1 where nothing works ahead. */
    public int batchesInFlight(Format format, CodecOptions options) {
        if (!worksAhead(format, Direction.DECODE, options)) {
            return 1;
        }
        Engine other = accelerator(options);
        return (other == null ? cpu : other).batchesInFlight(format);
    }

    /** The same accelerator, found or to be found, beside another CPU engine. */
    public EngineSelector withCpu(Engine other) {
        return new EngineSelector(other, this::found);
    }

    /**
     * Picks the engine for one batch. What AUTO does not give to the accelerator is counted with its reason.
     *
     * @throws IOException in {@link Mode#GPU} when the accelerator cannot do this
     */
    public Engine choose(Format format, Direction direction, CodecOptions options) throws IOException {
        if (options.mode() == Mode.CPU) {
            return cpu;
        }
        boolean insist = options.mode() == Mode.GPU;
        Engine accelerator = accelerator();
        String reason;
        if (accelerator == null) {
            reason = absence();
        } else if (!accelerator.supports(format, direction)) {
            reason = "unsupported";
        } else {
            reason = accelerator.absence(insist);
            if (reason == null) {
                return accelerator;
            }
        }
        if (insist) {
            throw new IOException(
                    "mode=gpu, but " + format.word() + " cannot be " + direction.word() + "d on a device: " + reason);
        }
        Metrics.countFallback(direction.word(), format, reason);
        return cpu;
    }

    /**
     * Picks the engine for a session, which stays where it is begun: in {@link Mode#AUTO} this waits for an accelerator that is only starting, as long as it is
     * worth it.
     *
     * @param expectedBytes compressed bytes that the session is to get at least
     * @throws IOException as {@link #choose}, or if the thread was interrupted while it waited
     */
    public Engine chooseForSession(Format format, CodecOptions options, long expectedBytes) throws IOException {
        Engine accelerator = accelerator(options);
        if (accelerator != null && options.mode() == Mode.AUTO && accelerator.supports(format, Direction.DECODE)) {
            accelerator.awaitStart(format, options, expectedBytes);
        }
        return choose(format, Direction.DECODE, options);
    }
}
