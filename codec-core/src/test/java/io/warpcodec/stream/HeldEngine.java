package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.choice.AcceleratorStart;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.EncodedChunk;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine that stands still where it is to decode or encode, until told to go on. It counts leases that are out. */
public final class HeldEngine extends ForwardingEngine {
    public final CountDownLatch inside = new CountDownLatch(1);
    public final CountDownLatch mayGoOn = new CountDownLatch(1);
    public final AtomicInteger lent = new AtomicInteger();

    /** An engine that does all work from now on, whatever engine the run has. */
    public static HeldEngine installed() {
        HeldEngine engine = new HeldEngine();
        Engines.install(new EngineSelector(engine, AcceleratorStart.of(engine)));
        return engine;
    }

    private void stand() {
        inside.countDown();
        OtherThread.await(mayGoOn);
    }

    @Override
    public Lease lease(int bytes, String owner) {
        lent.incrementAndGet();
        return new Lease(ByteBuffer.allocate(bytes), owner, lent::decrementAndGet);
    }

    @Override
    public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
        stand();
        return super.decode(format, options, chunks);
    }

    @Override
    public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
        stand();
        return super.encode(format, options, chunks);
    }

    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset) {
        stand();
        return super.openSession(format, options, offset);
    }
}
