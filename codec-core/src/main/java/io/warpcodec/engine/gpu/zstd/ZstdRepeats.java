package io.warpcodec.engine.gpu.zstd;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How much of a frame repeats long pieces of it. libzstd's strong levels take long matches at once: zeros take a core a
 * thousandth of text's time. So only the other bytes count where work is given to devices, and where a wait for them
 * is bounded.
 *
 * <p>Eight samples are looked at, 1 MiB at most, which takes some 0.4 ms. Words of eight bytes are looked up on a way
 * whose steps depend on the bytes alone, so that ways through equal bytes soon meet. Not seen are repeats from places
 * that lie in no sample. Stateless and thread-safe.
 */
final class ZstdRepeats {
    private static final int SAMPLES = 8;
    private static final int SAMPLE_BYTES = 128 << 10;

    /** Shorter matches cost libzstd what text costs. */
    private static final int LEAST_LONG_BYTES = 256;

    private static final int MOST_TABLE_BITS = 15;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int STEP_MASK = 15;

    private ZstdRepeats() {}

    /**
     * Bytes of a frame that do not repeat, about.
     *
     * @param frame from 0 to its limit; its order of bytes is not kept
     */
    static int otherBytes(ByteBuffer frame) {
        int frameBytes = frame.limit();
        if (frameBytes < Long.BYTES) {
            return frameBytes;
        }
        ByteBuffer words = frame.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int wordBits = Integer.SIZE - Integer.numberOfLeadingZeros(frameBytes / Long.BYTES);
        int[] placeOfWord = new int[1 << Math.min(MOST_TABLE_BITS, wordBits)];
        long seen = 0;
        long other = 0;
        int sampleEnd = 0;
        for (int sample = 0; sample < SAMPLES && sampleEnd < frameBytes; sample++) {
            int begin =
                    Math.max(sampleEnd, (int) ((long) Math.max(0, frameBytes - SAMPLE_BYTES) * sample / (SAMPLES - 1)));
            sampleEnd = Math.min(frameBytes, begin + SAMPLE_BYTES);
            seen += sampleEnd - begin;
            other += otherBytes(words, begin, sampleEnd, placeOfWord);
        }
        return (int) (frameBytes * other / seen);
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
