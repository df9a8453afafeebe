package io.warpcodec.engine.gpu.lz4;

import static io.warpcodec.engine.gpu.block.BlockTrial.bytes;
import static io.warpcodec.engine.gpu.block.BlockTrial.ranges;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockData;
import io.warpcodec.engine.gpu.block.BlockGpuContract;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder;
import io.warpcodec.engine.gpu.block.BlockGpuDecoder.Strategy;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.BlockResult.Status;
import io.warpcodec.engine.gpu.block.BlockTrial;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.block.LongBlockBatch;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;

/**
 * LZ4 blocks made by lz4-java, and broken ones, against {@link Lz4ReferenceDecoder}; each batch by one warp a block
 * and by many.
 */
@GpuTest
class Lz4GpuTest extends BlockGpuContract {
    private static final LZ4Compressor FAST = LZ4Factory.fastestInstance().fastCompressor();
    private static final LZ4Compressor HIGH = LZ4Factory.fastestInstance().highCompressor(9);

    private BlockGpuDecoder decoder;
    private Lz4GpuLongDecoder longDecoder;

    @Override
    protected void openCodec() throws Exception {
        decoder = Lz4Kernels.load(device).decoder();
        longDecoder = Lz4GpuLongDecoder.open(device);
    }

    @Override
    protected void closeCodec() {
        decoder.close();
        longDecoder.close();
    }

    @Test
    void blocksOfFourMebibytes() throws DeviceException {
        BlockTrial batch = trial(new Random(3));
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            batch.add(FAST.compress(BlockData.make(new Random(kind), kind, 4 << 20)), 4 << 20);
        }
        check(batch, "large");
        assertThat(batch.soundCount()).isEqualTo(BlockData.KINDS);
    }

    @Test
    void aLimitBeyondTheBlockIsFineAndOneBelowIsRefused() throws DeviceException {
        byte[] raw = BlockData.make(new Random(4), BlockData.TEXT, 5000);
        byte[] block = FAST.compress(raw);
        BlockTrial batch = trial(new Random(4));
        batch.add(block, 5000);
        batch.add(block, 70_000);
        batch.add(block, 4999);
        batch.add(block, 0);
        BlockResult[] results = check(batch, "limits");
        assertThat(results)
                .extracting(BlockResult::status)
                .startsWith(Status.SOUND, Status.SOUND)
                .endsWith(Status.OUTPUT_EXCEEDED);
        assertThat(results[2].status()).isIn(Status.OUTPUT_EXCEEDED, Status.BAD_END);
        assertThat(results).extracting(BlockResult::outputBytes).containsExactly(5000, 5000, 0, 0);
    }

    @Test
    void everyDefectHasItsNameAndPlace() throws DeviceException {
        BlockTrial batch = trial(new Random(6));
        batch.add(bytes(0x10, 'a', 0, 0, 0), 100); // a match of distance zero
        batch.add(bytes(0x10, 'a', 2, 0, 0), 100); // of distance two after one byte
        batch.add(
                bytes(0x10, 'a', 1, 0, 0x00, 2, 0, 0x00, 0xFF, 0xFF, 0x50, 'a', 'b', 'c', 'd', 'e'),
                100); // the third sequence reaches too far
        batch.add(bytes(0x1F, 'a', 1, 0, 255, 255), 100_000); // the match length goes on and does not
        batch.add(bytes(0xF0, 255, 255), 100_000);
        batch.add(bytes(0x10, 'a', 1), 100); // half an offset
        batch.add(bytes(0x10, 'a', 1, 0), 100); // ends with a match
        batch.add(bytes(0x1F, 'a', 1, 0, 255, 255, 255, 0, 0), 500); // too long a match
        BlockResult[] results = check(batch, "defects");
        assertThat(results)
                .extracting(BlockResult::status)
                .containsExactly(
                        Status.BAD_OFFSET,
                        Status.BAD_OFFSET,
                        Status.BAD_OFFSET,
                        Status.TRUNCATED,
                        Status.TRUNCATED,
                        Status.TRUNCATED,
                        Status.BAD_END,
                        Status.OUTPUT_EXCEEDED);
        assertThat(results).extracting(BlockResult::defectOffset).containsExactly(0, 0, 7, 0, 0, 0, 0, 0);
        assertThatThrownBy(() -> results[2].requireSound(Format.LZ4, 1000))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("lz4")
                .hasMessageContaining("1007");
    }

    @Test
    void handMadeSequencesOfEveryLengthAndDistance() throws DeviceException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        BlockTrial batch = trial(random);
        for (int turn = 0; turn < 3000; turn++) {
            Forge forge = new Forge(random);
            int sequences = random.nextInt(1 << random.nextInt(1, 9));
            for (int i = 0; i < sequences && forge.rawBytes < 50_000; i++) {
                int literals = random.nextInt(4) == 0
                        ? random.nextInt(1, 1 + (1 << random.nextInt(1, 10)))
                        : random.nextInt(3);
                literals = Math.max(literals, forge.rawBytes == 0 ? 1 : 0);
                int match =
                        4 + (random.nextInt(4) == 0 ? random.nextInt(1 << random.nextInt(1, 11)) : random.nextInt(8));
                int farthest = Math.min(65_535, forge.rawBytes + literals);
                forge.sequence(literals, 1 + random.nextInt(Math.min(farthest, 1 << random.nextInt(17))), match);
            }
            batch.add(forge.finish(8 + random.nextInt(40)), forge.rawBytes);
        }
        check(batch, "seed " + seed);
        assertThat(batch.soundCount()).isEqualTo(3000);
    }

    @Test
    void matchesTooNearTheEndAreRefused() throws DeviceException {
        BlockTrial batch = trial(new Random(10));
        for (int match = 4; match < 40; match++) {
            for (int last = 0; last < 14; last++) {
                for (int spare = 0; spare < 3; spare++) {
                    Forge forge = new Forge(new Random(match));
                    forge.sequence(20, 7, match);
                    batch.add(forge.finish(last), forge.rawBytes + spare);
                }
            }
        }
        BlockResult[] results = check(batch, "ends");
        assertThat(results).extracting(BlockResult::status).containsOnly(Status.SOUND, Status.BAD_END);
        assertThat(batch.soundCount()).isBetween(500L, 1400L);
    }

    @Test
    void lz4JavaDecodesWhatTheKernelsTakeForSound() throws DeviceException {
        BlockTrial batch = trial(new Random(8));
        List<byte[]> raws = new ArrayList<>();
        for (int turn = 0; turn < 200; turn++) {
            raws.add(BlockData.make(new Random(turn), turn % BlockData.KINDS, 331 * turn));
            batch.add(HIGH.compress(raws.get(turn)), raws.get(turn).length);
        }
        check(batch, "lz4-java");
        for (int turn = 0; turn < 200; turn++) {
            byte[] decoded = new byte[raws.get(turn).length];
            LZ4Factory.fastestInstance().safeDecompressor().decompress(batch.blocks.get(turn), decoded);
            assertThat(decoded)
                    .isEqualTo(raws.get(turn))
                    .isEqualTo(batch.expected.get(turn).orElseThrow());
        }
    }

    @Test
    void anEmptyBatchAsksForNothing() throws DeviceException {
        check(trial(new Random(9)), "empty");
    }

    @Test
    void wrongTablesAreRefusedBeforeAnythingIsLaunched() throws DeviceException {
        try (DeviceBuffer input = device.allocate(1000);
                DeviceBuffer output = device.allocate(1000);
                DeviceBuffer workspace = device.allocate(1000);
                PinnedBuffer staging = device.allocatePinned(1000)) {
            ChunkRanges fine = ranges(0, 10);
            LaunchMemory memory = new LaunchMemory(workspace, staging, null, stream);
            DeviceBlocks sound = new DeviceBlocks(input, fine, output, fine);
            refused("chunk 0", new DeviceBlocks(input, ranges(995, 10), output, fine), memory);
            refused("chunk 0", new DeviceBlocks(input, fine, output, ranges(995, 10)), memory);
            refused("slots", new DeviceBlocks(input, fine, output, ranges()), memory);
            refused("aligned", sound, new LaunchMemory(workspace.slice(4, 100), staging, null, stream));
            LaunchMemory small = new LaunchMemory(workspace.slice(0, 31), staging, null, stream);
            assertThatThrownBy(() -> decoder.enqueueDecode(sound, small)).isInstanceOf(IndexOutOfBoundsException.class);
            LaunchMemory narrow = new LaunchMemory(workspace, staging.slice(0, 31), null, stream);
            assertThatThrownBy(() -> decoder.enqueueDecode(sound, narrow))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            stream.synchronise();
        }
        try (DeviceBuffer large = device.allocate(Lz4Kernels.MAX_INPUT_BYTES + 1L);
                DeviceBuffer workspace = device.allocate(1000);
                PinnedBuffer staging = device.allocatePinned(1000)) {
            LaunchMemory memory = new LaunchMemory(workspace, staging, null, stream);
            ChunkRanges longBlock = ranges(0, Lz4Kernels.MAX_INPUT_BYTES + 1);
            refused("more than", new DeviceBlocks(large, longBlock, large, ranges(0, 1)), memory);
            ChunkRanges longSlot = ranges(0, Lz4Kernels.MAX_OUTPUT_BYTES + 1);
            refused("more than", new DeviceBlocks(large, ranges(0, 1), large, longSlot), memory);
        }
    }

    @Override
    protected BlockTrial trial(Random random) {
        return new BlockTrial(random, Lz4ReferenceDecoder::decode);
    }

    @Override
    protected List<BlockTrial.Way> ways(BlockTrial batch) {
        return List.of(by(Strategy.WARP), manyWarps(), by(Strategy.TEAM));
    }

    private BlockTrial.Way by(Strategy strategy) {
        return (blocks, memory) -> decoder.enqueueDecode(strategy, blocks, memory);
    }

    @Override
    protected byte[] encode(byte[] raw, int turn) {
        return FAST.compress(raw);
    }

    @Override
    protected List<byte[]> encodeInAllWays(byte[] raw, int turn) {
        return List.of(FAST.compress(raw), HIGH.compress(raw));
    }

    @Override
    protected boolean prefixesMayBeSound() {
        return true;
    }

    @Override
    protected int[] notableLengths() {
        return new int[] {1 << 10, 4 << 10, 1 << 14, 65_408, 65_536};
    }

    /** Memory of its own, poisoned; the results go where the trial looks for them. */
    private BlockTrial.Way manyWarps() {
        return (blocks, memory) -> {
            int count = blocks.count();
            DeviceStream queue = memory.stream();
            int tableBytes = Math.toIntExact(Lz4GpuLongDecoder.workspaceBytes(count));
            long scratchBytes = Lz4GpuLongDecoder.scratchBytes(
                    blocks.input().bytes(), blocks.output().bytes(), count);
            try (DeviceBuffer ownWorkspace = device.allocate(Math.max(8, tableBytes));
                    PinnedBuffer ownStaging = device.allocatePinned(Math.max(8, tableBytes));
                    DeviceBuffer scratch = device.allocate(scratchBytes)) {
                queue.fill(scratch, (byte) 0x5C);
                longDecoder.enqueueDecode(
                        new DeviceBlocks(
                                blocks.input(), blocks.blocks(), blocks.output(), blocks.slots(), new int[count]),
                        new LaunchMemory(ownWorkspace, ownStaging, scratch, queue));
                queue.synchronise();
                int resultBytes = count * BlockBatch.RESULT_BYTES;
                memory.staging()
                        .view()
                        .put(
                                count * BlockBatch.ENTRY_BYTES,
                                ownStaging.view(),
                                count * LongBlockBatch.ENTRY_BYTES,
                                resultBytes);
            }
        };
    }

    private void refused(String message, DeviceBlocks blocks, LaunchMemory memory) {
        assertThatThrownBy(() -> decoder.enqueueDecode(blocks, memory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    /** Writes LZ4 blocks sequence by sequence. */
    private static final class Forge {
        private final Random random;
        private final ByteArrayOutputStream block = new ByteArrayOutputStream();
        private int rawBytes;

        Forge(Random random) {
            this.random = random;
        }

        void sequence(int literals, int offset, int match) {
            block.write(Math.min(15, literals) << 4 | Math.min(15, match - 4));
            literals(literals);
            block.write(offset);
            block.write(offset >> 8);
            length(match - 4);
            rawBytes += literals + match;
        }

        byte[] finish(int literals) {
            block.write(Math.min(15, literals) << 4);
            literals(literals);
            rawBytes += literals;
            return block.toByteArray();
        }

        private void literals(int count) {
            length(count);
            byte[] literals = new byte[count];
            random.nextBytes(literals);
            block.writeBytes(literals);
        }

        private void length(int length) {
            if (length >= 15) {
                int rest = length - 15;
                for (; rest >= 255; rest -= 255) {
                    block.write(255);
                }
                block.write(rest);
            }
        }
    }
}
