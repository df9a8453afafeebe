package io.warpcodec.engine.gpu.block;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.ForwardingEngine;
import java.util.List;
import java.util.function.Consumer;

/** Shows every chunk that streams decode, and leaves the work to the CPU engine. */
final class RecordingEngine extends ForwardingEngine {
    private final Consumer<Chunk> seen;

    RecordingEngine(Consumer<Chunk> seen) {
        this.seen = seen;
    }

    @Override
    public boolean supports(Format format, Direction direction) {
        return direction == Direction.DECODE;
    }

    @Override
    public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
        chunks.forEach(seen);
        return super.decode(format, options, chunks);
    }
}
