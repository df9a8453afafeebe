package io.warpcodec.engine.gzip;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.format.gzip.GzipSeekPoint;
import java.io.IOException;
import java.io.InputStream;

/**
 * What an engine may offer for gzip alone: it begins in the middle of a file, and finds the places where that is
 * possible. Thread-safe.
 */
public interface GzipSeeking {
    /**
     * A session that begins in the middle of a gzip member: its input is the file from the byte on that the point
     * lies in.
     *
     * @param point where a DEFLATE block begins
     * @param window the {@link GzipSeekPoint#windowBytes} raw bytes before it
     * @return null from an engine that begins at members only
     */
    DecodeSession resumeSession(CodecOptions options, GzipSeekPoint point, byte[] window);

    /**
     * Decodes a gzip file from start to end for the places at which it could have begun.
     *
     * @return where the last member ends, with the sums of that member and of the file; null from an engine that does
     *     not tell, which has read nothing
     * @throws io.warpcodec.CorruptDataException if the file is bad
     */
    GzipSeekPoint scanForSeekPoints(CodecOptions options, InputStream gzip, SeekPointVisitor visitor)
            throws IOException;
}
