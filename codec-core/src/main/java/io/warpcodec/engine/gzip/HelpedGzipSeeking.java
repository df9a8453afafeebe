package io.warpcodec.engine.gzip;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.format.gzip.GzipSeekPoint;
import java.io.IOException;
import java.io.InputStream;

/**
 * Seeking by an engine that lets another engine decode segments of the file. It is the CPU engine, which the engine
 * of the devices helps.
 */
public interface HelpedGzipSeeking extends GzipSeeking {
    /**
     * A session as {@link GzipSeeking#resumeSession} opens it. {@code segments} decodes what it can; null for no help.
     */
    DecodeSession resumeSession(GzipSeekPoint point, byte[] window, SegmentDecoder segments);

    /**
     * The places as {@link GzipSeeking#scanForSeekPoints} finds them.
     *
     * @param segments ends each segment where a block does, and need not keep its output; null for no help
     * @throws io.warpcodec.CorruptDataException if the file is bad
     */
    GzipSeekPoint scanForSeekPoints(InputStream gzip, SeekPointVisitor visitor, SegmentDecoder segments)
            throws IOException;

    @Override
    default DecodeSession resumeSession(CodecOptions options, GzipSeekPoint point, byte[] window) {
        return resumeSession(point, window, null);
    }

    @Override
    default GzipSeekPoint scanForSeekPoints(CodecOptions options, InputStream gzip, SeekPointVisitor visitor)
            throws IOException {
        return scanForSeekPoints(gzip, visitor, null);
    }
}
