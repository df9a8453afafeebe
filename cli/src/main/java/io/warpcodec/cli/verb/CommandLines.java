package io.warpcodec.cli.verb;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Command lines that a person can copy. */
final class CommandLines {

    private static final String SAFE = "[A-Za-z0-9_@%+=:,./-]+";

    private CommandLines() {}

    /**
     * A call once more with force, for one of its files.
     *
     * @param verb the call
     * @param files the words of it that are files
     * @param more what it is to have besides
     */
    static String again(CommandLine verb, List<String> files, String file, String... more) {
        List<String> words = new ArrayList<>(List.of("warpcodec", verb.getCommandName()));
        List<String> given = verb.getParseResult().originalArgs();
        for (String word : given) {
            boolean isOption = !files.contains(word) && !word.equals("--") && !word.equals(verb.getCommandName());
            if (isOption) {
                words.add(word);
            }
        }
        words.add("-f");
        words.addAll(List.of(more));
        if (file.startsWith("-")) {
            words.add("--");
        }
        words.add(file);
        return String.join(" ", words.stream().map(CommandLines::quoted).toList());
    }

    /** A word as a shell takes it. */
    static String quoted(String word) {
        return word.matches(SAFE) ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
