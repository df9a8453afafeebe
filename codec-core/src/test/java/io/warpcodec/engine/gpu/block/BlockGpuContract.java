package io.warpcodec.engine.gpu.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Decoders of blocks on a device: they judge as a plain decoder on the host does, and write nothing beside. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BlockGpuContract {
    /** Blocks of the largest mutation batch; lower it where a memory checker slows the device down. */
    private static final int MUTATIONS = Integer.getInteger("warpcodec.test.mutations", 20_000);

    protected Device device;
    protected DeviceStream stream;

    @BeforeAll
    void open() throws Exception {
        device = DeviceDriver.open(0);
        stream = device.openStream();
        openCodec();
    }

    @AfterAll
    void close() {
        closeCodec();
        stream.close();
        device.close();
    }

    protected abstract void openCodec() throws Exception;

    protected abstract void closeCodec();

    /** A batch for the format's reference. */
    protected abstract BlockTrial trial(Random random);

    /** Every way to decode the batch. */
    protected abstract List<BlockTrial.Way> ways(BlockTrial batch) throws DeviceException;

    /** A foreign encoder's block; one with several settings takes its setting by the turn. */
    protected abstract byte[] encode(byte[] raw, int turn) throws IOException;

    /** As {@link #encode}, but by every foreign encoder. */
    protected List<byte[]> encodeInAllWays(byte[] raw, int turn) throws IOException {
        return List.of(encode(raw, turn));
    }

    /** Lengths of raw data at which something changes in kernels. */
    protected abstract int[] notableLengths();

    /** Blocks of the same data, to be cut. */
    protected List<byte[]> blocksToCut(byte[] raw) throws IOException {
        return List.of(encode(raw, 0));
    }

    /** Whether a block that is cut may still be one, since the format does not say where a block ends. */
    protected boolean prefixesMayBeSound() {
        return false;
    }

    protected final BlockResult[] check(BlockTrial batch, String what) throws DeviceException {
        return batch.check(what, device, stream, ways(batch).toArray(BlockTrial.Way[]::new));
    }

    @Test
    void everySmallLengthOfEveryKindOfData() throws Exception {
        BlockTrial batch = trial(new Random(1));
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int length = 0; length <= 600; length++) {
                batch.add(encode(BlockData.make(new Random(kind * 1000 + length), kind, length), length), length);
            }
        }
        check(batch, "small");
        assertThat(batch.soundCount()).isEqualTo(batch.blocks.size());
    }

    @Test
    void lengthsAroundSlabsWindowsAndWholeBlocks() throws Exception {
        BlockTrial batch = trial(new Random(2));
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int around : notableLengths()) {
                for (int length = around - 3; length <= around + 3; length++) {
                    byte[] raw = BlockData.make(new Random(length), kind, length);
                    for (byte[] block : encodeInAllWays(raw, length)) {
                        batch.add(block, length);
                    }
                }
            }
        }
        check(batch, "around");
        assertThat(batch.soundCount()).isEqualTo(batch.blocks.size());
    }

    @Test
    void everyPrefixOfABlockIsJudgedAsByTheReference() throws Exception {
        BlockTrial batch = trial(new Random(5));
        List<byte[]> blocks = blocksToCut(BlockData.make(new Random(5), BlockData.TEXT, 3000));
        for (byte[] block : blocks) {
            for (int length = 0; length <= block.length; length++) {
                batch.add(Arrays.copyOf(block, length), 3000);
            }
        }
        BlockResult[] results = check(batch, "prefixes");
        int at = 0;
        for (byte[] block : blocks) {
            assertThat(results[at].status()).isEqualTo(BlockResult.Status.TRUNCATED);
            assertThat(results[at + block.length].status()).isEqualTo(BlockResult.Status.SOUND);
            at += block.length + 1;
        }
        if (!prefixesMayBeSound()) {
            assertThat(batch.soundCount()).isEqualTo(blocks.size());
        }
    }

    @Test
    void mutatedBlocksAreJudgedAsByTheReferenceAndHarmNoOther() throws Exception {
        long firstSeed = Long.getLong("warpcodec.test.mutations.seed", new Random().nextLong());
        int left = MUTATIONS;
        for (long seed = firstSeed; left > 0; seed++, left -= BlockTrial.MOST_MUTATIONS) {
            int count = Math.min(left, BlockTrial.MOST_MUTATIONS);
            Random random = new Random(seed);
            BlockTrial batch = trial(random);
            byte[] other = {0};
            for (int turn = 0; turn < count; turn++) {
                int length = random.nextInt(1 << random.nextInt(1, 15));
                byte[] raw = BlockData.make(random, random.nextInt(BlockData.KINDS), length);
                byte[] block = encode(raw, turn);
                batch.addMutated(block, other, raw.length);
                other = block;
            }
            check(batch, "seed " + seed);
            assertThat(batch.soundCount()).as("seed %d", seed).isBetween(count / 10L, count * 9L / 10);
        }
    }
}
