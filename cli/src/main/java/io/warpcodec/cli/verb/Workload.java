package io.warpcodec.cli.verb;

import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.cli.input.FileSuffix;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many bytes a call of the tool is to encode and decode, by kind. Not safe for use by several threads. */
final class Workload {
    private final Map<Kind, Long> bytes = new LinkedHashMap<>();

    /** @param level of what is encoded */
    private record Kind(Format format, Direction direction, int level) {}

    /** Takes work of one kind. */
    interface Taker {
        /**
         * @param level of what is encoded
         * @param bytes raw bytes to encode, or compressed bytes to decode
         */
        void take(Format format, Direction direction, int level, long bytes);
    }

    /** Adds raw bytes that are to be encoded. */
    void encode(Format format, int level, long rawBytes) {
        bytes.merge(new Kind(format, Direction.ENCODE, level), rawBytes, Long::sum);
    }

    /**
     * Adds compressed bytes that are to be decoded.
     *
     * @param format null if that of the file's suffix
     */
    void decode(Format format, InputFile file, long compressedBytes) {
        Format known = format != null ? format : FileSuffix.formatOf(file.file().fileName());
        if (known != null) {
            bytes.merge(new Kind(known, Direction.DECODE, known.defaultLevel()), compressedBytes, Long::sum);
        }
    }

    /** Hands out all work. */
    void forEach(Taker taker) {
        bytes.forEach((kind, count) -> taker.take(kind.format, kind.direction, kind.level, count));
    }
}
