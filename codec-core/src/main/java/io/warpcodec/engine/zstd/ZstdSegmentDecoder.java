package io.warpcodec.engine.zstd;

import io.warpcodec.engine.SegmentHelp;
import io.warpcodec.format.zstd.ZstdFrameHeader;

/** Decodes the blocks of one zstd frame for a session; segments begin and end between two blocks. */
public interface ZstdSegmentDecoder extends SegmentHelp {
    /** Forgets everything: the next byte of input is the first behind this header, which has been found right. */
    void begin(ZstdFrameHeader header);

    /** The end of what was decoded so far, from which a session goes on. */
    ZstdPosition position();
}
