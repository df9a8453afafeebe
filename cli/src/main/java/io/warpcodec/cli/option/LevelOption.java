package io.warpcodec.cli.option;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.LevelRange;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * The compression level, as {@code --level 9}, as {@code -9} or as {@code --best}. Of several the last one counts, as
 * with gzip and zstd. The digits of one word are one number: {@code -19} is level 19, as with zstd, and not
 * {@code -1 -9}.
 */
public final class LevelOption {

    private static final String LONG_NAME = "--level";
    private static final int FASTEST = 1;
    /** Stands for the greatest level of the format, which is not known while the command line is read. */
    private static final int BEST = Integer.MAX_VALUE;

    @Option(
            names = LONG_NAME,
            paramLabel = "LEVEL",
            description = "Compression level in the format's own scale; -1 to -22 say the same.")
    private Integer level;

    /** What is wrong with the level for a format, or null. */
    public String complaint(Format format) {
        if (level == null) {
            return null;
        }
        LevelRange range = format.levels();
        if (range.isEmpty()) {
            return format.word() + " has no levels";
        }
        int asked = level(range);
        return range.contains(asked) ? null : "level " + asked + " of " + format.word() + " is not in " + range;
    }

    /** The options with this level, or with the format's own one where none is given. */
    public CodecOptions addTo(CodecOptions options, Format format) {
        return options.withLevel(level == null ? CodecOptions.UNSET : level(format.levels()));
    }

    private int level(LevelRange range) {
        return level == BEST ? range.most() : level;
    }

    /**
     * Adds {@code --fast}, {@code --best} and {@code -0}, {@code -1} and so on, up to the greatest level of any
     * format, to a verb that has this option.
     */
    public static final class Digits implements IModelTransformer {

        @Override
        public CommandSpec transform(CommandSpec verb) {
            int greatest = 0;
            for (Format format : Format.values()) {
                greatest = Math.max(greatest, format.levels().most());
            }
            for (int level = 0; level <= greatest; level++) {
                verb.addOption(word("-" + level, verb, level).hidden(true).build());
            }
            verb.addOption(word("--fast", verb, FASTEST)
                    .description("Level 1: the least work.")
                    .build());
            verb.addOption(word("--best", verb, BEST)
                    .description("The greatest level of the format: the smallest output.")
                    .build());
            return verb;
        }

        private static OptionSpec.Builder word(String name, CommandSpec verb, int level) {
            return OptionSpec.builder(name).type(boolean.class).arity("0").setter(setsLevel(verb, level));
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
