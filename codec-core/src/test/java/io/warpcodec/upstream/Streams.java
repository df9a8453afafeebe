package io.warpcodec.upstream;

/** Streams that our codecs wrote and read. */
public record Streams(long encoded, long decoded) {
    public Streams minus(Streams other) {
        return new Streams(encoded - other.encoded, decoded - other.decoded);
    }

    /** Both. */
    public long sum() {
        return encoded + decoded;
    }
}
