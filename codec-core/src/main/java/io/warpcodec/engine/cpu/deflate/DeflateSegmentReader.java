package io.warpcodec.engine.cpu.deflate;

import io.warpcodec.engine.cpu.base.SegmentReader;
import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.engine.gzip.StreamPosition;
import io.warpcodec.format.checksum.Crc32Combine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;

/**
 * Segments of a DEFLATE stream. Where the Inflater decodes one again, its CRC-32 has to be the device's. Not
 * thread-safe.
 */
final class DeflateSegmentReader extends SegmentReader {
    private final SegmentDecoder segments;
    private StreamPosition start = StreamPosition.BEGIN;

    DeflateSegmentReader(SegmentDecoder segments) {
        super(segments);
        this.segments = segments;
    }

    @Override
    protected void keepStart() {
        start = segments.position();
    }

    @Override
    protected byte[] decodeAgain(ByteBuffer input, int inputBytes, int rawBytes) throws IOException {
        byte[] bytes = new byte[rawBytes];
        ByteBuffer output = ByteBuffer.wrap(bytes);
        try (InflateBody body = new InflateBody()) {
            body.resume(start.bit(), start.window(), start.header(), start.headerBits());
            body.inflate(input, output);
        } catch (DataFormatException bad) {
            throw new IOException("zlib finds the DEFLATE data invalid that a device has decoded", bad);
        }
        CRC32 crc = new CRC32();
        crc.update(bytes);
        int crcBehind = Crc32Combine.combine(start.crc32(), (int) crc.getValue(), rawBytes);
        if (output.hasRemaining() || crcBehind != segments.position().crc32()) {
            throw new IOException("zlib decodes to other bytes what a device decoded to " + rawBytes);
        }
        return bytes;
    }
}
