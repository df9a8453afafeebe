package io.warpcodec.engine.gpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Direction;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.format.EncodedChunk;
import java.util.List;
import java.util.function.Consumer;

/** Shows every chunk that streams decode, and leaves the work to the CPU engine. */
final class RecordingEngine implements Engine {
    private final Engine cpu = new CpuEngine();
    private final Consumer<Chunk> seen;

    RecordingEngine(Consumer<Chunk> seen) {
        this.seen = seen;
    }

    @Override
    public String name() {
        return "recording";
    }

    @Override
    public boolean supports(Format format, Direction direction) {
        return direction == Direction.DECODE;
    }

    @Override
    public boolean isAsynchronous() {
        return false;
    }

    @Override
    public Lease tryLease(int bytes, String owner) {
        return null;
    }

    @Override
    public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
        chunks.forEach(seen);
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
