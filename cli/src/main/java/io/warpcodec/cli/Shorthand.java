package io.warpcodec.cli;

import io.warpcodec.cli.verb.CompressCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The command line in gzip's manner, where an option takes the place of the verb: {@code warpcodec -dk FILE} is
 * {@code warpcodec decompress -k FILE}. It holds where no verb is given, and with {@code compress}.
 */
final class Shorthand {

    private static final String DEFAULT_VERB = "compress";
    private static final String END_OF_OPTIONS = "--";
    private static final Set<String> OF_NO_VERB = Set.of("-h", "--help", "-V", "--version");

    /** The verb that each letter stands for. Of several in a call, the last in the order of {@link Verb} counts. */
    private static final Map<Character, Verb> LETTERS =
            Map.of('l', Verb.INFO, 't', Verb.VERIFY, 'd', Verb.DECOMPRESS, 'z', Verb.COMPRESS);

    private static final Map<String, Verb> LONG_NAMES = Map.of(
            "--list", Verb.INFO,
            "--test", Verb.VERIFY,
            "--decompress", Verb.DECOMPRESS,
            "--uncompress", Verb.DECOMPRESS,
            "--compress", Verb.COMPRESS);

    /** In the order in which they count, the last one most. */
    private enum Verb {
        COMPRESS(DEFAULT_VERB),
        DECOMPRESS("decompress"),
        VERIFY("verify"),
        INFO("info", "--list");

        private final List<String> words;

        Verb(String... words) {
            this.words = List.of(words);
        }
    }

    /** What the options of compress are; null until an option is met. */
    private CommandSpec options;

    private final List<String> rest = new ArrayList<>();
    private Verb verb = Verb.COMPRESS;
    private boolean isVerbose;

    private Shorthand() {}

    /** The call's words with its verb first, or as they are where gzip's manner does not hold. */
    static String[] verbFirst(String... words) {
        if (words.length == 0) {
            return new String[] {DEFAULT_VERB};
        }
        boolean isCompress = words[0].equals(DEFAULT_VERB);
        boolean hasNoVerb = isOption(words[0]) ? !OF_NO_VERB.contains(words[0]) : isFileWithOptions(words);
        if (!isCompress && !hasNoVerb) {
            return words;
        }
        Shorthand shorthand = new Shorthand();
        shorthand.read(List.of(words).subList(isCompress ? 1 : 0, words.length));
        return shorthand.words();
    }

    private static boolean isOption(String word) {
        return word.startsWith("-");
    }

    /** Whether options stand behind files, as gzip takes them. */
    private static boolean isFileWithOptions(String... words) {
        return !Verbs.NAMES.contains(words[0]) && List.of(words).stream().anyMatch(Shorthand::isOption);
    }

    private void read(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals(END_OF_OPTIONS)) {
                rest.addAll(words.subList(i, words.size()));
                return;
            }
            String kept = withoutVerb(word);
            if (kept != null) {
                rest.add(kept);
            }
            if (kept != null && takesNext(kept) && i + 1 < words.size()) {
                i++;
                rest.add(words.get(i));
            }
        }
    }

    /** A word without the letters that name a verb; null if nothing is left of it. */
    private String withoutVerb(String word) {
        if (LONG_NAMES.containsKey(word)) {
            take(LONG_NAMES.get(word));
            return null;
        }
        isVerbose |= word.equals("--verbose");
        if (word.startsWith("--") || !word.startsWith("-") || word.length() == 1) {
            return word;
        }
        return withoutVerbLetters(word);
    }

    /** A cluster of letters without those that name a verb; the word as it is if it has a letter that is no option. */
    private String withoutVerbLetters(String word) {
        StringBuilder kept = new StringBuilder("-");
        List<Verb> named = new ArrayList<>();
        for (int i = 1; i < word.length(); i++) {
            char letter = word.charAt(i);
            OptionSpec option = option("-" + letter);
            if (LETTERS.containsKey(letter)) {
                named.add(LETTERS.get(letter));
            } else if (option == null) {
                return word;
            } else if (option.arity().max() > 0) {
                // what follows is the option's value
                kept.append(word, i, word.length());
                break;
            } else {
                kept.append(letter);
            }
        }
        named.forEach(this::take);
        isVerbose |= kept.indexOf("v") > 0;
        return kept.length() > 1 ? kept.toString() : null;
    }

    private OptionSpec option(String name) {
        if (options == null) {
            options = new CommandLine(new CompressCommand()).getCommandSpec();
        }
        return options.findOption(name);
    }

    private void take(Verb named) {
        verb = named.compareTo(verb) > 0 ? named : verb;
    }

    /** Whether the word behind this one is its value. */
    private boolean takesNext(String word) {
        if (word.length() < 2 || !word.startsWith("-") || word.contains("=")) {
            return false;
        }
        String name = word.startsWith("--") ? word : "-" + word.charAt(word.length() - 1);
        OptionSpec option = option(name);
        return option != null && option.arity().max() > 0;
    }

    private String[] words() {
        List<String> all = new ArrayList<>(verb.words);
        if (verb == Verb.VERIFY && !isVerbose) {
            // as gzip -t, which says nothing of a sound file
            all.add("--quiet");
        }
        all.addAll(rest);
        return all.toArray(String[]::new);
    }
}
