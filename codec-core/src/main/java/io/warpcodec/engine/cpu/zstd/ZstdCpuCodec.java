package io.warpcodec.engine.cpu.zstd;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.SessionHelp;
import io.warpcodec.engine.cpu.base.CpuChunkDecoder;
import io.warpcodec.engine.cpu.base.CpuChunkEncoder;
import io.warpcodec.engine.cpu.base.CpuCodec;
import io.warpcodec.engine.cpu.base.CpuLibrary;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.engine.zstd.ZstdSegmentDecoder;

/** zstd: whole frames by zstd-jni. */
public final class ZstdCpuCodec implements CpuCodec {
    /** The only one; stateless. */
    public static final ZstdCpuCodec INSTANCE = new ZstdCpuCodec();

    private ZstdCpuCodec() {}

    @Override
    public CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases) {
        return new ZstdChunkDecoder(leases);
    }

    @Override
    public DecodeSession newSession(CodecOptions options, HeapLeases leases, SessionHelp help) {
        ZstdSegmentDecoder segments = help instanceof ZstdSegmentDecoder decoder ? decoder : null;
        return new ZstdCpuSession(options.outputBudgetBytes(), segments);
    }

    @Override
    public CpuLibrary library() {
        return CpuLibrary.ZSTD_JNI;
    }

    @Override
    public CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases) {
        return new ZstdChunkEncoder(options.level(Format.ZSTD), leases);
    }
}
