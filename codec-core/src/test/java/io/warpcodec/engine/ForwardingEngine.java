package io.warpcodec.engine;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.format.EncodedChunk;
import java.util.List;

/** Has the CPU engine do everything: for engines of tests, of the CPU or of devices, that change a part of it. */
public abstract class ForwardingEngine implements LendingEngine {
    private final LendingEngine cpu;

    protected ForwardingEngine() {
        this(new CpuEngine());
    }

    /** @param cpu does everything */
    protected ForwardingEngine(LendingEngine cpu) {
        this.cpu = cpu;
    }

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
    public Lease lease(int bytes, String owner) {
        return cpu.lease(bytes, owner);
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
