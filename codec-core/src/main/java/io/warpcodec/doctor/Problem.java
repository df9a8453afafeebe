package io.warpcodec.doctor;

import java.io.Serializable;
import java.util.Locale;

/**
 * Something that is wrong, or less good than it could be, on a node.
 *
 * @param what what it is, in one line
 * @param remedy what to do about it, in one line
 */
public record Problem(String what, String remedy) implements Serializable {
    /** Puts each of both into one line: what comes from libraries may have several. */
    public Problem {
        what = oneLine(what);
        remedy = oneLine(remedy);
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** Both as sentences of one line. */
    @Override
    public String toString() {
        return what + ". " + remedy.substring(0, 1).toUpperCase(Locale.ROOT) + remedy.substring(1);
    }
}
