package io.warpcodec.engine.cpu.base;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.SessionHelp;

/** One format on the CPU: makes the adapters over the library that does its bodies. Stateless. */
public interface CpuCodec {
    /** A decoder for chunks as the format's scanner cuts them under these options. */
    CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases);

    /**
     * A session for units as the format's scanner names them under these options.
     *
     * @param leases memory that it may take
     * @param help decodes parts of the unit; null, or of another kind than the format can use, for none
     */
    DecodeSession newSession(CodecOptions options, HeapLeases leases, SessionHelp help);

    /** Library of the host that the codec needs; null if the JDK or this project does the work. */
    default CpuLibrary library() {
        return null;
    }

    /** An encoder at these options' level. */
    CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases);
}
