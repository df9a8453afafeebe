package io.warpcodec.engine.cpu.snappy;

import io.warpcodec.engine.cpu.base.RawBodyDecoder;
import io.warpcodec.engine.cpu.base.RawBodyEncoder;
import io.warpcodec.format.snappy.SnappyFormat;
import java.io.IOException;
import java.util.zip.DataFormatException;
import org.xerial.snappy.Snappy;

/**
 * Raw Snappy bodies through snappy-java. The library is called only when the declared size fits the output, because it writes as
 * much as a body declares, wherever that ends; libsnappy itself checks that the elements make exactly the declared size.
 */
final class SnappyBody implements RawBodyDecoder, RawBodyEncoder {
    @Override
    public int capacityFor(byte[] body, int start, int bytes, int limitRawBytes) throws DataFormatException {
        long rawBytes = 0;
        int groups = 0;
        int group;
        do {
            if (groups == bytes || groups == SnappyFormat.MAX_VARINT_BYTES) {
                throw new DataFormatException("the Snappy body's size is malformed");
            }
            group = body[start + groups];
            rawBytes |= (group & 0x7fL) << 7 * groups++;
        } while (group < 0);
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
