package io.warpcodec.engine;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.format.EncodedChunk;
import java.util.List;

/** Has the CPU engine do everything: for engines of tests that change a part of it. */
public abstract class ForwardingEngine implements Engine {
    private final Engine cpu = new CpuEngine();

    @Override
    public String name() {
        return getClass().getSimpleName();
    }

    @Override
    public boolean supports(Format format, Direction direction) {
        return cpu.supports(format, direction);
    }

    @Override
    public boolean isAsynchronous() {
        return cpu.isAsynchronous();
    }

    @Override
    public Lease tryLease(int bytes, String owner) {
        return null;
    }

    @Override
    public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
        return cpu.decode(format, options, chunks);
    }

    @Override
    public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
        return cpu.encode(format, options, chunks);
    }

    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset) {
        return cpu.openSession(format, options, offset);
    }
}
