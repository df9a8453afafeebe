package io.warpcodec.engine.gpu.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Encoders of blocks on a device: blocks that a plain decoder, a foreign decoder and our own turn into the bytes they
 * were made of; the same bytes on every run; nothing beside their places.
 */
public abstract class BlockEncoderContract {
    /** Blocks of the largest batch; lower it where a memory checker slows the device down. */
    private static final int RANDOM_BLOCKS = Integer.getInteger("warpcodec.test.blocks", 20_000);

    protected Device device;
    protected DeviceStream stream;

    @BeforeEach
    void open() throws Exception {
        device = openDevice();
        stream = device.openStream();
        openCodec();
    }

    @AfterEach
    void close() {
        closeCodec();
        stream.close();
        device.close();
    }

    /** A device that runs the kernels: the first of this machine. */
    protected Device openDevice() throws DeviceException {
        return DeviceDriver.open(0);
    }

    protected abstract void openCodec() throws Exception;

    protected abstract void closeCodec();

    /** Blocks of random bytes and lengths. */
    protected int randomBlocks() {
        return RANDOM_BLOCKS;
    }

    /** Bytes of the longest block that is taken. */
    protected int mostBlockBytes() {
        return 4 << 20;
    }

    /** Every way to encode by name, in the order of falling block length. */
    protected abstract List<NamedWay> ways();

    /** One of our encoder's settings. */
    public record NamedWay(String name, EncodeTrial.Way way) {}

    /** Our decoder, if there is one for single blocks. */
    protected abstract Optional<BlockTrial.Way> decodingWay();

    protected abstract Optional<byte[]> decodePlainly(byte[] block, int rawBytes);

    protected abstract byte[] decodeForeign(byte[] block, int rawBytes) throws Exception;

    protected abstract byte[] encodeForeign(byte[] raw) throws Exception;

    /** What the format asks of an encoder, beyond what decoders check. */
    protected abstract void requireWellFormed(String what, NamedWay way, byte[] block, byte[] raw);

    @Test
    void everySmallLengthOfEveryKindOfData() throws Exception {
        EncodeTrial batch = new EncodeTrial(new Random(1));
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int length = 0; length <= 600; length++) {
                batch.add(BlockData.make(new Random(kind * 1000 + length), kind, length));
            }
        }
        checkAllWays(batch, "small");
    }

    @Test
    void lengthsAroundWindowsAndWholeBlocks() throws Exception {
        EncodeTrial batch = new EncodeTrial(new Random(2));
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int around : new int[] {1 << 10, 4 << 10, 1 << 14, 65_408, 1 << 16, 1 << 17}) {
                for (int length = around - 3; length <= around + 3; length++) {
                    batch.add(BlockData.make(new Random(length), kind, length));
                }
            }
        }
        checkAllWays(batch, "around");
    }

    /** Two warps encode a block: one may find nothing, or its first or last match late, where the other finds much. */
    @Test
    void halvesOfDifferentKinds() throws Exception {
        EncodeTrial batch = new EncodeTrial(new Random(11));
        for (int first = 0; first < BlockData.KINDS; first++) {
            for (int second = 0; second < BlockData.KINDS; second++) {
                for (int length : new int[] {4097, 5000, 8191, 8192, 8193, 20_001, 65_536, 131_073}) {
                    Random random = new Random(length);
                    int half = length / 2 - 40 + random.nextInt(80);
                    byte[] raw = Arrays.copyOf(BlockData.make(random, first, half), length);
                    System.arraycopy(BlockData.make(random, second, length - half), 0, raw, half, length - half);
                    batch.add(raw);
                }
            }
        }
        checkAllWays(batch, "halves");
    }

    @Test
    void blocksOfFourMebibytes() throws Exception {
        EncodeTrial batch = new EncodeTrial(new Random(3));
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            batch.add(BlockData.make(new Random(kind), kind, 4 << 20));
        }
        checkAllWays(batch, "large");
    }

    @Test
    void everySmallPeriod() throws Exception {
        EncodeTrial batch = new EncodeTrial(new Random(4));
        for (int period = 1; period <= 300; period++) {
            byte[] raw = new byte[3000 + 7 * period];
            Random random = new Random(period);
            for (int at = 0; at < raw.length; at++) {
                raw[at] = at < period ? (byte) random.nextInt() : raw[at - period];
            }
            batch.add(raw);
        }
        checkAllWays(batch, "periods");
    }

    @Test
    void randomBuffers() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        EncodeTrial batch = new EncodeTrial(random);
        for (int turn = 0; turn < randomBlocks(); turn++) {
            int length = random.nextInt(1 << random.nextInt(1, 15));
            batch.add(BlockData.make(random, random.nextInt(BlockData.KINDS), length));
        }
        checkAllWays(batch, "seed " + seed);
    }

    @Test
    void aPlaceOfTheExactLengthWillDoAndOneByteLessIsRefused() throws Exception {
        EncodeTrial ample = new EncodeTrial(new Random(5));
        for (int turn = 0; turn < 300; turn++) {
            ample.add(BlockData.make(new Random(turn), turn % BlockData.KINDS, turn * turn % 7000));
        }
        for (NamedWay way : ways()) {
            List<Optional<byte[]>> encoded = ample.encode(way.name(), device, stream, way.way());
            EncodeTrial tight = new EncodeTrial(new Random(6));
            Random random = new Random(7);
            for (int block = 0; block < ample.raws.size(); block++) {
                int length = encoded.get(block).orElseThrow().length;
                tight.add(ample.raws.get(block), length);
                tight.add(ample.raws.get(block), length - 1);
                tight.add(ample.raws.get(block), random.nextInt(length));
            }
            List<Optional<byte[]>> again = tight.encode(way.name() + ", tight", device, stream, way.way());
            for (int block = 0; block < ample.raws.size(); block++) {
                assertThat(again.get(3 * block).orElseThrow())
                        .isEqualTo(encoded.get(block).orElseThrow());
                assertThat(again.get(3 * block + 1)).isEmpty();
                assertThat(again.get(3 * block + 2)).isEmpty();
            }
        }
    }

    @Test
    void sameBytesOnEveryRunWhateverElseIsInTheBatch() throws Exception {
        List<byte[]> raws = new ArrayList<>();
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            raws.add(BlockData.make(new Random(kind), kind, 65_536));
            raws.add(BlockData.make(new Random(kind), kind, 100_000));
        }
        for (NamedWay way : ways()) {
            List<byte[]> first = null;
            for (int run = 0; run < 100; run++) {
                Random random = new Random(run);
                EncodeTrial batch = new EncodeTrial(random);
                int strangers = run == 0 ? 0 : random.nextInt(40);
                for (int i = 0; i < strangers; i++) {
                    batch.add(BlockData.make(random, i % BlockData.KINDS, random.nextInt(70_000)));
                }
                raws.forEach(batch::add);
                List<byte[]> blocks = batch.encode(way.name(), device, stream, way.way()).stream()
                        .skip(strangers)
                        .map(Optional::orElseThrow)
                        .toList();
                if (first == null) {
                    first = blocks;
                }
                for (int block = 0; block < raws.size(); block++) {
                    assertThat(Arrays.equals(blocks.get(block), first.get(block)))
                            .as("%s, run %d, block %d", way.name(), run, block)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void textIsShorterThanTheFastForeignEncoderMakesItAndShorterAtEachLevel() throws Exception {
        EncodeTrial batch = new EncodeTrial(new Random(8));
        long foreignBytes = 0;
        for (int turn = 0; turn < 20; turn++) {
            byte[] raw = BlockData.make(new Random(turn), BlockData.TEXT, 65_536);
            batch.add(raw);
            foreignBytes += encodeForeign(raw).length;
        }
        long limit = foreignBytes;
        for (NamedWay way : ways()) {
            long bytes = batch.encode(way.name(), device, stream, way.way()).stream()
                    .mapToLong(block -> block.orElseThrow().length)
                    .sum();
            assertThat(bytes).as(way.name()).isLessThan(limit);
            limit = bytes;
        }
    }

    @Test
    void noiseGrowsByTheLengthOfItsLiteralsOnly() throws Exception {
        EncodeTrial batch = new EncodeTrial(new Random(9));
        batch.add(BlockData.make(new Random(9), 0, 65_536), 65_536);
        batch.add(BlockData.make(new Random(9), 0, 65_536));
        for (NamedWay way : ways()) {
            List<Optional<byte[]>> blocks = batch.encode(way.name(), device, stream, way.way());
            assertThat(blocks.get(0)).isEmpty();
            assertThat(blocks.get(1).orElseThrow().length).isBetween(65_537, 65_536 + 300);
        }
    }

    @Test
    void anEmptyBatchAsksForNothing() throws Exception {
        checkAllWays(new EncodeTrial(new Random(10)), "empty");
    }

    @Test
    void wrongTablesAreRefusedBeforeAnythingIsLaunched() throws Exception {
        ChunkRanges fine = BlockTrial.ranges(0, 10);
        for (NamedWay way : ways()) {
            long workspaceBytes = way.way().workspaceBytes(1, 10);
            try (DeviceBuffer input = device.allocate(1000);
                    DeviceBuffer output = device.allocate(1000);
                    DeviceBuffer workspace = device.allocate(workspaceBytes + 8);
                    PinnedBuffer staging = device.allocatePinned(1000)) {
                LaunchMemory memory = new LaunchMemory(workspace, staging, null, stream);
                DeviceBlocks sound = new DeviceBlocks(input, fine, output, fine);
                ChunkRanges outside = BlockTrial.ranges(995, 10);
                refused("chunk 0", way, new DeviceBlocks(input, outside, output, fine), memory);
                refused("chunk 0", way, new DeviceBlocks(input, fine, output, outside), memory);
                refused("slots", way, new DeviceBlocks(input, fine, output, BlockTrial.ranges()), memory);
                DeviceBuffer odd = workspace.slice(4, workspaceBytes);
                refused("aligned", way, sound, new LaunchMemory(odd, staging, null, stream));
                DeviceBuffer small = workspace.slice(0, workspaceBytes - 1);
                assertThatThrownBy(() -> way.way().enqueue(sound, new LaunchMemory(small, staging, null, stream)))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                PinnedBuffer narrow = staging.slice(0, 31);
                assertThatThrownBy(() -> way.way().enqueue(sound, new LaunchMemory(workspace, narrow, null, stream)))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                stream.synchronise();
            }
        }
        long tooLong = mostBlockBytes() + 1L;
        try (DeviceBuffer large = device.allocate(tooLong);
                DeviceBuffer workspace = device.allocate(1000);
                PinnedBuffer staging = device.allocatePinned(1000)) {
            DeviceBlocks longest = new DeviceBlocks(large, BlockTrial.ranges(0, tooLong), large, fine);
            refused("more than", ways().get(0), longest, new LaunchMemory(workspace, staging, null, stream));
        }
    }

    private static void refused(String message, NamedWay way, DeviceBlocks blocks, LaunchMemory memory) {
        assertThatThrownBy(() -> way.way().enqueue(blocks, memory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    /** Encodes every block in every way; three decoders must agree about each. */
    protected final void checkAllWays(EncodeTrial batch, String what) throws Exception {
        for (NamedWay way : ways()) {
            String which = what + ", " + way.name();
            List<Optional<byte[]>> blocks = batch.encode(which, device, stream, way.way());
            BlockTrial decoded = new BlockTrial(new Random(11), this::decodePlainly);
            for (int block = 0; block < blocks.size(); block++) {
                byte[] raw = batch.raws.get(block);
                byte[] encoded = blocks.get(block).orElseThrow();
                String one = which + ", block " + block;
                requireEqual(one, decodePlainly(encoded, raw.length).orElseThrow(() -> new AssertionError(one)), raw);
                requireEqual(one, decodeForeign(encoded, raw.length), raw);
                requireWellFormed(one, way, encoded, raw);
                decoded.add(encoded, raw.length);
            }
            if (decodingWay().isPresent()) {
                decoded.check(which, device, stream, decodingWay().get());
            }
        }
    }

    private static void requireEqual(String what, byte[] found, byte[] expected) {
        if (!Arrays.equals(found, expected)) {
            assertThat(found).as(what).isEqualTo(expected);
        }
    }
}
