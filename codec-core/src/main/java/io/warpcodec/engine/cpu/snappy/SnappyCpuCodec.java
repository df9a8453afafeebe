package io.warpcodec.engine.cpu.snappy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.SessionHelp;
import io.warpcodec.engine.cpu.base.CpuChunkDecoder;
import io.warpcodec.engine.cpu.base.CpuChunkEncoder;
import io.warpcodec.engine.cpu.base.CpuCodec;
import io.warpcodec.engine.cpu.base.CpuLibrary;
import io.warpcodec.engine.cpu.base.FramedChunkDecoder;
import io.warpcodec.engine.cpu.base.FramedChunkEncoder;
import io.warpcodec.engine.cpu.base.FramedCpuSession;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.format.hadoopframing.HadoopFraming;
import io.warpcodec.format.snappy.SnappyFormat;

/** Snappy: raw bodies by snappy-java, in Hadoop's framing or in xerial blocks. */
public final class SnappyCpuCodec implements CpuCodec {
    /** The only one; stateless. */
    public static final SnappyCpuCodec INSTANCE = new SnappyCpuCodec();

    private SnappyCpuCodec() {}

    private static boolean isHadoop(CodecOptions options) {
        return options.framing() != Framing.SPARK;
    }

    @Override
    public CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases) {
        return new FramedChunkDecoder(new SnappyBody(), isHadoop(options), leases);
    }

    @Override
    public DecodeSession newSession(CodecOptions options, HeapLeases leases, SessionHelp help) {
        return new FramedCpuSession(
                Format.SNAPPY,
                new SnappyBody(),
                isHadoop(options),
                isHadoop(options) && options.lenient(),
                options.outputBudgetBytes(),
                leases);
    }

    @Override
    public CpuLibrary library() {
        return CpuLibrary.SNAPPY_JAVA;
    }

    @Override
    public CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases) {
        int bodyRawBytes = isHadoop(options) ? HadoopFraming.INNER_RAW_BYTES : SnappyFormat.XERIAL_BLOCK_BYTES;
        return new FramedChunkEncoder(new SnappyBody(), bodyRawBytes, leases);
    }
}
