package io.warpcodec.engine.gpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.block.BlockData;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.block.TrialMemory;
import io.warpcodec.engine.gpu.deflate.DeflateGpuFinder.Found;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The search for dynamic blocks against {@link DeflateBlocksReference}, in sound streams, broken ones, and what is
 * none.
 */
@GpuTest
class DeflateFindGpuTest {
    private static final int CANARIES = 64;
    private static final int ENOUGH = 100_000;

    private static Device device;
    private static DeviceStream stream;
    private static DeflateGpuFinder finder;

    @BeforeAll
    static void open() throws Exception {
        device = DeviceDriver.open(0);
        stream = device.openStream();
        finder = DeflateGpuFinder.open(device);
    }

    @AfterAll
    static void close() {
        finder.close();
        stream.close();
        device.close();
    }

    @Test
    void everyDynamicBlockOfTheJdkIsFound() throws DeviceException {
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int level : new int[] {1, 6, 9}) {
                byte[] raw = BlockData.make(new Random(kind), kind, 400_000);
                byte[] body = GzipMembers.body(raw, level, Deflater.DEFAULT_STRATEGY);
                String what = "kind " + kind + ", level " + level;
                Found found = find(body, kind, 0, Byte.SIZE * body.length, ENOUGH);
                assertThat(found.positions()).as(what).contains(DeflateBlocksReference.dynamicBlocks(body));
                assertThat(found.positions())
                        .as(what)
                        .containsExactly(DeflateBlocksReference.headers(body, 0, Byte.SIZE * body.length));
                assertThat(found.foundCount()).as(what).isEqualTo(found.positions().length);
            }
        }
    }

    /** Inputs and ranges that begin and end anywhere, of streams sound, broken and cut, and of periods. */
    @Test
    void anyRangeOfAnythingIsJudgedAsByTheReference() throws DeviceException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int turn = 0; turn < 500; turn++) {
            byte[] bytes = something(random);
            int bits = Byte.SIZE * bytes.length;
            int begin = random.nextBoolean() ? 0 : random.nextInt(bits);
            int limit = random.nextBoolean() ? bits : begin + 1 + random.nextInt(bits - begin);
            String what = "seed " + seed + ", turn " + turn;
            int[] expected = DeflateBlocksReference.headers(bytes, begin, limit);
            Found found = find(bytes, random.nextInt(8), begin, limit, ENOUGH);
            assertThat(found.foundCount()).as(what).isEqualTo(expected.length);
            if (found.positions().length == expected.length) {
                assertThat(found.positions()).as(what).containsExactly(expected);
            } else {
                assertThat(found.positions()).as(what).isSorted();
                assertThat(expected).as(what).contains(found.positions());
                assertThat(found.positions().length).as(what).isGreaterThanOrEqualTo(32);
            }
        }
    }

    @Test
    void theListIsBoundedAndWhatDoesNotFitIsCounted() throws DeviceException {
        byte[] body = blocksOf(2_000, 120_000, new Random(3));
        int bits = Byte.SIZE * body.length;
        int[] expected = DeflateBlocksReference.headers(body, 0, bits);
        assertThat(expected).hasSizeGreaterThan(50);
        for (int listLimit : new int[] {0, 1, 31, expected.length - 1, expected.length}) {
            Found found = find(body, 0, 0, bits, listLimit);
            assertThat(found.positions()).containsExactly(Arrays.copyOf(expected, listLimit));
            assertThat(found.foundCount()).isEqualTo(expected.length);
        }
    }

    /** 2 KiB have room for 32: the first ones. */
    @Test
    void aTileWithMoreThanItsShareKeepsTheFirstOnes() throws DeviceException {
        byte[] body = emptyBlocks(2_000);
        int bits = Byte.SIZE * body.length;
        int[] expected = DeflateBlocksReference.headers(body, 0, bits);
        Found found = find(body, 0, 0, bits, ENOUGH);
        int[] first = Arrays.stream(expected)
                .filter(position -> {
                    int tile = position / DeflateStreamKernels.FIND_TILE_BITS * DeflateStreamKernels.FIND_TILE_BITS;
                    return Arrays.stream(expected)
                                    .filter(other -> tile <= other && other < position)
                                    .count()
                            < 32;
                })
                .toArray();
        assertThat(DeflateBlocksReference.dynamicBlocks(body)).hasSize(2_000);
        assertThat(first).hasSizeLessThan(expected.length);
        assertThat(found.foundCount()).isEqualTo(expected.length);
        assertThat(found.positions()).containsExactly(first);
    }

    /** Dynamic blocks of 92 bits: one literal code, for the end, and no distance code, or one of one bit, in turns. */
    private static byte[] emptyBlocks(int count) {
        int[] order = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1};
        BitSet bits = new BitSet();
        int at = 0;
        for (int block = 0; block < count; block++) {
            at = put(bits, at, block == count - 1 ? 1 : 0, 1);
            at = put(bits, at, 2, 2);
            at = put(bits, at, 0, 5 + 5);
            at = put(bits, at, order.length - 4, 4);
            for (int symbol : order) {
                at = put(bits, at, symbol == 18 ? 1 : symbol == 0 || symbol == 1 ? 2 : 0, 3);
            }
            // 18 is the bit 0, 0 the bits 1 and 0, 1 the bits 1 and 1: 138 and 118 zeros, 1, then 0 or 1
            at = put(bits, at, 127 << 1, 8);
            at = put(bits, at, 107 << 1, 8);
            at = put(bits, at, 3, 2);
            at = put(bits, at, block % 2 == 0 ? 1 : 3, 2);
            at = put(bits, at, 0, 1);
        }
        return Arrays.copyOf(bits.toByteArray(), (at + 7) / 8);
    }

    private static int put(BitSet bits, int at, int value, int count) {
        for (int bit = 0; bit < count; bit++) {
            bits.set(at + bit, (value >> bit & 1) != 0);
        }
        return at + count;
    }

    private static byte[] something(Random random) {
        byte[] bytes = new byte[1 + random.nextInt(8_000)];
        switch (random.nextInt(5)) {
            case 0 -> random.nextBytes(bytes);
            case 1 -> {
                int period = 1 + random.nextInt(40);
                for (int at = 0; at < bytes.length; at++) {
                    bytes[at] = at < period ? (byte) random.nextInt() : bytes[at - period];
                }
            }
            case 2 -> bytes = emptyBlocks(1 + random.nextInt(500));
            default -> {
                byte[] body = blocksOf(100 + random.nextInt(3_000), 20_000, random);
                for (int damage = random.nextInt(2) * random.nextInt(40); damage > 0; damage--) {
                    body[random.nextInt(body.length)] = (byte) random.nextInt();
                }
                bytes = random.nextBoolean() ? body : Arrays.copyOf(body, 1 + random.nextInt(body.length));
            }
        }
        return bytes;
    }

    /**
     * A stream of dynamic blocks, most of them, of so many raw bytes each: few different ones, so that headers are
     * short.
     */
    private static byte[] blocksOf(int blockBytes, int rawBytes, Random random) {
        byte[] raw = new byte[rawBytes];
        for (int at = 0; at < rawBytes; at++) {
            raw[at] = (byte) (250 + random.nextInt(5));
        }
        Deflater deflater = new Deflater(6, true);
        byte[] body = new byte[2 * rawBytes + 1000 + rawBytes / blockBytes * 100];
        int bytes = 0;
        for (int at = 0; at < rawBytes; at += blockBytes) {
            deflater.setInput(raw, at, Math.min(blockBytes, rawBytes - at));
            bytes += deflater.deflate(body, bytes, body.length - bytes, Deflater.SYNC_FLUSH);
        }
        deflater.finish();
        bytes += deflater.deflate(body, bytes, body.length - bytes);
        assertThat(deflater.finished()).isTrue();
        deflater.end();
        return Arrays.copyOf(body, bytes);
    }

    /** The input begins `shift` bytes behind an alignment; nothing but the answer is written. */
    private static Found find(byte[] bytes, int shift, int begin, int limit, int listLimit) throws DeviceException {
        int answerBytes = (int) DeflateGpuFinder.workspaceBytes(listLimit);
        int scratchBytes = (int) DeflateGpuFinder.scratchBytes(limit - begin);
        int inputBytes = (shift + bytes.length + 7) / 8 * 8;
        byte[] shifted = new byte[inputBytes];
        System.arraycopy(bytes, 0, shifted, shift, bytes.length);
        try (TrialMemory memory = new TrialMemory(device, stream)) {
            DeviceBuffer work = memory.poisoned(answerBytes + scratchBytes + 2 * CANARIES);
            PinnedBuffer staging = memory.staging(answerBytes);
            finder.enqueueFind(
                    memory.holding(shifted).slice(shift, bytes.length),
                    begin,
                    limit,
                    listLimit,
                    new LaunchMemory(
                            work.slice(0, answerBytes),
                            staging,
                            work.slice(answerBytes + CANARIES, scratchBytes),
                            stream));
            byte[] after = memory.bytes(work);
            Found found = finder.found(staging);
            int written = (int) DeflateGpuFinder.workspaceBytes(found.positions().length);
            TrialMemory.requireCanary("answer", after, written, answerBytes + CANARIES);
            TrialMemory.requireCanary("end", after, after.length - CANARIES, after.length);
            return found;
        }
    }
}
