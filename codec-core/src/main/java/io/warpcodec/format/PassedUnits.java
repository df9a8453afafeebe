package io.warpcodec.format;

/** The state of a scanner that only knows whether a unit has passed. */
public enum PassedUnits implements ScannerState {
    /** At the start of a stream. */
    NONE,
    /** Behind a unit. */
    SOME;

    /** The state with or without any. */
    public static PassedUnits of(boolean any) {
        return any ? SOME : NONE;
    }
}
