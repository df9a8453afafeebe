package io.warpcodec.engine.cpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;

/** zstd: whole frames by zstd-jni. */
final class ZstdCpuCodec implements CpuCodec {
    static final ZstdCpuCodec INSTANCE = new ZstdCpuCodec();

    private ZstdCpuCodec() {}

    @Override
    public CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases) {
        return new ZstdChunkDecoder(leases);
    }

    @Override
    public DecodeSession newSession(CodecOptions options) {
        return new ZstdCpuSession(options.outputBudgetBytes());
    }

    @Override
    public CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases) {
        return new ZstdChunkEncoder(options.level(Format.ZSTD), leases);
    }
}
