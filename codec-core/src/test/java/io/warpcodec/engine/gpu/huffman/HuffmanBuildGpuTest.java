package io.warpcodec.engine.gpu.huffman;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.device.driver.PinnedBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link HuffmanGpuBuilder}: complete codes within the limit, as cheap as a plain coin collector's and, without a limit that binds, as Huffman's. */
@GpuTest
class HuffmanBuildGpuTest {
    private static final int CODES = 200;

    private Device device;
    private DeviceStream stream;
    private HuffmanGpuBuilder builder;

    @BeforeEach
    void open() throws Exception {
        device = DeviceDriver.open(0);
        stream = device.openStream();
        builder = HuffmanGpuBuilder.open(device);
    }

    @AfterEach
    void close() {
        builder.close();
        stream.close();
        device.close();
    }

    private record Built(byte[] lengths, int[] codes) {}

    private List<Built> build(List<int[]> weights, int limitBits) throws DeviceException {
        int symbolCount = weights.get(0).length;
        int count = symbolCount * weights.size();
        try (DeviceBuffer input = device.allocate(4L * count);
                DeviceBuffer lengths = device.allocate(count);
                DeviceBuffer codes = device.allocate(4L * count);
                PinnedBuffer upload = device.allocatePinned(4L * count);
                PinnedBuffer lengthBytes = device.allocatePinned(count);
                PinnedBuffer codeBytes = device.allocatePinned(4L * count)) {
            IntBuffer view = upload.view().order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
            weights.forEach(view::put);
            stream.upload(upload, input);
            stream.fill(lengths, (byte) 0xEE);
            stream.fill(codes, (byte) 0xEE);
            builder.enqueueBuild(input, symbolCount, limitBits, lengths, codes, weights.size(), stream);
            stream.download(lengths, lengthBytes);
            stream.download(codes, codeBytes);
            stream.synchronise();
            List<Built> built = new ArrayList<>();
            for (int code = 0; code < weights.size(); code++) {
                byte[] own = new byte[symbolCount];
                lengthBytes.view().position(code * symbolCount).get(own);
                int[] words = new int[symbolCount];
                codeBytes
                        .view()
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asIntBuffer()
                        .position(code * symbolCount)
                        .get(words);
                built.add(new Built(own, words));
            }
            return built;
        }
    }

    /** Weights of many shapes: even, steep, of few values, with gaps. */
    private static int[] weights(Random random, int symbolCount) {
        int shape = random.nextInt(6);
        int[] weights = new int[symbolCount];
        for (int symbol = 0; symbol < symbolCount; symbol++) {
            weights[symbol] = switch (shape) {
                case 0 -> 1 + random.nextInt(1000);
                case 1 -> 1 << random.nextInt(18);
                case 2 -> random.nextInt(3);
                case 3 -> (int) Math.min(1 << 18, Math.exp(random.nextDouble() * 12));
                case 4 -> random.nextInt(4) == 0 ? random.nextInt(60_000) : 0;
                default -> 1;
            };
        }
        return weights;
    }

    @Test
    void codesAreCompleteCanonicalAndAsCheapAsTheCoinCollectors() throws Exception {
        long seed = TestSeed.value();
        Random random = new Random(seed);
        for (int symbolCount : new int[] {2, 3, 7, 19, 30, 31, 64, 100, 256, 286, 288}) {
            int leastBits = 32 - Integer.numberOfLeadingZeros(symbolCount - 1);
            for (int limitBits = leastBits; limitBits <= 15; limitBits += limitBits < leastBits + 2 ? 1 : 3) {
                List<int[]> all = new ArrayList<>();
                for (int code = 0; code < CODES / 4; code++) {
                    all.add(weights(random, symbolCount));
                }
                List<Built> built = build(all, limitBits);
                for (int code = 0; code < all.size(); code++) {
                    String what =
                            "seed " + seed + ", " + symbolCount + " symbols, " + limitBits + " bits, code " + code;
                    check(what, all.get(code), built.get(code), limitBits);
                }
            }
        }
    }

    @Test
    void aLimitThatDoesNotBindGivesHuffmansCost() throws Exception {
        Random random = new Random(1);
        List<int[]> all = new ArrayList<>();
        for (int code = 0; code < CODES; code++) {
            int[] weights = new int[286];
            for (int symbol = 0; symbol < weights.length; symbol++) {
                weights[symbol] = 1 + random.nextInt(100);
            }
            all.add(weights);
        }
        List<Built> built = build(all, 15);
        for (int code = 0; code < CODES; code++) {
            assertThat(cost(all.get(code), built.get(code).lengths)).isEqualTo(huffmanCost(all.get(code)));
        }
    }

    @Test
    void fewerThanTwoSymbolsGetTwoCodes() throws Exception {
        List<Built> built = build(List.of(new int[] {0, 0, 0}, new int[] {5, 0, 0}, new int[] {0, 0, 7}), 7);
        assertThat(built.get(0).lengths).containsExactly(1, 1, 0);
        assertThat(built.get(1).lengths).containsExactly(1, 1, 0);
        assertThat(built.get(2).lengths).containsExactly(1, 0, 1);
    }

    @Test
    void whatALimitCannotHoldHasNoCode() throws Exception {
        List<Built> built = build(List.of(new int[] {1, 1, 1, 1, 1}, new int[] {1, 1, 1, 1, 0}), 2);
        assertThat(built.get(0).lengths).containsOnly(0);
        assertThat(built.get(1).lengths).containsExactly(2, 2, 2, 2, 0);
    }

    private static void check(String what, int[] weights, Built built, int limitBits) {
        long used = 0;
        for (int symbol = 0; symbol < weights.length; symbol++) {
            int length = built.lengths[symbol];
            assertThat(length).as(what).isBetween(0, limitBits);
            used += length == 0 ? 0 : 1L << (limitBits - length);
            if (weights[symbol] != 0) {
                assertThat(length).as(what).isPositive();
            }
        }
        assertThat(used).as("Kraft sum, %s", what).isEqualTo(1L << limitBits);
        assertThat(built.codes).as(what).isEqualTo(canonicalCodes(built.lengths));
        if (Arrays.stream(weights).filter(weight -> weight != 0).count() >= 2) {
            assertThat(cost(weights, built.lengths)).as(what).isEqualTo(coinCollectorCost(weights, limitBits));
        }
    }

    private static long cost(int[] weights, byte[] lengths) {
        long cost = 0;
        for (int symbol = 0; symbol < weights.length; symbol++) {
            cost += (long) weights[symbol] * lengths[symbol];
        }
        return cost;
    }

    /** RFC 1951 §3.2.2, bits turned round, lengths above them. */
    private static int[] canonicalCodes(byte[] lengths) {
        int[] codes = new int[lengths.length];
        int code = 0;
        for (int bits = 1; bits <= 15; bits++) {
            code <<= 1;
            for (int symbol = 0; symbol < lengths.length; symbol++) {
                if (lengths[symbol] == bits) {
                    codes[symbol] = Integer.reverse(code++) >>> (32 - bits) | bits << 16;
                }
            }
        }
        return codes;
    }

    /**
     * Coins worth 2^-limit to 2^-1 for each symbol, each at the price of the symbol's weight, packed in pairs from the smallest on: the cheapest
     * 2n - 2 halves buy the lengths, and cost what the code does.
     */
    private static long coinCollectorCost(int[] weights, int limitBits) {
        List<Long> leaves = Arrays.stream(weights)
                .filter(weight -> weight != 0)
                .mapToObj(Long::valueOf)
                .toList();
        List<Long> coins = new ArrayList<>(leaves);
        for (int bits = limitBits - 1; bits >= 1; bits--) {
            Collections.sort(coins);
            List<Long> next = new ArrayList<>(leaves);
            for (int pair = 0; pair + 1 < coins.size(); pair += 2) {
                next.add(coins.get(pair) + coins.get(pair + 1));
            }
            coins = next;
        }
        Collections.sort(coins);
        return coins.stream()
                .limit(2L * leaves.size() - 2)
                .mapToLong(Long::longValue)
                .sum();
    }

    private static long huffmanCost(int[] weights) {
        PriorityQueue<Long> queue = new PriorityQueue<>();
        Arrays.stream(weights).filter(weight -> weight != 0).forEach(weight -> queue.add((long) weight));
        long cost = 0;
        while (queue.size() > 1) {
            long sum = queue.remove() + queue.remove();
            cost += sum;
            queue.add(sum);
        }
        return cost;
    }
}
