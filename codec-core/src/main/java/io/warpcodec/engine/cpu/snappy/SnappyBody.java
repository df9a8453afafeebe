package io.warpcodec.engine.cpu.snappy;

import io.warpcodec.engine.cpu.base.RawBodyDecoder;
import io.warpcodec.engine.cpu.base.RawBodyEncoder;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.Window;
import io.warpcodec.format.snappy.SnappyFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import org.xerial.snappy.Snappy;

/**
 * Raw Snappy bodies through snappy-java. The library is called only when the declared size fits the output, because
 * it writes as much as a body declares, wherever that ends; libsnappy itself checks that the elements make exactly
 * the declared size.
 */
final class SnappyBody implements RawBodyDecoder, RawBodyEncoder {
    @Override
    public int capacityFor(byte[] body, int start, int bytes, int limitRawBytes) throws DataFormatException {
        Window window = new BufferWindow(ByteBuffer.wrap(body, start, bytes), 0);
        long rawBytes = SnappyFormat.declaredBytes(window, 0, bytes);
        if (rawBytes < 0) {
            throw new DataFormatException("the Snappy body's size is malformed");
        }
        if (rawBytes > limitRawBytes) {
            throw new DataFormatException(
                    "the Snappy body declares " + rawBytes + " bytes where at most " + limitRawBytes + " fit");
        }
        if (rawBytes > (long) bytes * SnappyFormat.MAX_EXPANSION) {
            throw new DataFormatException(
                    "the Snappy body declares " + rawBytes + " bytes, more than " + bytes + " bytes can make");
        }
        return (int) rawBytes;
    }

    @Override
    public int decode(byte[] body, int start, int bytes, byte[] target, int targetStart, int capacityBytes)
            throws DataFormatException {
        try {
            return Snappy.uncompress(body, start, bytes, target, targetStart);
        } catch (IOException bad) {
            throw new DataFormatException("the Snappy body is invalid: " + bad.getMessage());
        }
    }

    @Override
    public int maxBodyBytes(int rawBytes) {
        return Snappy.maxCompressedLength(rawBytes);
    }

    @Override
    public int encode(byte[] raw, int start, int bytes, byte[] target, int targetStart) throws IOException {
        return Snappy.compress(raw, start, bytes, target, targetStart);
    }
}
