package io.warpcodec.engine.gpu.snappy;

import static io.warpcodec.engine.gpu.block.BlockTrial.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.block.BlockData;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.BlockResult.Status;
import io.warpcodec.engine.gpu.block.BlockTrial;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

/** Snappy blocks made by snappy-java, and broken ones, against {@link SnappyReferenceDecoder}. */
@GpuTest
class SnappyGpuTest {
    /** Blocks of the largest mutation batch; lower it where a memory checker slows the device down. */
    private static final int MUTATIONS = Integer.getInteger("warpcodec.test.mutations", 20_000);

    private static Device device;
    private static DeviceStream stream;
    private static BlockGpuDecoder decoder;

    @BeforeAll
    static void open() throws Exception {
        device = DeviceDriver.open(0);
        stream = device.openStream();
        decoder = SnappyKernels.load(device).decoder();
    }

    @AfterAll
    static void close() {
        decoder.close();
        stream.close();
        device.close();
    }

    @Test
    void everySmallLengthOfEveryKindOfData() throws Exception {
        BlockTrial batch = trial(new Random(1));
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int length = 0; length <= 600; length++) {
                batch.add(Snappy.compress(BlockData.make(new Random(kind * 1000 + length), kind, length)), length);
            }
        }
        check(batch, "small");
        assertThat(batch.soundCount()).isEqualTo(batch.blocks.size());
    }

    @Test
    void lengthsAroundSlabsWindowsAndWholeBlocks() throws Exception {
        BlockTrial batch = trial(new Random(2));
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int around : new int[] {1 << 10, 4 << 10, 1 << 14, 65_408, 65_536, 1 << 20}) {
                for (int length = around - 3; length <= around + 3; length++) {
                    batch.add(Snappy.compress(BlockData.make(new Random(length), kind, length)), length);
                }
            }
        }
        check(batch, "around");
        assertThat(batch.soundCount()).isEqualTo(batch.blocks.size());
    }

    @Test
    void elementsOfEveryKindLengthAndDistance() throws DeviceException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        BlockTrial batch = trial(random);
        for (int turn = 0; turn < 3000; turn++) {
            Forge forge = new Forge(random);
            int elements = random.nextInt(1 << random.nextInt(1, 10));
            int longest = 1 << random.nextInt(7);
            forge.literal(1 + random.nextInt(300));
            for (int i = 0; i < elements && forge.rawBytes < 50_000; i++) {
                if (random.nextInt(3) == 0) {
                    forge.literal(1 + random.nextInt(random.nextInt(9) == 0 ? 400 : longest));
                } else {
                    int farthest = Math.min(forge.rawBytes, 1 << random.nextInt(17));
                    forge.copy(1 + random.nextInt(3), 1 + random.nextInt(farthest), 1 + random.nextInt(longest));
                }
            }
            batch.add(forge.finish(), forge.rawBytes);
        }
        check(batch, "seed " + seed);
        assertThat(batch.soundCount()).isEqualTo(3000);
    }

    @Test
    void copiesOfOneByteLeaveNoRoomForMoreAndAreProducedInParts() throws DeviceException {
        BlockTrial batch = trial(new Random(3));
        Forge forge = new Forge(new Random(3));
        forge.literal(200);
        for (int i = 0; i < 5000; i++) {
            forge.copy(2, 1 + i % 199, 1);
        }
        batch.add(forge.finish(), forge.rawBytes);
        check(batch, "single bytes");
        assertThat(batch.soundCount()).isEqualTo(1);
    }

    @Test
    void everyPrefixOfABlockIsJudgedAsByTheReference() throws Exception {
        byte[] block = Snappy.compress(BlockData.make(new Random(5), BlockData.TEXT, 3000));
        BlockTrial batch = trial(new Random(5));
        for (int length = 0; length <= block.length; length++) {
            batch.add(Arrays.copyOf(block, length), 3000);
        }
        BlockResult[] results = check(batch, "prefixes");
        assertThat(results[0].status()).isEqualTo(Status.TRUNCATED);
        assertThat(results[block.length].status()).isEqualTo(Status.SOUND);
    }

    @Test
    void everyDefectHasItsNameAndPlace() throws DeviceException {
        BlockTrial batch = trial(new Random(6));
        batch.add(bytes(5, 0, 'a', 1, 0), 100); // a copy of distance zero
        batch.add(bytes(5, 0, 'a', 1, 2), 100); // of distance two after one byte
        batch.add(bytes(5, 0, 'a', 15, 0, 0, 0, 1), 100); // of distance 2^24
        batch.add(bytes(9, 0, 'a', 1, 1), 100); // fewer bytes than promised
        batch.add(bytes(3, 0, 'a', 1, 1), 100); // more
        batch.add(bytes(5, 0, 'a', 2, 1), 100); // half an offset
        batch.add(bytes(5, 0xF4, 1), 100); // half a length
        batch.add(bytes(0x80, 0x80), 100);
        batch.add(bytes(0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0), 100);
        batch.add(bytes(101, 0, 'a'), 100);
        batch.add(bytes(0), 0);
        batch.add(bytes(0, 0, 'a'), 10);
        BlockResult[] results = check(batch, "defects");
        assertThat(results)
                .extracting(BlockResult::status)
                .containsExactly(
                        Status.BAD_OFFSET,
                        Status.BAD_OFFSET,
                        Status.BAD_OFFSET,
                        Status.BAD_LENGTH,
                        Status.BAD_LENGTH,
                        Status.TRUNCATED,
                        Status.TRUNCATED,
                        Status.TRUNCATED,
                        Status.BAD_LENGTH,
                        Status.OUTPUT_EXCEEDED,
                        Status.SOUND,
                        Status.BAD_LENGTH);
        assertThatThrownBy(() -> results[0].requireSound(Format.SNAPPY, 1000))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("snappy")
                .hasMessageContaining("1001");
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
                byte[] block = Snappy.compress(raw);
                batch.addMutated(block, other, raw.length);
                other = block;
            }
            check(batch, "seed " + seed);
            assertThat(batch.soundCount()).as("seed %d", seed).isBetween(count / 10L, count * 9L / 10);
        }
    }

    @Test
    void snappyJavaDecodesWhatTheKernelsTakeForSound() throws IOException, DeviceException {
        BlockTrial batch = trial(new Random(8));
        for (int turn = 0; turn < 200; turn++) {
            byte[] raw = BlockData.make(new Random(turn), turn % BlockData.KINDS, 331 * turn);
            batch.add(Snappy.compress(raw), raw.length);
            assertThat(Snappy.uncompress(batch.blocks.get(turn))).isEqualTo(raw);
            assertThat(batch.expected.get(turn))
                    .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(raw));
        }
        check(batch, "snappy-java");
    }

    private static BlockTrial trial(Random random) {
        return new BlockTrial(random, SnappyReferenceDecoder::decode);
    }

    private static BlockResult[] check(BlockTrial batch, String what) throws DeviceException {
        return batch.check(what, device, stream, decoder::enqueueDecode, decoder::enqueueDecode);
    }

    /** Writes Snappy blocks element by element. */
    private static final class Forge {
        private final Random random;
        private final ByteArrayOutputStream elements = new ByteArrayOutputStream();
        private int rawBytes;

        Forge(Random random) {
            this.random = random;
        }

        /** With as many length bytes as are needed, or more. */
        void literal(int count) {
            int least = count <= 60 ? 0 : count <= 256 ? 1 : 2;
            int lengthBytes = least + (random.nextInt(9) == 0 ? random.nextInt(5 - least) : 0);
            elements.write(lengthBytes == 0 ? count - 1 << 2 : 59 + lengthBytes << 2);
            number(count - 1, lengthBytes);
            byte[] literal = new byte[count];
            random.nextBytes(literal);
            elements.writeBytes(literal);
            rawBytes += count;
        }

        /** Of the wanted kind if that can say so, else of a longer one. */
        void copy(int kind, int offset, int count) {
            if (kind == 1 && count >= 4 && count <= 11 && offset < 2048) {
                elements.write(offset >> 8 << 5 | count - 4 << 2 | 1);
                elements.write(offset);
            } else if (kind <= 2 && offset < 65_536) {
                elements.write(count - 1 << 2 | 2);
                number(offset, 2);
            } else {
                elements.write(count - 1 << 2 | 3);
                number(offset, 4);
            }
            rawBytes += count;
        }

        byte[] finish() {
            ByteArrayOutputStream block = new ByteArrayOutputStream();
            int length = rawBytes;
            for (; length >= 0x80; length >>= 7) {
                block.write(length | 0x80);
            }
            block.write(length);
            block.writeBytes(elements.toByteArray());
            return block.toByteArray();
        }

        private void number(int value, int bytes) {
            for (int i = 0; i < bytes; i++) {
                elements.write(value >> (8 * i));
            }
        }
    }
}
