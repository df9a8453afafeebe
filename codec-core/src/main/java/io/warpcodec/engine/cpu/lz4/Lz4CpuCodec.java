package io.warpcodec.engine.cpu.lz4;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.BlockRunDecoder;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.SessionHelp;
import io.warpcodec.engine.cpu.base.CpuChunkDecoder;
import io.warpcodec.engine.cpu.base.CpuChunkEncoder;
import io.warpcodec.engine.cpu.base.CpuCodec;
import io.warpcodec.engine.cpu.base.CpuLibrary;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.engine.cpu.base.SessionChunkDecoder;

/**
 * LZ4 on the CPU, in its three containers: lz4-java decodes and encodes the blocks, this package everything around
 * them. Stateless.
 */
public enum Lz4CpuCodec implements CpuCodec {
    INSTANCE;

    @Override
    public CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases) {
        return new SessionChunkDecoder(newSession(options, leases, null), leases, mostUnits(options));
    }

    /**
     * Most units of which a chunk may consist under these options: a frame of ours stands behind its marker, Spark's
     * blocks are grouped by sizes that bind.
     */
    public static int mostUnits(CodecOptions options) {
        return switch (options.framing()) {
            case STANDARD -> 2;
            case HADOOP -> 1;
            case SPARK -> Integer.MAX_VALUE;
        };
    }

    @Override
    public DecodeSession newSession(CodecOptions options, HeapLeases leases, SessionHelp help) {
        return switch (options.framing()) {
            case STANDARD -> new Lz4FrameSession(leases, help instanceof BlockRunDecoder runs ? runs : null);
            case HADOOP -> new Lz4HadoopSession(options, leases);
            case SPARK -> new Lz4BlockSession(leases);
        };
    }

    @Override
    public CpuLibrary library() {
        return CpuLibrary.LZ4_JAVA;
    }

    @Override
    public CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases) {
        return new Lz4ChunkEncoder(options, leases);
    }
}
