package io.warpcodec.engine.gpu.zstd;

import java.util.Arrays;

/**
 * A prefix code of literals (RFC 8878, 4.2.1).
 *
 * @param log of the number of entries
 * @param symbols by the bits that come next
 * @param bits likewise, how many of them are the symbol's
 * @param description the bytes that describe it
 */
record ZstdTree(int log, byte[] symbols, byte[] bits, byte[] description) {
    /** Reads a description. */
    static ZstdTree read(byte[] in, int from, int to) throws ZstdDefect {
        ZstdDefect.unless(from < to, "no tree");
        int header = in[from] & 0xff;
        int[] weights = new int[256];
        int count = 0;
        int end;
        if (header >= 128) {
            count = header - 127;
            end = from + 1 + (count + 1) / 2;
            ZstdDefect.unless(end <= to, "weights cut off");
            for (int i = 0; i < count; i++) {
                int pair = in[from + 1 + i / 2] & 0xff;
                weights[i] = i % 2 == 0 ? pair >> 4 : pair & 15;
            }
        } else {
            end = from + 1 + header;
            ZstdDefect.unless(end <= to, "weights cut off");
            ZstdFse table = ZstdFse.described(in, from + 1, end, 255, 6);
            ZstdBits bits = new ZstdBits(in, from + 1 + table.describedBytes(), end);
            int[] state = {(int) bits.read(table.log()), (int) bits.read(table.log())};
            ZstdDefect.unless(bits.left() >= 0, "weights end before their states");
            for (int turn = 0; ; turn ^= 1) {
                ZstdDefect.unless(count < 255, "too many weights");
                weights[count++] = table.symbols()[state[turn]];
                int need = table.bits()[state[turn]];
                if (bits.left() < need) {
                    weights[count++] = table.symbols()[state[turn ^ 1]];
                    break;
                }
                state[turn] = table.bases()[state[turn]] + (int) bits.read(need);
            }
        }
        int sum = 0;
        for (int i = 0; i < count; i++) {
            ZstdDefect.unless(weights[i] <= 12, "a weight above its limit");
            sum += weights[i] == 0 ? 0 : 1 << weights[i] - 1;
        }
        ZstdDefect.unless(sum > 0, "no weights");
        int log = 32 - Integer.numberOfLeadingZeros(sum);
        int rest = (1 << log) - sum;
        ZstdDefect.unless(log <= 11 && Integer.bitCount(rest) == 1 && count < 256, "weights that do not add up");
        weights[count++] = 32 - Integer.numberOfLeadingZeros(rest);
        long longest = Arrays.stream(weights).filter(weight -> weight == 1).count();
        ZstdDefect.unless(longest >= 2, "no two words of the greatest length");
        byte[] symbols = new byte[1 << log];
        byte[] bits = new byte[1 << log];
        int at = 0;
        for (int weight = 1; weight <= log; weight++) {
            for (int s = 0; s < count; s++) {
                if (weights[s] == weight) {
                    Arrays.fill(symbols, at, at + (1 << weight - 1), (byte) s);
                    Arrays.fill(bits, at, at + (1 << weight - 1), (byte) (log + 1 - weight));
                    at += 1 << weight - 1;
                }
            }
        }
        return new ZstdTree(log, symbols, bits, Arrays.copyOfRange(in, from, end));
    }
}
