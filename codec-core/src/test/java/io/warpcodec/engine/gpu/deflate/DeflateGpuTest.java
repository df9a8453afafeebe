package io.warpcodec.engine.gpu.deflate;

import static io.warpcodec.engine.gpu.block.BlockTrial.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.block.BlockGpuContract;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.BlockResult.Status;
import io.warpcodec.engine.gpu.block.BlockTrial;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.deflate.DeflateGpuDecoder.Strategy;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** DEFLATE bodies made by the JDK's zlib, forged ones, and broken ones, against the JDK's zlib. */
@GpuTest
class DeflateGpuTest extends BlockGpuContract {
    private static final int[] STRATEGIES = {Deflater.DEFAULT_STRATEGY, Deflater.FILTERED, Deflater.HUFFMAN_ONLY};
    private static final int WARPS = 1024;

    private DeflateGpuDecoder decoder;
    private DeviceBuffer scratch;

    @Override
    protected void openCodec() throws Exception {
        decoder = DeflateGpuDecoder.open(device);
        scratch = device.allocate((long) WARPS * DeflateDecodeKernels.WARP_TOKEN_BYTES);
    }

    @Override
    protected void closeCodec() {
        scratch.close();
        decoder.close();
    }

    @Test
    void everyDefectHasItsName() throws DeviceException {
        BlockTrial batch = trial(new Random(6));
        batch.add(bytes(7, 0), 100); // block type 3
        batch.add(bytes(1, 1, 0, 0xFE, 0xFE, 'a'), 100); // LEN and NLEN differ
        batch.add(bytes(1, 2, 0, 0xFD, 0xFF, 'a'), 100); // fewer bytes than LEN
        batch.add(new Bits().put(1, 1).put(1, 2).code(0xC0 + 6, 8).put(0, 7).bytes(), 100); // symbol 286
        batch.add(
                new Bits().put(1, 1).put(1, 2).code(1, 7).code(30, 5).put(0, 7).bytes(), 100); // distance symbol 30
        batch.add(new Bits().put(1, 1).put(1, 2).code(1, 7).code(0, 5).put(0, 7).bytes(), 100); // before the output
        batch.add(
                new Bits()
                        .put(1, 1)
                        .put(2, 2)
                        .put(30, 5)
                        .put(0, 5)
                        .put(0, 4)
                        .put(0, 60)
                        .bytes(),
                100); // HLIT 287
        batch.add(
                new Bits()
                        .put(1, 1)
                        .put(2, 2)
                        .put(0, 5)
                        .put(30, 5)
                        .put(0, 4)
                        .put(0, 60)
                        .bytes(),
                100); // HDIST 31
        batch.add(bytes(3, 0, 0), 100); // a byte behind the end
        batch.add(bytes(3, 0), 0);
        batch.add(bytes(1, 1, 0, 0xFE, 0xFF, 'a'), 1);
        batch.add(bytes(1, 1, 0, 0xFE, 0xFF, 'a'), 0);
        batch.add(bytes(3), 100);
        BlockResult[] results = check(batch, "defects");
        assertThat(results)
                .extracting(BlockResult::status)
                .containsExactly(
                        Status.BAD_HEADER,
                        Status.BAD_HEADER,
                        Status.TRUNCATED,
                        Status.BAD_SYMBOL,
                        Status.BAD_SYMBOL,
                        Status.BAD_OFFSET,
                        Status.BAD_HEADER,
                        Status.BAD_HEADER,
                        Status.BAD_LENGTH,
                        Status.SOUND,
                        Status.SOUND,
                        Status.OUTPUT_EXCEEDED,
                        Status.TRUNCATED);
    }

    /** Codes that are complete, incomplete in the one way that is allowed, and not, in all three alphabets. */
    @Test
    void headersDrawnAtRandomAreJudgedAsByZlib() throws DeviceException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        BlockTrial batch = trial(random);
        for (int turn = 0; turn < 20_000; turn++) {
            Bits bits = new Bits().put(1, 1).put(2, 2).put(random.nextInt(4) == 0 ? random.nextInt(32) : 0, 5);
            bits.put(random.nextInt(3) == 0 ? random.nextInt(32) : random.nextInt(3), 5);
            int codes = 14 + random.nextInt(6);
            bits.put(codes - 4, 4);
            // lengths 0, 1, 2 and runs of zeros mostly: such headers have a chance
            int[] lengths = {3, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 2, 0};
            if (random.nextInt(4) == 0) {
                lengths[random.nextInt(lengths.length)] = random.nextInt(8);
            }
            for (int index = 0; index < codes; index++) {
                bits.put(index < lengths.length ? lengths[index] : 0, 3);
            }
            for (int more = 5 + random.nextInt(60); more > 0; more--) {
                bits.put(random.nextInt(1 << 16), 16);
            }
            batch.add(bits.bytes(), 2000);
        }
        check(batch, "seed " + seed);
    }

    @Test
    void onlyAnEndCodeAndOneDistanceCodeAreEnough() throws DeviceException {
        BlockTrial batch = trial(new Random(7));
        // one literal code of one bit, for the end; lengths as 18 18 1, then the distance's
        for (int distances = 0; distances <= 1; distances++) {
            Bits bits = new Bits().put(1, 1).put(2, 2).put(0, 5).put(0, 5).put(14, 4);
            int[] order = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1};
            for (int symbol : order) {
                bits.put(symbol == 18 ? 1 : symbol == 0 || symbol == 1 ? 2 : 0, 3);
            }
            // codes: 18 is 0, 0 is 10, 1 is 11
            bits.put(0, 1)
                    .put(127, 7)
                    .put(0, 1)
                    .put(107, 7)
                    .code(3, 2)
                    .code(2 + distances, 2)
                    .put(0, 1);
            batch.add(bits.bytes(), 10);
        }
        check(batch, "little codes");
        assertThat(batch.soundCount()).isEqualTo(2);
    }

    /** Blocks of nothing are no way to keep a device busy: an eighth of a megabyte of each kind. */
    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS)
    void emptyBlocksWithoutEndTakeBoundedTime() throws DeviceException {
        BlockTrial batch = trial(new Random(9));
        Bits fixed = new Bits();
        for (int block = 0; block < 100_000; block++) {
            fixed.put(0, 1).put(1, 2).put(0, 7);
        }
        batch.add(fixed.put(1, 1).put(1, 2).put(0, 7).bytes(), 100);
        ByteArrayOutputStream stored = new ByteArrayOutputStream();
        for (int block = 0; block < 25_000; block++) {
            stored.writeBytes(bytes(0, 0, 0, 0xFF, 0xFF));
        }
        stored.writeBytes(bytes(1, 0, 0, 0xFF, 0xFF));
        batch.add(stored.toByteArray(), 100);
        check(batch, "empty blocks");
        assertThat(batch.soundCount()).isEqualTo(2);
    }

    /** Words that are all equally long never fall into step by themselves. */
    @Test
    void codesThatDoNotSynchroniseAreDecoded() throws DeviceException {
        BlockTrial batch = trial(new Random(10));
        for (int alphabet : new int[] {2, 4, 8, 16, 32, 64, 128, 256}) {
            byte[] raw = new byte[100_000];
            Random random = new Random(alphabet);
            for (int at = 0; at < raw.length; at++) {
                raw[at] = (byte) random.nextInt(alphabet);
            }
            batch.add(GzipMembers.body(raw, 6, Deflater.HUFFMAN_ONLY), raw.length);
        }
        check(batch, "equal words");
        assertThat(batch.soundCount()).isEqualTo(8);
    }

    @Override
    protected byte[] encode(byte[] raw, int turn) {
        return GzipMembers.body(raw, turn % 10, STRATEGIES[turn / 10 % STRATEGIES.length]);
    }

    @Override
    protected int[] notableLengths() {
        return new int[] {1 << 10, 1 << 15, 65_280, 65_536, 1 << 18, DeflateDecodeKernels.MAX_OUTPUT_BYTES - 3};
    }

    /** A body that is stored, and one with codes. */
    @Override
    protected List<byte[]> blocksToCut(byte[] raw) {
        return List.of(GzipMembers.body(raw, 0, 0), GzipMembers.body(raw, 6, 0));
    }

    @Override
    protected BlockTrial trial(Random random) {
        return new BlockTrial(random, DeflateReference::decode).padded();
    }

    /** By warps, pairs and teams; with room for many bodies at a time, and for as few as may be. */
    @Override
    protected List<BlockTrial.Way> ways(BlockTrial batch) throws DeviceException {
        DeviceBuffer least = scratch.slice(0, DeflateGpuDecoder.scratchBytes(batch.blocks.size(), 0));
        return Arrays.stream(Strategy.values())
                .flatMap(strategy -> Stream.of(way(strategy, scratch), way(strategy, least)))
                .toList();
    }

    private BlockTrial.Way way(Strategy strategy, DeviceBuffer room) {
        return (bodies, memory) -> decoder.enqueueDecode(
                strategy, bodies, new LaunchMemory(memory.workspace(), memory.staging(), room, memory.stream()));
    }

    /** Bits in DEFLATE's order. */
    private static final class Bits {
        private final ByteArrayOutputStream whole = new ByteArrayOutputStream();
        private long held;
        private int count;

        /** Lowest bit first. */
        Bits put(long value, int bits) {
            for (int bit = 0; bit < bits; bit++) {
                held |= (bit < Long.SIZE ? value >> bit & 1 : 0) << count++;
                if (count == Byte.SIZE) {
                    whole.write((int) held);
                    held = 0;
                    count = 0;
                }
            }
            return this;
        }

        /** A code, highest bit first. */
        Bits code(int value, int bits) {
            for (int bit = bits - 1; bit >= 0; bit--) {
                put(value >> bit & 1, 1);
            }
            return this;
        }

        byte[] bytes() {
            if (count > 0) {
                put(0, Byte.SIZE - count);
            }
            return whole.toByteArray();
        }
    }
}
