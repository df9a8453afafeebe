package io.warpcodec.engine.gpu.zstd;

import java.util.Arrays;

/**
 * A table of states (RFC 8878, 4.1.1).
 *
 * @param log of its size
 * @param symbols by state
 * @param bits by state, how many make the next state
 * @param bases by state, what they are added to
 * @param counts by symbol, -1 for less than one; null if the table has one symbol and no bits
 * @param describedBytes length of its description
 */
record ZstdFse(int log, int[] symbols, int[] bits, int[] bases, int[] counts, int describedBytes) {
    static ZstdFse of(int log, int[] counts, int describedBytes) throws ZstdDefect {
        int size = 1 << log;
        int[] symbols = new int[size];
        int[] next = new int[counts.length];
        int high = size - 1;
        for (int s = 0; s < counts.length; s++) {
            if (counts[s] == -1) {
                symbols[high--] = s;
                next[s] = 1;
            } else {
                next[s] = counts[s];
            }
        }
        int at = 0;
        int step = (size >> 1) + (size >> 3) + 3;
        for (int s = 0; s < counts.length; s++) {
            for (int i = 0; i < counts[s]; i++) {
                symbols[at] = s;
                do {
                    at = at + step & size - 1;
                } while (at > high);
            }
        }
        ZstdDefect.unless(at == 0, "counts that do not fill their table");
        int[] bits = new int[size];
        int[] bases = new int[size];
        for (int state = 0; state < size; state++) {
            int x = next[symbols[state]]++;
            bits[state] = log - (31 - Integer.numberOfLeadingZeros(x));
            bases[state] = (x << bits[state]) - size;
        }
        return new ZstdFse(log, symbols, bits, bases, counts, describedBytes);
    }

    static ZstdFse ofOne(int symbol) {
        return new ZstdFse(0, new int[] {symbol}, new int[1], new int[1], null, 1);
    }

    /** Reads a description. */
    static ZstdFse described(byte[] in, int from, int to, int mostSymbol, int mostLog) throws ZstdDefect {
        ZstdDefect.unless(from < to, "no counts");
        int bit = from * 8;
        int log = ZstdBits.forward(in, bit, 4, to) + 5;
        bit += 4;
        ZstdDefect.unless(log <= mostLog, "a table above its limit");
        int remaining = (1 << log) + 1;
        int threshold = 1 << log;
        int width = log + 1;
        int[] counts = new int[mostSymbol + 1];
        int symbol = 0;
        boolean zero = false;
        while (remaining > 1) {
            if (zero) {
                int more;
                do {
                    more = ZstdBits.forward(in, bit, 2, to);
                    bit += 2;
                    symbol += more;
                } while (more == 3 && bit < 8 * to);
            }
            ZstdDefect.unless(symbol <= mostSymbol && bit < 8 * to, "too many symbols");
            int most = 2 * threshold - 1 - remaining;
            int value = ZstdBits.forward(in, bit, width, to);
            int count;
            if ((value & threshold - 1) < most) {
                count = value & threshold - 1;
                bit += width - 1;
            } else {
                count = value & 2 * threshold - 1;
                if (count >= threshold) {
                    count -= most;
                }
                bit += width;
            }
            count--;
            remaining -= Math.abs(count);
            counts[symbol++] = count;
            zero = count == 0;
            while (remaining < threshold) {
                width--;
                threshold >>= 1;
            }
        }
        ZstdDefect.unless(remaining == 1 && bit <= 8 * to, "counts that do not add up");
        return ZstdFse.of(log, Arrays.copyOf(counts, symbol), (bit + 7) / 8 - from);
    }

    /** Describes a table by its counts. */
    static byte[] description(int log, int[] counts) {
        Writer out = new Writer();
        out.put(log - 5, 4);
        int remaining = (1 << log) + 1;
        int threshold = 1 << log;
        int width = log + 1;
        boolean zero = false;
        for (int symbol = 0; remaining > 1; symbol++) {
            if (zero) {
                int zeros = 0;
                while (counts[symbol] == 0) {
                    symbol++;
                    zeros++;
                }
                for (; zeros >= 3; zeros -= 3) {
                    out.put(3, 2);
                }
                out.put(zeros, 2);
            }
            int count = counts[symbol];
            int most = 2 * threshold - 1 - remaining;
            int value = count + 1;
            if (value >= threshold) {
                value += most;
            }
            out.put(value, width - (value < most ? 1 : 0));
            remaining -= Math.abs(count);
            zero = count == 0;
            while (remaining < threshold) {
                width--;
                threshold >>= 1;
            }
        }
        return out.toArray();
    }

    /** Bits, the lowest first. */
    private static final class Writer {
        private byte[] bytes = new byte[16];
        private int bit;

        void put(int value, int count) {
            bytes = bit + count > 8 * bytes.length ? Arrays.copyOf(bytes, 2 * bytes.length) : bytes;
            for (int i = 0; i < count; i++, bit++) {
                bytes[bit >> 3] |= (byte) ((value >> i & 1) << (bit & 7));
            }
        }

        byte[] toArray() {
            return Arrays.copyOf(bytes, (bit + 7) / 8);
        }
    }
}
