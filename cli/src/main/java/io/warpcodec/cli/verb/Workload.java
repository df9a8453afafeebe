package io.warpcodec.cli.verb;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.cli.input.FileSuffix;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many bytes a call of the tool is to encode and decode, by kind. Not safe for use by several threads. */
final class Workload {
    /** No file is found to have more chunks, so that there are few kinds of work. */
    private static final int MANY_THREADS = 256;

    private final Map<Kind, Long> bytes = new LinkedHashMap<>();

    /**
     * Work that is done alike.
     *
     * @param level of what is encoded
     * @param threads that can work on one file at once
     */
    private record Kind(Format format, Direction direction, int level, int threads) {}

    /** Takes work of one kind. */
    interface Taker {
        /**
         * @param level of what is encoded
         * @param bytes raw bytes to encode, or compressed bytes to decode
         * @param mostThreads of the CPU engine that can work on them at once
         */
        void take(Format format, Direction direction, int level, long bytes, int mostThreads);
    }

    /** Adds a file's raw bytes, which are to be encoded with the level of these options, a thread a chunk. */
    void encode(Format format, CodecOptions options, long rawBytes) {
        int chunkBytes = options.chunkBytes(format);
        long chunks = Math.min(MANY_THREADS, Math.max(1, (rawBytes + chunkBytes - 1) / chunkBytes));
        bytes.merge(
                new Kind(format, Direction.ENCODE, options.level(format), Math.toIntExact(chunks)),
                rawBytes,
                Long::sum);
    }

    /**
     * Adds compressed bytes that are to be decoded.
     *
     * @param format null if that of the file's suffix
     */
    void decode(Format format, InputFile file, long compressedBytes) {
        Format known = format != null ? format : FileSuffix.formatOf(file.file().fileName());
        if (known != null) {
            bytes.merge(
                    new Kind(known, Direction.DECODE, known.defaultLevel(), MANY_THREADS), compressedBytes, Long::sum);
        }
    }

    /** Hands out all work. */
    void forEach(Taker taker) {
        bytes.forEach((kind, count) -> taker.take(kind.format, kind.direction, kind.level, count, kind.threads));
    }
}
