package io.warpcodec.engine.gzip;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.format.gzip.GzipPoint;
import java.io.IOException;
import java.io.InputStream;

/** The same by an engine that lets another one decode segments of the file: the CPU engine, which the engine of the devices helps. */
public interface HelpedGzipSeeking extends GzipSeeking {
    /** A session as {@link GzipSeeking#resumeSession} opens it. {@code segments} decodes what it can; null for no help. */
    DecodeSession resumeSession(GzipPoint point, byte[] window, SegmentDecoder segments);

    /**
     * The places as {@link GzipSeeking#walkBlocks} finds them.
     *
     * @param segments ends each segment where a block does, and need not keep its output; null for no help
     * @throws io.warpcodec.CorruptDataException if the file is bad
     */
    GzipPoint walkBlocks(InputStream gzip, BlockVisitor visitor, SegmentDecoder segments) throws IOException;

    @Override
    default DecodeSession resumeSession(CodecOptions options, GzipPoint point, byte[] window) {
        return resumeSession(point, window, null);
    }

    @Override
    default GzipPoint walkBlocks(CodecOptions options, InputStream gzip, BlockVisitor visitor) throws IOException {
        return walkBlocks(gzip, visitor, null);
    }
}
