package io.warpcodec.engine;

/** An engine cannot be had in this process: an ordinary answer, not a fault. The message is a sentence for a log line. */
public final class EngineUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String code;

    /**
     * @param code why, as one word for counters: {@code no-driver}
     * @param reason why, for people
     */
    public EngineUnavailableException(String code, String reason) {
        super(reason);
        this.code = code;
    }

    /** Why, as one word for counters. */
    public String code() {
        return code;
    }
}
