package io.warpcodec;

import java.io.IOException;

/** Compressed data that breaks its format or fails its checksum. Carries where and why. */
public final class CorruptDataException extends IOException {
    private final long offset;
    private final String reason;

    /**
     * @param format the format that was broken
     * @param offset byte offset in the compressed stream at which the unit in question starts or the defect was seen
     * @param reason what is wrong, a clause without a full stop
     */
    public CorruptDataException(Format format, long offset, String reason) {
        super("corrupt " + format.word() + " data at offset " + offset + ": " + reason);
        this.offset = offset;
        this.reason = reason;
    }

    /** Byte offset in the compressed stream. */
    public long offset() {
        return offset;
    }

    /** What is wrong. */
    public String reason() {
        return reason;
    }
}
