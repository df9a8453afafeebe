package io.warpcodec.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How much of a chunk repeats long pieces of it. The CPU's libraries take long matches at once, though their level is
 * strong: zeros take a core a thousandth of text's time. So only the other bytes count where work is given to devices,
 * and where a wait for them is bounded.
 *
 * <p>Eight samples are looked at, an eighth of the chunk; of 8 MiB that takes some 0.4 ms. Words of eight bytes are
 * looked up on a way whose steps depend on the bytes alone, so that ways through equal bytes soon meet. Not seen are
 * repeats from places that lie in no sample. Stateless and thread-safe.
 */
public final class LongRepeats {
    private static final int SAMPLES = 8;
    private static final int SAMPLED_SHARE = 8;

    /** Samples of short chunks are all of them. */
    private static final int LEAST_SAMPLE_BYTES = 512;

    /** Shorter matches cost what text costs. */
    private static final int LEAST_LONG_BYTES = 256;

    private static final int MOST_TABLE_BITS = 15;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int STEP_MASK = 15;

    private LongRepeats() {}

    /**
     * Bytes of a chunk that do not repeat, about.
     *
     * @param chunk from 0 to its limit; its order of bytes is not kept
     */
    public static int otherBytes(ByteBuffer chunk) {
        int chunkBytes = chunk.limit();
        if (chunkBytes < Long.BYTES) {
            return chunkBytes;
        }
        ByteBuffer words = chunk.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int sampleBytes = Math.max(LEAST_SAMPLE_BYTES, chunkBytes / (SAMPLES * SAMPLED_SHARE));
        int wordBits = Integer.SIZE - Integer.numberOfLeadingZeros(SAMPLES * sampleBytes / Long.BYTES);
        int[] placeOfWord = new int[1 << Math.min(MOST_TABLE_BITS, wordBits)];
        long seen = 0;
        long other = 0;
        int sampleEnd = 0;
        for (int sample = 0; sample < SAMPLES && sampleEnd < chunkBytes; sample++) {
            int begin =
                    Math.max(sampleEnd, (int) ((long) Math.max(0, chunkBytes - sampleBytes) * sample / (SAMPLES - 1)));
            sampleEnd = Math.min(chunkBytes, begin + sampleBytes);
            seen += sampleEnd - begin;
            other += otherBytes(words, begin, sampleEnd, placeOfWord);
        }
        return (int) (chunkBytes * other / seen);
    }

    /** Of one sample. */
    private static int otherBytes(ByteBuffer words, int begin, int end, int[] placeOfWord) {
        int shift = Long.SIZE - Integer.numberOfTrailingZeros(placeOfWord.length);
        int other = end - begin;
        int at = begin;
        while (at + Long.BYTES <= end) {
            long word = words.getLong(at);
            long hash = word * MULTIPLIER;
            int slot = (int) (hash >>> shift);
            int before = placeOfWord[slot] - 1;
            placeOfWord[slot] = at + 1;
            int length = before < 0 ? 0 : commonBytes(words, before, at, end);
            if (length >= LEAST_LONG_BYTES) {
                other -= length;
            }
            at += Math.max(length, 1 + (int) (hash & STEP_MASK));
        }
        return other;
    }

    /** Equal bytes at both places, in whole words. */
    private static int commonBytes(ByteBuffer words, int before, int at, int end) {
        int length = 0;
        while (at + length + Long.BYTES <= end && words.getLong(before + length) == words.getLong(at + length)) {
            length += Long.BYTES;
        }
        return length;
    }
}
