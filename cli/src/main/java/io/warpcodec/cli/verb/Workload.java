package io.warpcodec.cli.verb;

import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.cli.input.FileSuffix;
import java.util.EnumMap;
import java.util.Map;

/** How many bytes a call of the tool is to encode and decode, by format. Not safe for use by several threads. */
final class Workload {
    private final Map<Direction, Map<Format, Long>> bytes = new EnumMap<>(Direction.class);

    /** Takes work of one kind. */
    interface Taker {
        /** @param bytes raw bytes to encode, or compressed bytes to decode */
        void take(Format format, Direction direction, long bytes);
    }

    /** Adds raw bytes that are to be encoded. */
    void encode(Format format, long rawBytes) {
        add(format, Direction.ENCODE, rawBytes);
    }

    /**
     * Adds compressed bytes that are to be decoded.
     *
     * @param format null if that of the file's suffix
     */
    void decode(Format format, InputFile file, long compressedBytes) {
        Format known = format != null ? format : FileSuffix.formatOf(file.file().fileName());
        if (known != null) {
            add(known, Direction.DECODE, compressedBytes);
        }
    }

    private void add(Format format, Direction direction, long more) {
        bytes.computeIfAbsent(direction, any -> new EnumMap<>(Format.class)).merge(format, more, Long::sum);
    }

    /** Hands out all work. */
    void forEach(Taker taker) {
        bytes.forEach((direction, formats) -> formats.forEach((format, count) -> taker.take(format, direction, count)));
    }
}
