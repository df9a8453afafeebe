package io.warpcodec.cli;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * The compression level, as {@code -l 9} or as {@code -9}. Of several the last one counts, as with gzip and zstd. The digits of one word are one
 * number: {@code -19} is level 19, as with zstd, and not {@code -1 -9}.
 */
final class LevelOption {

    private static final String LONG_NAME = "--level";

    @Option(
            names = {"-l", LONG_NAME},
            paramLabel = "LEVEL",
            description = "Compression level in the format's own scale; -1 to -22 say the same.")
    private Integer level;

    /** What is wrong with the level for a format, or null. */
    String complaint(Format format) {
        return level == null ? null : LevelRange.complaint(format, level);
    }

    /** The options with this level, or with the format's own one where none is given. */
    CodecOptions addTo(CodecOptions options) {
        return options.withLevel(level == null ? CodecOptions.UNSET : level);
    }

    /** Adds {@code -0}, {@code -1} and so on, up to the greatest level of any format, to a verb that has this option. */
    static final class Digits implements IModelTransformer {

        @Override
        public CommandSpec transform(CommandSpec verb) {
            for (int level = 0; level <= LevelRange.greatest(); level++) {
                verb.addOption(OptionSpec.builder("-" + level)
                        .type(boolean.class)
                        .arity("0")
                        .hidden(true)
                        .setter(setsLevel(verb, level))
                        .build());
            }
            return verb;
        }

        private static ISetter setsLevel(CommandSpec verb, int level) {
            return new ISetter() {
                @Override
                public <T> T set(T given) {
                    if (Boolean.TRUE.equals(given)) {
                        verb.findOption(LONG_NAME).setValue(level);
                    }
                    return null;
                }
            };
        }
    }
}
