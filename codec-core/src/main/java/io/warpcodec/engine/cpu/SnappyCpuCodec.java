package io.warpcodec.engine.cpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.format.hadoopframing.HadoopFraming;
import io.warpcodec.format.snappy.SnappyFormat;

/** Snappy: raw bodies by snappy-java, in Hadoop's framing or in xerial blocks. */
final class SnappyCpuCodec implements CpuCodec {
    static final SnappyCpuCodec INSTANCE = new SnappyCpuCodec();

    private SnappyCpuCodec() {}

    private static boolean isHadoop(CodecOptions options) {
        return options.framing() != Framing.SPARK;
    }

    @Override
    public CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases) {
        return new FramedChunkDecoder(new SnappyBody(), isHadoop(options), leases);
    }

    @Override
    public DecodeSession newSession(CodecOptions options) {
        return new FramedCpuSession(
                Format.SNAPPY,
                new SnappyBody(),
                isHadoop(options),
                isHadoop(options) && options.lenient(),
                options.outputBudgetBytes());
    }

    @Override
    public CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases) {
        int pieceBytes = isHadoop(options) ? HadoopFraming.INNER_RAW_BYTES : SnappyFormat.XERIAL_BLOCK_BYTES;
        return new FramedChunkEncoder(new SnappyBody(), pieceBytes, leases);
    }
}
