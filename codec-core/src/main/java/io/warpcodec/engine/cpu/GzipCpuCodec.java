package io.warpcodec.engine.cpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import java.util.zip.CRC32;

/** gzip on the CPU: the JDK's zlib. */
enum GzipCpuCodec implements CpuCodec {
    INSTANCE;

    @Override
    public CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases) {
        return new SessionChunkDecoder(new GzipCpuSession(), leases);
    }

    @Override
    public DecodeSession newSession(CodecOptions options) {
        return new GzipCpuSession();
    }

    @Override
    public CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases) {
        return new DeflateChunkEncoder(options.level(Format.GZIP), new CRC32(), true, leases);
    }
}
