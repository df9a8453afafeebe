package io.warpcodec.engine.cpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.SessionHelp;
import io.warpcodec.engine.cpu.base.CpuChunkDecoder;
import io.warpcodec.engine.cpu.base.CpuChunkEncoder;
import io.warpcodec.engine.cpu.base.CpuCodec;
import io.warpcodec.engine.cpu.base.CpuLibrary;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.engine.cpu.base.MeteredSession;
import io.warpcodec.engine.cpu.bzip2.Bzip2CpuCodec;
import io.warpcodec.engine.cpu.deflate.DeflateCpuCodec;
import io.warpcodec.engine.cpu.deflate.GzipCpuSession;
import io.warpcodec.engine.cpu.deflate.GzipIndexScan;
import io.warpcodec.engine.cpu.lz4.Lz4CpuCodec;
import io.warpcodec.engine.cpu.snappy.SnappyCpuCodec;
import io.warpcodec.engine.cpu.zstd.ZstdCpuCodec;
import io.warpcodec.engine.gzip.HelpedGzipSeeking;
import io.warpcodec.engine.gzip.SeekPointVisitor;
import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The engine that is always there: thin adapters over JDK zlib, lz4-java, snappy-java and zstd-jni, and bzip2 of our
 * own. It has no threads: a batch is worked on chunk by chunk, inside {@link Batch#take}, by the thread that asks.
 * Thread-safe.
 */
public final class CpuEngine implements LendingEngine, HelpedGzipSeeking {
    private final HeapLeases leases = new HeapLeases();
    private final Map<Format, WorkMeter> decodeMeters = new EnumMap<>(Format.class);
    private final Map<Format, WorkMeter> encodeMeters = new EnumMap<>(Format.class);
    private final IdleCoders<DecoderKey, CpuChunkDecoder> decoders = new IdleCoders<>();
    private final IdleCoders<EncoderKey, CpuChunkEncoder> encoders = new IdleCoders<>();

    /** What decides which decoder fits a chunk. */
    private record DecoderKey(Format format, Framing framing, boolean lenient) {}

    /** What decides which encoder fits a chunk. */
    private record EncoderKey(Format format, Framing framing, int level) {}

    /** An engine with memory and coders of its own. */
    public CpuEngine() {
        for (Format format : Format.values()) {
            decodeMeters.put(format, new WorkMeter(Direction.DECODE, format, "cpu"));
            encodeMeters.put(format, new WorkMeter(Direction.ENCODE, format, "cpu"));
        }
    }

    private static CpuCodec codec(Format format) {
        return switch (format) {
            case GZIP -> DeflateCpuCodec.GZIP;
            case BZIP2 -> Bzip2CpuCodec.INSTANCE;
            case ZLIB -> DeflateCpuCodec.ZLIB;
            case LZ4 -> Lz4CpuCodec.INSTANCE;
            case SNAPPY -> SnappyCpuCodec.INSTANCE;
            case ZSTD -> ZstdCpuCodec.INSTANCE;
        };
    }

    @Override
    public String name() {
        return "cpu";
    }

    @Override
    public void requireLibrary(Format format) throws IOException {
        CpuLibrary library = codec(format).library();
        if (library != null) {
            library.require(format);
        }
    }

    @Override
    public boolean supports(Format format, Direction direction) {
        return true;
    }

    @Override
    public boolean isAsynchronous() {
        return false;
    }

    @Override
    public Lease lease(int bytes, String owner) {
        return leases.lease(bytes, owner);
    }

    @Override
    public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
        DecoderKey key = new DecoderKey(format, options.framing(), options.lenient());
        return new LazyBatch<>(chunks) {
            @Override
            DecodedChunk compute(Chunk chunk, ByteBuffer target) {
                CpuChunkDecoder decoder = decoders.take(key);
                if (decoder == null) {
                    decoder = codec(format).newChunkDecoder(options, leases);
                }
                long start = System.nanoTime();
                DecodedChunk result = decoder.decode(chunk, options.outputBudgetBytes(), target);
                decodeMeters.get(format).count(1, chunk.bytes(), result.rawBytes(), System.nanoTime() - start);
                decoders.give(key, decoder);
                return result;
            }
        };
    }

    @Override
    public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
        EncoderKey key = new EncoderKey(format, options.framing(), options.level(format));
        return new LazyBatch<>(chunks) {
            @Override
            EncodedChunk compute(Chunk chunk, ByteBuffer target) throws IOException {
                CpuChunkEncoder encoder = encoders.take(key);
                if (encoder == null) {
                    encoder = codec(format).newChunkEncoder(options, leases);
                }
                long start = System.nanoTime();
                EncodedChunk result = encoder.encode(chunk);
                encodeMeters.get(format).count(1, chunk.bytes(), result.body().remaining(), System.nanoTime() - start);
                encoders.give(key, encoder);
                return result;
            }
        };
    }

    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset) {
        return openSession(format, options, offset, null);
    }

    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset, SessionHelp help) {
        DecodeSession session = codec(format).newSession(options, leases, help);
        session.reset(offset);
        return new MeteredSession(session, decodeMeters.get(format), help);
    }

    @Override
    public DecodeSession resumeSession(GzipSeekPoint point, byte[] window, SegmentDecoder segments) {
        GzipCpuSession session = new GzipCpuSession(segments);
        session.resume(point, window);
        return new MeteredSession(session, decodeMeters.get(Format.GZIP), segments);
    }

    @Override
    public GzipSeekPoint scanForSeekPoints(InputStream gzip, SeekPointVisitor visitor, SegmentDecoder segments)
            throws IOException {
        return GzipIndexScan.scan(gzip, visitor, segments);
    }

    /** A batch that computes when asked. */
    private abstract static class LazyBatch<R> implements Batch<R> {
        private final List<Chunk> chunks;

        LazyBatch(List<Chunk> chunks) {
            this.chunks = chunks;
        }

        abstract R compute(Chunk chunk, ByteBuffer target) throws IOException;

        @Override
        public int size() {
            return chunks.size();
        }

        @Override
        public R take(int index) throws IOException {
            return compute(chunks.get(index), null);
        }

        @Override
        public R take(int index, ByteBuffer target) throws IOException {
            return compute(chunks.get(index), target);
        }

        @Override
        public void close() {
            // nothing is ever held between takes
        }
    }
}
