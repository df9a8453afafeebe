package io.warpcodec.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/** Options of other tools that this one has not, and the word to use instead. */
final class ForeignWords {

    private static final Map<String, String> INSTEAD = new LinkedHashMap<>();

    static {
        add("text is not converted: dos2unix and tr do that", "-a", "--ascii");
        add("no name is stored, so that the same content gives the same bytes; -n says so", "-N", "--name");
        add("the suffix is what Hadoop and Spark choose the format by; -o OUT names a file", "-S", "--suffix");
        add("the licence lies beside bin; -V says the version", "-L", "--license");
        add("no format here has it; each chunk stands alone anyway", "--rsyncable");
        add("say --threads N", "-j", "--jobs", "-P", "--processes", "--single-thread");
        add("say -19: windows are the format's own", "--long");
        add("say -1: there is no faster level", "--adapt");
        add("say xargs: xargs -a LIST warpcodec -k", "--filelist");
        add("memory is bounded without it", "-M", "--memory", "--memlimit", "-s", "--small");
        add("dictionaries are not known here", "-D", "--dictionary", "--train", "--patch-from");
        add("say warpcodec bench FILE", "-b", "--benchmark");
        add("say --best", "-e", "--extreme");
        add("say --format FORMAT", "-F");
        add(
                "checksums are always written and checked; -t checks a file",
                "-C",
                "--check",
                "--no-check",
                "--integrity-check");
        add("say warpcodec index FILE.gz", "--export-index", "--import-index", "-I");
        add("say warpcodec -dc FILE | wc -l", "--count-lines", "--count");
        add("say warpcodec recompress --format FORMAT -o FOLDER", "--output-dir-flat", "--output-dir-mirror");
        add("leftovers are named and never deleted: look at each, then delete it", "--clean");
    }

    private ForeignWords() {}

    private static void add(String hint, String... words) {
        for (String word : words) {
            INSTEAD.put(word, hint);
        }
    }

    /**
     * What to say of an option that does not exist; null if it is no other tool's.
     *
     * @param word as it was given, with a value behind {@code =} or, of one letter, with anything behind it
     */
    static String hint(String word) {
        String name = word.startsWith("--") || word.length() <= 2 ? word : word.substring(0, 2);
        int value = name.indexOf('=');
        return INSTEAD.get(value < 0 ? name : name.substring(0, value));
    }
}
