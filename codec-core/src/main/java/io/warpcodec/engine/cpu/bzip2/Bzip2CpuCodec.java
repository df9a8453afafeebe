package io.warpcodec.engine.cpu.bzip2;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.SessionHelp;
import io.warpcodec.engine.cpu.base.CpuChunkDecoder;
import io.warpcodec.engine.cpu.base.CpuChunkEncoder;
import io.warpcodec.engine.cpu.base.CpuCodec;
import io.warpcodec.engine.cpu.base.HeapLeases;

/** bzip2 on the CPU: no library reads blocks as strictly, or writes them as fast, as is wanted here. */
public enum Bzip2CpuCodec implements CpuCodec {
    INSTANCE;

    @Override
    public CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases) {
        return new Bzip2ChunkDecoder(leases);
    }

    /** @throws UnsupportedOperationException always: every bzip2 block is a chunk, and no block is too large for one */
    @Override
    public DecodeSession newSession(CodecOptions options, HeapLeases leases, SessionHelp help) {
        throw new UnsupportedOperationException("bzip2 is decoded block by block");
    }

    @Override
    public CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases) {
        return new Bzip2ChunkEncoder(options.level(Format.BZIP2), leases);
    }
}
