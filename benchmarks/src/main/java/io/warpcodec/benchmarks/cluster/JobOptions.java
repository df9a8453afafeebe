package io.warpcodec.benchmarks.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The options of a program, {@code --name value}, each with a default. */
final class JobOptions {
    private final Map<String, String> values;

    private JobOptions(Map<String, String> values) {
        this.values = values;
    }

    /** @param defaults name, value, name, value, ... */
    static JobOptions parse(String[] arguments, String... defaults) {
        Map<String, String> values = new TreeMap<>();
        for (int at = 0; at < defaults.length; at += 2) {
            values.put(defaults[at], defaults[at + 1]);
        }
        for (int at = 0; at < arguments.length; at += 2) {
            String name = arguments[at].replaceFirst("^--", "");
            if (!values.containsKey(name) || at + 1 == arguments.length) {
                throw new IllegalArgumentException(
                        arguments[at] + " is not an option with a value; there are " + values);
            }
            values.put(name, arguments[at + 1]);
        }
        return new JobOptions(values);
    }

    String text(String name) {
        return values.get(name);
    }

    int number(String name) {
        return Integer.parseInt(text(name));
    }

    /** Of a list with commas. */
    List<String> words(String name) {
        return Arrays.stream(text(name).split(","))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    List<Contender> contenders() {
        return words("contenders").stream().map(Contender::of).toList();
    }

    /** For the head of a result; without those that are empty. */
    Map<String, String> all() {
        Map<String, String> all = new TreeMap<>(values);
        all.values().removeIf(String::isEmpty);
        return all;
    }
}
