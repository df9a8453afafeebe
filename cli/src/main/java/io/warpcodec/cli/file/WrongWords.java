package io.warpcodec.cli.file;

import io.warpcodec.Format;

/** Names of files that do not exist and that were meant as something else. */
final class WrongWords {

    private WrongWords() {}

    /** What a word says in another place, in words that end a sentence; empty if it says nothing. */
    static String hint(String name) {
        if (name.matches("[0-9]{1,2}")) {
            return "; a level is -" + name;
        }
        for (Format format : Format.values()) {
            if (format.word().equals(name)) {
                return "; a format is --format " + name;
            }
        }
        return "";
    }
}
