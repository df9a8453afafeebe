package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.Mode;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.gpu.block.BlockData;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;

/** Files of the containers that the GPU engine decodes and encodes, written and read through the streams. */
public enum GpuStreams {
    LZ4_FRAME(Format.LZ4, Framing.STANDARD),
    LZ4_HADOOP(Format.LZ4, Framing.HADOOP),
    LZ4_BLOCK(Format.LZ4, Framing.SPARK),
    SNAPPY_HADOOP(Format.SNAPPY, Framing.HADOOP),
    SNAPPY_XERIAL(Format.SNAPPY, Framing.SPARK),
    GZIP(Format.GZIP, Framing.STANDARD),
    BZIP2(Format.BZIP2, Framing.STANDARD),
    ZSTD(Format.ZSTD, Framing.STANDARD);

    public final Format format;
    public final CodecOptions options;

    GpuStreams(Format format, Framing framing) {
        this.format = format;
        this.options = CodecOptions.DEFAULTS.withFraming(framing).withMode(Mode.AUTO);
    }

    public byte[] write(byte[] raw, int chunkBytes) throws IOException {
        return write(raw, options.withMode(Mode.CPU).withChunkBytes(chunkBytes));
    }

    public byte[] writeOnDevice(byte[] raw, int chunkBytes) throws IOException {
        return write(raw, options.withMode(Mode.GPU).withChunkBytes(chunkBytes));
    }

    public byte[] write(byte[] raw, CodecOptions writing) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (ChunkedOutputStream out = new ChunkedOutputStream(sink, format, writing)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    public ChunkedInputStream open(byte[] file) {
        return new ChunkedInputStream(new ByteArrayInputStream(file), format, options);
    }

    public byte[] read(byte[] file) throws IOException {
        try (ChunkedInputStream in = open(file)) {
            return in.readAllBytes();
        }
    }

    /** Chunks that devices have decoded so far. */
    public long deviceChunks() {
        return Metrics.counter("decode." + format.word() + ".gpu.chunks").sum();
    }

    /** Chunks that devices have encoded so far. */
    public long deviceEncodedChunks() {
        return Metrics.counter("encode." + format.word() + ".gpu.chunks").sum();
    }

    /** Chunks or batches to be encoded that went to the CPU for this reason so far. */
    public long encodeFallbacks(String reason) {
        return Metrics.counter("fallback.encode." + format.word() + "." + reason)
                .sum();
    }

    /** Chunks that went to the CPU for this reason so far. */
    public long fallbacks(String reason) {
        return Metrics.counter("fallback.decode." + format.word() + "." + reason)
                .sum();
    }

    public static byte[] text(int bytes, long seed) {
        return BlockData.make(new Random(seed), BlockData.TEXT, bytes);
    }

    /** The engine of this machine's devices, which run when this returns. */
    public static Engine startedDevices() {
        Engine gpu = Engines.selector().accelerator();
        assertThat(gpu)
                .as("why not: %s", Engines.selector().unavailableReason())
                .isNotNull();
        assertThat(gpu.unavailableReason(true)).isNull();
        return gpu;
    }

    /** Text and noise in turns, so that some blocks are stored. */
    public static byte[] mixture(int bytes, long seed) {
        Random random = new Random(seed);
        byte[] raw = new byte[bytes];
        for (int at = 0; at < bytes; ) {
            int count = Math.min(bytes - at, 1 + random.nextInt(200_000));
            byte[] part = BlockData.make(random, random.nextInt(BlockData.KINDS), count);
            System.arraycopy(part, 0, raw, at, count);
            at += count;
        }
        return raw;
    }
}
