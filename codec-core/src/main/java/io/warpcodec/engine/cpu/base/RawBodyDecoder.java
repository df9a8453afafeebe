package io.warpcodec.engine.cpu.base;

import java.util.zip.DataFormatException;

/** Decodes bodies that carry no container: raw Snappy, raw LZ4 blocks. Not thread-safe. */
public interface RawBodyDecoder {
    /**
     * The size that decoding this body needs room for: what the body declares, or an upper bound where it does not say.
     *
     * @param limitRawBytes most bytes that the body may decode to
     * @return at most {@code limitRawBytes}, and never more than the body's length could possibly make
     * @throws DataFormatException if the body declares more than it may, or is malformed
     */
    int roomFor(byte[] body, int start, int bytes, int limitRawBytes) throws DataFormatException;

    /**
     * Decodes a whole body.
     *
     * @param roomBytes what {@link #roomFor} gave; there is at least this much in the target
     * @return bytes written, at most {@code roomBytes}
     * @throws DataFormatException if the body is bad or does not fit
     */
    int decode(byte[] body, int start, int bytes, byte[] target, int targetStart, int roomBytes)
            throws DataFormatException;
}
