package io.warpcodec;

/** Which way an engine works. */
public enum Direction {
    DECODE("decode"),
    ENCODE("encode");

    private final String word;

    Direction(String word) {
        this.word = word;
    }

    /** The word in metrics and messages. */
    public String word() {
        return word;
    }
}
