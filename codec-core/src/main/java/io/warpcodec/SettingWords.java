package io.warpcodec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds words below our prefixes that are no setting: misspelt, or of another version. A job goes on with them,
 * because configurations are shared by versions, so a WARN line is all that tells.
 *
 * <p>No list of the known words is kept: they are the words that {@link Settings} looks up. Thread-safe.
 */
public final class SettingWords {
    private static final Logger LOG = LoggerFactory.getLogger(SettingWords.class);
    private static final SettingWords OF_THE_PROCESS = new SettingWords();

    /** Bounds what is remembered, and so the lines that a process logs. */
    private static final int MOST_COMPLAINTS = 1000;

    private final Set<String> known = knownWords();
    private final Set<String> complainedOf = ConcurrentHashMap.newKeySet();

    SettingWords() {}

    /**
     * Logs one WARN line for each word that is no setting, once a process and word.
     *
     * @param prefix one of the prefixes of {@link Settings}
     * @param words what follows it in the keys that are set
     */
    public static void check(String prefix, Collection<String> words) {
        OF_THE_PROCESS.newComplaints(prefix, words).forEach(LOG::warn);
    }

    /** One line for each word that is no setting. Logs nothing and remembers nothing. */
    public static List<String> complaints(String prefix, Collection<String> words) {
        return new SettingWords().newComplaints(prefix, words);
    }

    /** One line for each word that is no setting and was not complained of before. */
    List<String> newComplaints(String prefix, Collection<String> words) {
        List<String> complaints = new ArrayList<>();
        for (String word : words) {
            if (!known.contains(word) && complainedOf.size() < MOST_COMPLAINTS && complainedOf.add(prefix + word)) {
                complaints.add(prefix + word + " is no setting and has no effect; the nearest one is " + prefix
                        + nearest(word));
            }
        }
        return complaints;
    }

    private static Set<String> knownWords() {
        Set<String> words = new TreeSet<>();
        UnaryOperator<String> asked = word -> {
            words.add(word);
            return null;
        };
        for (Format format : Format.values()) {
            Settings.options(format, asked, CodecOptions.DEFAULTS);
        }
        Settings.pool(asked);
        return words;
    }

    private String nearest(String word) {
        return nearest(word, known);
    }

    /**
     * The candidate that fewest letters have to be changed in to make the word of it, the first of several; null if
     * there are none.
     */
    public static String nearest(String word, Collection<String> candidates) {
        String nearest = null;
        int least = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** Levenshtein's distance: how many letters must be put in, taken out or replaced to make one word of the other. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
