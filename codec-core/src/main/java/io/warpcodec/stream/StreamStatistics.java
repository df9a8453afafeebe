package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import io.warpcodec.stream.unit.ChunkReader;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.SourceWindows;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

/**
 * What a compressed stream consists of, found by decoding all of it: every checksum was right.
 *
 * @param compressedBytes size of the stream, in bytes
 * @param rawBytes size of what it decodes to, in bytes
 * @param chunkCount chunks: gzip members, bzip2 blocks, LZ4 and zstd frames, ...
 * @param streamedChunkCount those among them that do not say where they end, or are too large to be held, and were
 *     streamed
 * @param hasSyncPoints whether a file of these bytes can be split
 */
public record StreamStatistics(
        long compressedBytes, long rawBytes, long chunkCount, long streamedChunkCount, boolean hasSyncPoints) {

    /**
     * Decodes a stream to its end.
     *
     * @throws IOException if it is corrupt or cut short
     */
    public static StreamStatistics of(InputStream source, Format format, CodecOptions options) throws IOException {
        EngineSelector engines = Engines.selector();
        byte[] head = source.readNBytes(headBytes(format, options));
        boolean hasSyncPoints = hasSyncPoints(head, format, options);
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), source);
        SourceWindow window = SourceWindows.reading(whole, 0, engines, options);
        Scanner scanner = Containers.of(format).scanner(options);
        ChunkReader reader = new ChunkReader(format, options, engines, window, scanner, null, Long.MAX_VALUE);
        try {
            return count(reader, window, hasSyncPoints);
        } finally {
            reader.close();
        }
    }

    /** How many bytes of a file's start {@link #hasSyncPoints(byte[], Format, CodecOptions)} may want to see. */
    public static int headBytes(Format format, CodecOptions options) {
        SyncPoints syncPoints = Containers.of(format).syncPoints();
        return syncPoints == null ? 0 : syncPoints.headBytes();
    }

    /**
     * Whether a file can be split, as its start says; nothing is decoded.
     *
     * @param head its first {@link #headBytes}, or more, or all of it
     * @throws IOException if it is corrupt
     */
    public static boolean hasSyncPoints(byte[] head, Format format, CodecOptions options) throws IOException {
        SyncPoints syncPoints = Containers.of(format).syncPoints();
        return syncPoints != null && fileHasSyncPoints(syncPoints, head, Engines.selector(), options);
    }

    /**
     * Whether a file begins with a chunk that any engine takes, as its start says.
     *
     * @param head as for {@link #hasSyncPoints(byte[], Format, CodecOptions)}
     * @throws IOException if it is corrupt
     */
    public static boolean hasChunks(byte[] head, Format format) throws IOException {
        SyncPoints syncPoints = Containers.of(format).syncPoints();
        return syncPoints != null && holds(syncPoints::fileHasChunks, head, Engines.selector());
    }

    private static StreamStatistics count(ChunkReader reader, SourceWindow window, boolean hasSyncPoints)
            throws IOException {
        long rawBytes = 0;
        long chunkCount = 0;
        long streamedChunkCount = 0;
        while (true) {
            switch (reader.advance()) {
                case BYTES -> rawBytes += reader.bytes().remaining();
                case UNIT_END -> {
                    boolean streamed = reader.endedKind() == Unit.Kind.SESSION;
                    streamedChunkCount += streamed ? 1 : 0;
                    chunkCount += streamed || reader.endedKind() == Unit.Kind.CHUNK ? 1 : 0;
                }
                case END, NEEDS_INPUT -> {
                    return new StreamStatistics(
                            window.offset(), rawBytes, chunkCount, streamedChunkCount, hasSyncPoints);
                }
            }
        }
    }

    /** Whether a file that begins with these bytes can be split. */
    static boolean fileHasSyncPoints(SyncPoints syncPoints, byte[] head, EngineSelector engines, CodecOptions options)
            throws IOException {
        return holds(syncPoints::fileHasSyncPoints, head, engines);
    }

    /** What is asked of a file's start. */
    @FunctionalInterface
    private interface Question {
        boolean holds(Window head) throws IOException;
    }

    private static boolean holds(Question question, byte[] head, EngineSelector engines) throws IOException {
        SourceWindow window = SourceWindows.of(head, engines);
        try {
            return question.holds(window);
        } finally {
            window.release();
        }
    }
}
