package io.warpcodec;

import java.io.EOFException;

/** The compressed stream ends inside a unit. An EOFException, as Hadoop's readers expect. */
public final class TruncatedDataException extends EOFException {
    private final long offset;
    private final String reason;

    /**
     * @param format the format that was cut
     * @param offset byte offset at which the stream ended
     * @param reason what was missing
     */
    public TruncatedDataException(Format format, long offset, String reason) {
        super("truncated " + format.word() + " data at offset " + offset + ": " + reason);
        this.offset = offset;
        this.reason = reason;
    }

    /** Byte offset at which the stream ended. */
    public long offset() {
        return offset;
    }

    /** What was missing. */
    public String reason() {
        return reason;
    }
}
