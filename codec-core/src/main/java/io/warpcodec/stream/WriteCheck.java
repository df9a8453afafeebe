package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.Metrics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The setting {@code verify.writes}. A share of the written chunks is laid into a file of its own, decoded by the CPU
 * engine and compared with the raw bytes. The raw bytes that the chunk may refer to are laid before it. Chunks are
 * taken evenly, by counting. Not thread-safe.
 */
final class WriteCheck {
    private final Format format;
    private final CodecOptions options;
    private long chunkCount;

    WriteCheck(Format format, CodecOptions options) {
        this.format = format;
        this.options = options.withMode(Mode.CPU);
    }

    /** Counts one chunk; returns whether it is one to check. */
    boolean isDue() {
        long before = (long) (chunkCount * options.verifyWrites());
        chunkCount++;
        return (long) (chunkCount * options.verifyWrites()) > before;
    }

    /** Whether the chunk decodes to the raw bytes that it came from. */
    boolean holds(EncodedChunk encoded, Chunk raw) throws IOException {
        Metrics.counter("verify." + format.word() + ".chunks").increment();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        Assembler assembler = Containers.of(format).assembler(options);
        int historyBytes = raw.historyBytes();
        if (historyBytes > 0) {
            append(Chunk.raw(raw.input(), raw.start() - historyBytes, historyBytes, 0, 0), assembler, file);
        }
        assembler.append(encoded, file);
        assembler.finish(file);
        byte[] decoded;
        try (InputStream in = new ChunkedInputStream(new ByteArrayInputStream(file.toByteArray()), format, options)) {
            in.skipNBytes(historyBytes);
            decoded = in.readNBytes(raw.bytes() + 1);
        } catch (IOException bad) {
            decoded = new byte[0];
        }
        boolean same = ByteBuffer.wrap(decoded).equals(raw.view());
        if (!same) {
            Metrics.counter("verify." + format.word() + ".mismatches").increment();
        }
        return same;
    }

    private void append(Chunk raw, Assembler assembler, ByteArrayOutputStream file) throws IOException {
        try (Batch<EncodedChunk> batch = Engines.selector().cpu().encode(format, options, List.of(raw))) {
            EncodedChunk encoded = batch.take(0);
            assembler.append(encoded, file);
            encoded.release().run();
        }
    }
}
