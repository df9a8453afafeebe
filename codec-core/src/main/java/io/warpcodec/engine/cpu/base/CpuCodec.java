package io.warpcodec.engine.cpu.base;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.DecodeSession;

/** One format on the CPU: makes the adapters over the library that does its bodies. Stateless. */
public interface CpuCodec {
    /** A decoder for chunks as the format's scanner cuts them under these options. */
    CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases);

    /** A session for units as the format's scanner names them under these options. */
    DecodeSession newSession(CodecOptions options);

    /** The same for a session that takes memory from these leases. */
    default DecodeSession newSession(CodecOptions options, HeapLeases leases) {
        return newSession(options);
    }

    /** An encoder at these options' level. */
    CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases);
}
