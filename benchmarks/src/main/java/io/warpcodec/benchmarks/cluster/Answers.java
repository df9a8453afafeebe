package io.warpcodec.benchmarks.cluster;

import java.util.HashMap;
import java.util.Map;

/** The answer to each work, on which all contenders have to agree. */
final class Answers {
    private final Map<String, String> byWork = new HashMap<>();

    /** @throws IllegalStateException if another contender has found another answer */
    void check(Contender contender, String work, String found) {
        String expected = byWork.putIfAbsent(work, found);
        if (expected != null && !expected.equals(found)) {
            throw new IllegalStateException(
                    contender.word() + " answers to " + work + " " + found + ", not " + expected);
        }
    }
}
