package io.warpcodec.engine;

import java.io.IOException;

/** The engine failed, not the data: the caller does the work again on the CPU from the input that it still holds. */
public final class EngineFailedException extends IOException {
    /** @param reason for the log */
    public EngineFailedException(String reason) {
        super(reason);
    }
}
