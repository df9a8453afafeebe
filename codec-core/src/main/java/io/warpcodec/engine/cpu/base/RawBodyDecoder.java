package io.warpcodec.engine.cpu.base;

import java.util.zip.DataFormatException;

/** Decodes bodies that carry no container: raw Snappy. Not thread-safe. */
public interface RawBodyDecoder {
    /**
     * The output capacity that decoding this body needs, in bytes: what the body declares, or an upper bound where it
     * does not say.
     *
     * @param limitRawBytes most bytes that the body may decode to
     * @return at most {@code limitRawBytes}, and never more than the body's length could possibly make
     * @throws DataFormatException if the body declares more than it may, or is malformed
     */
    int capacityFor(byte[] body, int start, int bytes, int limitRawBytes) throws DataFormatException;

    /**
     * Decodes a whole body.
     *
     * @param capacityBytes what {@link #capacityFor} gave; the target has at least this much
     * @return bytes written, at most {@code capacityBytes}
     * @throws DataFormatException if the body is bad or does not fit
     */
    int decode(byte[] body, int start, int bytes, byte[] target, int targetStart, int capacityBytes)
            throws DataFormatException;
}
