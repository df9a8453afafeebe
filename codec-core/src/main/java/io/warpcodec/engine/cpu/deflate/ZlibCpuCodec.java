package io.warpcodec.engine.cpu.deflate;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.SessionHelp;
import io.warpcodec.engine.cpu.base.CpuChunkDecoder;
import io.warpcodec.engine.cpu.base.CpuChunkEncoder;
import io.warpcodec.engine.cpu.base.CpuCodec;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.engine.cpu.base.SessionChunkDecoder;
import io.warpcodec.engine.gzip.SegmentDecoder;
import java.util.zip.Adler32;

/** zlib streams on the CPU: the JDK's zlib. */
public enum ZlibCpuCodec implements CpuCodec {
    INSTANCE;

    @Override
    public CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases) {
        return new SessionChunkDecoder(new ZlibCpuSession(), leases);
    }

    @Override
    public DecodeSession newSession(CodecOptions options, HeapLeases leases, SessionHelp help) {
        return new ZlibCpuSession(help instanceof SegmentDecoder segments ? segments : null);
    }

    @Override
    public CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases) {
        return new DeflateChunkEncoder(options.level(Format.ZLIB), new Adler32(), false, leases);
    }
}
