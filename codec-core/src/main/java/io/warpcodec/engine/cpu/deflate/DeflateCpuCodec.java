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
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** The containers of DEFLATE on the CPU: the JDK's zlib. Thread-safe; what it makes is not. */
public enum DeflateCpuCodec implements CpuCodec {
    GZIP(Format.GZIP, GzipCpuSession::new, CRC32::new, true),
    ZLIB(Format.ZLIB, ZlibCpuSession::new, Adler32::new, false);

    private final Format format;
    private final Function<SegmentDecoder, DecodeSession> sessions;
    private final Supplier<Checksum> checksums;
    private final boolean chunkEndsStream;

    DeflateCpuCodec(
            Format format,
            Function<SegmentDecoder, DecodeSession> sessions,
            Supplier<Checksum> checksums,
            boolean chunkEndsStream) {
        this.format = format;
        this.sessions = sessions;
        this.checksums = checksums;
        this.chunkEndsStream = chunkEndsStream;
    }

    @Override
    public CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases) {
        return new SessionChunkDecoder(sessions.apply(null), leases);
    }

    @Override
    public DecodeSession newSession(CodecOptions options, HeapLeases leases, SessionHelp help) {
        return sessions.apply(help instanceof SegmentDecoder segments ? segments : null);
    }

    @Override
    public CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases) {
        return new DeflateChunkEncoder(options.level(format), checksums.get(), chunkEndsStream, leases);
    }
}
