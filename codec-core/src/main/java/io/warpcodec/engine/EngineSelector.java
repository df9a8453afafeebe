package io.warpcodec.engine;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;

/**
 * Picks the engine for each batch, with the reason. Immutable and thread-safe.
 *
 * <p>The CPU is always there. The accelerator may be absent; then {@code absence} says why. In {@link Mode#AUTO} a batch goes
 * to the accelerator when it supports the work; what it cannot take at the moment it refuses itself, chunk by chunk.
 */
public final class EngineSelector {
    private final Engine cpu;
    private final Engine accelerator;
    private final String absence;

    /**
     * @param accelerator null when there is none
     * @param absence one word for the counters why there is none: {@code no-driver}; null when there is one
     */
    public EngineSelector(Engine cpu, Engine accelerator, String absence) {
        this.cpu = cpu;
        this.accelerator = accelerator;
        this.absence = absence;
    }

    /** The CPU engine. */
    public Engine cpu() {
        return cpu;
    }

    /** The other engine, or null. */
    public Engine accelerator() {
        return accelerator;
    }

    /** Why there is no accelerator, in one word, or null when there is one. */
    public String absence() {
        return absence;
    }

    /** Whether an engine here works by itself, so that streams read far ahead and keep a second batch in flight. */
    public boolean isAsynchronous() {
        return cpu.isAsynchronous() || accelerator != null && accelerator.isAsynchronous();
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
        String reason = absence;
        if (accelerator != null) {
            if (accelerator.supports(format, direction)) {
                return accelerator;
            }
            reason = "unsupported";
        }
        if (options.mode() == Mode.GPU) {
            throw new IOException(
                    "mode=gpu, but " + format.word() + " cannot be " + direction.word() + "d on a device: " + reason);
        }
        Metrics.countFallback(direction.word(), format, reason);
        return cpu;
    }
}
