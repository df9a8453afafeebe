package io.warpcodec.golden;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.LevelRange;
import io.warpcodec.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The ledger {@code golden/sizes.csv}: to how many bytes fixed inputs compress on the CPU, for each format, framing
 * and level. A change of an encoder, a container or a library shows there as a change for review.
 * {@code SizeLedger FILE} writes it anew.
 */
public final class SizeLedger {
    private static final int INPUT_BYTES = 600_000;

    private enum Input {
        TEXT(GoldenInput.text(INPUT_BYTES, 101)),
        MIXED(GoldenInput.mixed(INPUT_BYTES, 102)),
        NOISE(GoldenInput.noise(INPUT_BYTES, 103)),
        RUN(GoldenInput.run(INPUT_BYTES, 'w')),
        EMPTY(new byte[0]);

        private final byte[] raw;

        Input(byte[] raw) {
            this.raw = raw;
        }
    }

    private SizeLedger() {}

    public static void main(String[] arguments) throws IOException {
        Files.write(Path.of(arguments[0]), lines());
    }

    /** The ledger as it must be now. */
    public static List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("format,framing,level,input,raw_bytes,bytes");
        for (Format format : Format.values()) {
            for (Framing framing : framings(format)) {
                for (int level : levels(format)) {
                    CodecOptions options = CodecOptions.DEFAULTS
                            .withMode(Mode.CPU)
                            .withFraming(framing)
                            .withLevel(level);
                    for (Input input : Input.values()) {
                        int bytes = GoldenFiles.write(format, input.raw, options).length;
                        lines.add(String.join(
                                ",",
                                format.word(),
                                framing.name().toLowerCase(Locale.ROOT),
                                Integer.toString(level),
                                input.name().toLowerCase(Locale.ROOT),
                                Integer.toString(input.raw.length),
                                Integer.toString(bytes)));
                    }
                }
            }
        }
        return lines;
    }

    private static List<Framing> framings(Format format) {
        return switch (format) {
            case LZ4 -> List.of(Framing.values());
            case SNAPPY -> List.of(Framing.HADOOP, Framing.SPARK);
            default -> List.of(Framing.STANDARD);
        };
    }

    /** The lowest level that compresses, our default, and the highest that is quick enough for a test. */
    private static List<Integer> levels(Format format) {
        LevelRange range = format.levels();
        return range.isEmpty()
                ? List.of(1)
                : List.of(1, format.defaultLevel(), 9).stream().distinct().toList();
    }
}
