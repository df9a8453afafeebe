package io.warpcodec.engine;

import io.warpcodec.metrics.FallbackReason;

/**
 * An engine cannot be had in this process: an ordinary answer, not a fault. The message is a sentence for a log line.
 */
public final class EngineUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final FallbackReason code;

    /**
     * @param code why, for the counters
     * @param reason why, for people
     */
    public EngineUnavailableException(FallbackReason code, String reason) {
        super(reason);
        this.code = code;
    }

    /** Why, for the counters. */
    public FallbackReason code() {
        return code;
    }
}
