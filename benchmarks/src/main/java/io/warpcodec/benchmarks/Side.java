package io.warpcodec.benchmarks;

import java.util.Locale;

/** Which of the two codecs of a {@link CodecPair}. */
enum Side {
    OURS,
    STOCK;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
