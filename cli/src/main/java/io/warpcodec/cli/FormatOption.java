package io.warpcodec.cli;

import io.warpcodec.Format;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Formats as the command line calls them. */
final class FormatOption {

    private FormatOption() {}

    /** Reads a format's word. */
    static final class Converter implements ITypeConverter<Format> {
        @Override
        public Format convert(String word) {
            try {
                return Format.ofWord(word);
            } catch (IllegalArgumentException unknown) {
                throw new TypeConversionException("'" + word + "' is not one of " + String.join(", ", words()));
            }
        }
    }

    /** The words, for help texts. */
    static final class Words implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return words().iterator();
        }
    }

    private static List<String> words() {
        List<String> words = new ArrayList<>();
        for (Format format : Format.values()) {
            words.add(format.word());
        }
        return words;
    }
}
