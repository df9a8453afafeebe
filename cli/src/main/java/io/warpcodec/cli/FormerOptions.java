package io.warpcodec.cli;

import io.warpcodec.cli.option.FormatOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Options that had another meaning in the first versions: {@code -f FORMAT}, which is force now, and {@code -l LEVEL}, which lists. A script that uses them so
 * is told the new words, and nothing is done.
 */
final class FormerOptions {

    private static final String END_OF_OPTIONS = "--";
    /** A dash and letters of options without a value: behind the o of {@code -oOUT} comes a name. */
    private static final String FLAGS = "-[a-np-zA-Z0-9]";

    private static final Pattern FORCE = Pattern.compile(FLAGS + "*f");
    private static final Pattern FORCE_WITH_FORMAT =
            Pattern.compile(FLAGS + "*?f=?(" + String.join("|", FormatOption.words()) + ")");
    private static final Pattern LIST = Pattern.compile(FLAGS + "*l");
    private static final Pattern LIST_WITH_LEVEL = Pattern.compile(FLAGS + "*?l=?([0-9]+)");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,2}");

    private FormerOptions() {}

    /** What to say of the first such use; null if there is none. */
    static String complaint(String... given) {
        List<String> words = List.of(given);
        int end = words.contains(END_OF_OPTIONS) ? words.indexOf(END_OF_OPTIONS) : words.size();
        for (int i = 0; i < end; i++) {
            String word = words.get(i);
            String next = i + 1 < end ? words.get(i + 1) : "";
            Matcher format = FORCE_WITH_FORMAT.matcher(word);
            if (format.matches()) {
                return format(format.group(1));
            }
            if (FORCE.matcher(word).matches() && FormatOption.words().contains(next)) {
                return format(next);
            }
            Matcher level = LIST_WITH_LEVEL.matcher(word);
            if (level.matches()) {
                return level(level.group(1));
            }
            if (LIST.matcher(word).matches() && NUMBER.matcher(next).matches()) {
                return level(next);
            }
        }
        return null;
    }

    private static String format(String word) {
        return "-f is --force and takes no format: say --format " + word + " (a file of this name is ./" + word + ")";
    }

    private static String level(String number) {
        return "-l is --list and takes no level: say -" + number + " (a file of this name is ./" + number + ")";
    }
}
