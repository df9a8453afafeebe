package io.warpcodec.format.gzip;

import java.io.IOException;

/** A side-car index that cannot be used. The file beside it may be perfectly good. */
public final class GzipIndexException extends IOException {
    private static final long serialVersionUID = 1;

    /** What is wrong with the index. */
    public enum Defect {
        /** Damaged, cut short, of another version, or no index at all. */
        UNREADABLE,
        /** The index of another file, or of what this one was before. */
        STALE,
        /** Whole, but what it says cannot be true. */
        LYING
    }

    private final Defect defect;

    public GzipIndexException(Defect defect, String reason) {
        super(reason);
        this.defect = defect;
    }

    public Defect defect() {
        return defect;
    }
}
