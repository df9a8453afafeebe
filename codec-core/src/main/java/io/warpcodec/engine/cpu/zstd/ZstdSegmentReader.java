package io.warpcodec.engine.cpu.zstd;

import com.github.luben.zstd.ZstdIOException;
import io.warpcodec.engine.cpu.base.SegmentReader;
import io.warpcodec.engine.zstd.ZstdHandOver;
import io.warpcodec.engine.zstd.ZstdPosition;
import io.warpcodec.engine.zstd.ZstdSegmentDecoder;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Segments of a zstd frame. Not thread-safe. */
final class ZstdSegmentReader extends SegmentReader {
    private final ZstdSegmentDecoder segments;
    private long windowBytes;
    private ZstdPosition start = ZstdPosition.BEGIN;

    ZstdSegmentReader(ZstdSegmentDecoder segments) {
        super(segments);
        this.segments = segments;
    }

    /** Another frame begins, with this window. */
    void begin(long frameWindowBytes) {
        reset();
        windowBytes = frameWindowBytes;
    }

    @Override
    protected void keepStart() {
        start = segments.position();
    }

    @Override
    protected byte[] decodeAgain(ByteBuffer input, int inputBytes, int rawBytes) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(ZstdHandOver.header(start, windowBytes));
        // of what lies behind, libzstd would decode a block ahead
        ByteBuffer segment = input.slice(input.position(), inputBytes);
        ByteBuffer source = segment.hasArray()
                ? segment
                : ByteBuffer.allocate(inputBytes).put(segment).flip();
        ByteBuffer target = ByteBuffer.allocate(rawBytes);
        try (ZstdStream stream = ZstdStream.at(start, windowBytes)) {
            stream.decode(header, target);
            boolean moves = true;
            while (target.hasRemaining() && moves) {
                int before = source.remaining() + target.remaining();
                stream.decode(source, target);
                moves = source.remaining() + target.remaining() < before;
            }
        } catch (ZstdIOException bad) {
            throw new IOException("libzstd finds the data invalid that a device has decoded", bad);
        }
        if (target.hasRemaining()) {
            throw new IOException("libzstd decodes to other bytes what a device decoded to " + rawBytes);
        }
        return target.array();
    }
}
