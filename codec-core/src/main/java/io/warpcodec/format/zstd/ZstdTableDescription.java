package io.warpcodec.format.zstd;

import java.nio.ByteBuffer;

/**
 * The description of an FSE table (RFC 8878 §4.1.1), read past.
 *
 * @param accuracyLog of its size
 * @param bytes its length
 */
public record ZstdTableDescription(int accuracyLog, int bytes) {
    private static final int MIN_ACCURACY_LOG = 5;
    private static final int MAX_SYMBOLS = 256;

    /** The description that begins at an index and ends before another one; null if none does. */
    public static ZstdTableDescription at(ByteBuffer bytes, int from, int limit) {
        Bits bits = new Bits(bytes, from, limit);
        int accuracyLog = MIN_ACCURACY_LOG + bits.next(4);
        return bits.skipProbabilities(1 << accuracyLog)
                ? new ZstdTableDescription(accuracyLog, (bits.at + 7) / 8 - from)
                : null;
    }

    /** Bits from the lowest of the first byte on. */
    private static final class Bits {
        private final ByteBuffer bytes;
        private final int limit;
        private int at;

        Bits(ByteBuffer bytes, int startByte, int limitByte) {
            this.bytes = bytes;
            this.at = startByte * 8;
            this.limit = limitByte * 8;
        }

        /** Returns whether the normalised probabilities are well-formed. */
        boolean skipProbabilities(int sum) {
            int remaining = sum;
            int symbols = 0;
            while (remaining > 0 && symbols < MAX_SYMBOLS && at < limit) {
                int count = 32 - Integer.numberOfLeadingZeros(remaining + 1);
                int value = next(count);
                int lowMask = (1 << count - 1) - 1;
                int threshold = (1 << count) - 2 - remaining;
                if ((value & lowMask) < threshold) {
                    at--;
                    value &= lowMask;
                } else if (value > lowMask) {
                    value -= threshold;
                }
                int probability = value - 1;
                remaining -= Math.abs(probability);
                symbols++;
                if (probability == 0) {
                    int repeat;
                    do {
                        repeat = next(2);
                        symbols += repeat;
                    } while (repeat == 3 && at < limit);
                }
            }
            return remaining == 0 && at <= limit;
        }

        /** The next bits, lowest first; zeros beyond the end. */
        int next(int count) {
            int value = 0;
            for (int i = 0; i < count; i++, at++) {
                if (at < limit) {
                    value |= (bytes.get(at >> 3) >> (at & 7) & 1) << i;
                }
            }
            return value;
        }
    }
}
