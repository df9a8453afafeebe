package io.warpcodec.cli.option;

import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.input.DecodedSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Formats as the command line calls them, and the option that says which one an input is of. */
public final class FormatOption {

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            converter = Converter.class,
            completionCandidates = Words.class,
            description = "What the FILE is, where neither content nor suffix tell: one of ${COMPLETION-CANDIDATES}.")
    private Format format;

    /** Finds out the format of an input, unless it was given. */
    public DecodedSource sourceOf(Location input, CountedInput source) throws IOException {
        return format != null
                ? new DecodedSource(format, source)
                : DecodedSource.of(input, source, "; --format says what it is nevertheless");
    }

    /** The format that was given, or null. */
    public Format given() {
        return format;
    }

    /** Whether it was given. */
    public boolean isGiven() {
        return format != null;
    }

    /** Reads a format's word, or its suffix without the dot. */
    public static final class Converter implements ITypeConverter<Format> {
        @Override
        public Format convert(String word) {
            for (Format format : Format.values()) {
                if (format.word().equals(word) || format.suffix().equals("." + word)) {
                    return format;
                }
            }
            throw new TypeConversionException("'" + word + "' is not one of " + String.join(", ", words()));
        }
    }

    /** The words, for help texts. */
    public static final class Words implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return words().iterator();
        }
    }

    /** The words of all formats. */
    public static List<String> words() {
        List<String> words = new ArrayList<>();
        for (Format format : Format.values()) {
            words.add(format.word());
        }
        return words;
    }
}
