package io.warpcodec.benchmarks.baseline;

import java.util.Locale;

/** Which of the two codecs of a {@link CodecPair}. */
enum Side {
    OURS,
    STOCK;

    static Side ofWord(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
