package io.warpcodec.engine.gpu.snappy;

import static io.warpcodec.engine.gpu.block.BlockTrial.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.block.BlockData;
import io.warpcodec.engine.gpu.block.BlockGpuContract;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder.Strategy;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.BlockResult.Status;
import io.warpcodec.engine.gpu.block.BlockTrial;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

/** Snappy blocks made by snappy-java, and broken ones, against {@link SnappyReferenceDecoder}. */
@GpuTest
class SnappyGpuTest extends BlockGpuContract {
    private BlockGpuDecoder decoder;

    @Override
    protected void openCodec() throws Exception {
        decoder = SnappyKernels.load(device).decoder();
    }

    @Override
    protected void closeCodec() {
        decoder.close();
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

    @Override
    protected BlockTrial trial(Random random) {
        return new BlockTrial(random, SnappyReferenceDecoder::decode);
    }

    @Override
    protected List<BlockTrial.Way> ways(BlockTrial batch) {
        return List.of(by(Strategy.WARP), by(Strategy.TEAM));
    }

    private BlockTrial.Way by(Strategy strategy) {
        return (blocks, memory) -> decoder.enqueueDecode(strategy, blocks, memory);
    }

    @Override
    protected byte[] encode(byte[] raw, int turn) throws IOException {
        return Snappy.compress(raw);
    }

    @Override
    protected int[] notableLengths() {
        return new int[] {1 << 10, 4 << 10, 1 << 14, 65_408, 65_536, 1 << 20};
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
