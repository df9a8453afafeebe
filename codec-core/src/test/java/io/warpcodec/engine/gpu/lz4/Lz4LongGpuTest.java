package io.warpcodec.engine.gpu.lz4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.BlockData;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.block.TrialMemory;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.lz4.Lz4LinkedBlocks;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Long blocks and chains of blocks, against the bytes that they were made from; short ones and broken ones are in
 * {@link Lz4GpuTest}.
 */
@GpuTest
class Lz4LongGpuTest {
    private static final LZ4Compressor FAST = LZ4Factory.fastestInstance().fastCompressor();
    private static final LZ4Compressor HIGH = LZ4Factory.fastestInstance().highCompressor(9);

    private static Device device;
    private static DeviceStream stream;
    private static Lz4GpuLongDecoder decoder;

    @BeforeAll
    static void open() throws Exception {
        device = DeviceDriver.open(0);
        stream = device.openStream();
        decoder = Lz4GpuLongDecoder.open(device);
    }

    @AfterAll
    static void close() {
        decoder.close();
        stream.close();
        device.close();
    }

    /** Blocks, each at the end of the one before, with canaries around all; what came out. */
    private static final class Chain {
        final List<byte[]> blocks = new ArrayList<>();
        final List<Integer> limits = new ArrayList<>();
        final List<Integer> windows = new ArrayList<>();
        BlockResult[] results;
        byte[] output;
        int beginning = 100;

        void add(byte[] block, int limit, int window) {
            blocks.add(block);
            limits.add(limit);
            windows.add(window);
        }

        Chain decode() throws DeviceException {
            int count = blocks.size();
            ByteArrayOutputStream input = new ByteArrayOutputStream();
            long[] blockAt = new long[count];
            long[] blockBytes = new long[count];
            long[] placeAt = new long[count];
            long[] placeBytes = new long[count];
            int at = beginning;
            for (int index = 0; index < count; index++) {
                blockAt[index] = input.size();
                blockBytes[index] = blocks.get(index).length;
                placeAt[index] = at;
                placeBytes[index] = limits.get(index);
                input.writeBytes(blocks.get(index));
                input.write(0xEE);
                at += limits.get(index);
            }
            int tableBytes = Math.toIntExact(Lz4GpuLongDecoder.workspaceBytes(count));
            try (TrialMemory memory = new TrialMemory(device, stream)) {
                DeviceBuffer target = memory.poisoned(at + 100);
                PinnedBuffer staging = memory.staging(tableBytes);
                long scratchBytes = Lz4GpuLongDecoder.scratchBytes(input.size(), target.bytes(), count);
                DeviceBlocks chain = new DeviceBlocks(
                        memory.holding(input.toByteArray()),
                        new ChunkRanges(blockAt, blockBytes),
                        target,
                        new ChunkRanges(placeAt, placeBytes),
                        windows.stream().mapToInt(Integer::intValue).toArray());
                DeviceBuffer scratch = memory.filled(scratchBytes, (byte) 0x5C);
                decoder.enqueueDecode(chain, new LaunchMemory(memory.poisoned(tableBytes), staging, scratch, stream));
                output = memory.bytes(target);
                results = Lz4GpuLongDecoder.results(count, staging);
            }
            TrialMemory.requireCanary("before", output, 0, beginning);
            TrialMemory.requireCanary("behind", output, at, output.length);
            return this;
        }
    }

    private static void roundTrip(String what, byte[] raw) throws DeviceException {
        for (LZ4Compressor compressor : List.of(FAST, HIGH)) {
            Chain alone = new Chain();
            alone.add(compressor.compress(raw), raw.length, 0);
            alone.decode();
            assertThat(alone.results[0]).as(what).isEqualTo(new BlockResult(BlockResult.Status.SOUND, raw.length, 0));
            assertThat(Arrays.equals(alone.output, 100, 100 + raw.length, raw, 0, raw.length))
                    .as(what)
                    .isTrue();
        }
    }

    @Test
    void blocksOfEveryKindOfDataFrom256KiBTo8MiB() throws DeviceException {
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int bytes : new int[] {256 << 10, (1 << 20) + 1, 4 << 20, 8 << 20}) {
                roundTrip("kind " + kind + ", " + bytes, BlockData.make(new Random(kind + bytes), kind, bytes));
            }
        }
    }

    @Test
    void everyPeriod() throws DeviceException {
        for (int period = 1; period <= 300; period++) {
            byte[] raw = new byte[300_000];
            Random random = new Random(period);
            for (int at = 0; at < raw.length; at++) {
                raw[at] = at < period ? (byte) random.nextInt() : raw[at - period];
            }
            roundTrip("period " + period, raw);
        }
    }

    /**
     * Every byte of a record stands in for the one of the record before it, whose distance varies: the way back leads
     * through thousands.
     */
    @Test
    void deepChainsOfMatches() throws DeviceException {
        Random random = new Random(5);
        byte[] raw = new byte[4 << 20];
        byte[] record = new byte[97];
        random.nextBytes(record);
        for (int at = 0; at < raw.length; at += record.length) {
            record[random.nextInt(record.length)] = (byte) random.nextInt();
            System.arraycopy(record, 0, raw, at, Math.min(record.length, raw.length - at));
        }
        roundTrip("records", raw);
    }

    /** Sequences of three bytes 01, a match of 5 at distance 257: whatever byte one begins at, they go on. */
    @Test
    void tokensThatNeverFallIntoStep() throws DeviceException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        byte[] literals = new byte[300];
        new Random(6).nextBytes(literals);
        block.writeBytes(new byte[] {(byte) 0xF1, (byte) 255, 300 - 15 - 255});
        block.writeBytes(literals);
        int matches = 200_000;
        byte[] ones = new byte[3 * matches - 1];
        Arrays.fill(ones, (byte) 1);
        block.writeBytes(ones);
        block.write(0xC0);
        block.writeBytes(new byte[12]);
        Chain alone = new Chain();
        int limit = 300 + 5 * matches + 12;
        alone.add(block.toByteArray(), limit, 0);
        alone.decode();
        byte[] raw = Lz4ReferenceDecoder.decode(block.toByteArray(), limit).orElseThrow();
        assertThat(alone.results[0].outputBytes()).isEqualTo(limit);
        assertThat(Arrays.equals(alone.output, 100, 100 + limit, raw, 0, limit)).isTrue();
    }

    @Test
    void chainsOfLinkedBlocks() throws DeviceException {
        for (int blockBytes : new int[] {4096, 65_536, 262_144, 1 << 20}) {
            byte[] raw = GpuStreams.mixture(3_000_000, blockBytes);
            Chain chain = chain(raw, blockBytes);
            chain.decode();
            for (BlockResult result : chain.results) {
                assertThat(result.isSound()).isTrue();
            }
            assertThat(Arrays.equals(chain.output, 100, 100 + raw.length, raw, 0, raw.length))
                    .as("blocks of %d", blockBytes)
                    .isTrue();
        }
    }

    private static Chain chain(byte[] raw, int blockBytes) {
        Chain chain = new Chain();
        int at = 0;
        for (byte[] block : Lz4LinkedBlocks.blocks(raw, blockBytes)) {
            int limit = Math.min(blockBytes, raw.length - at);
            chain.add(block, limit, Math.min(at, 65_536));
            at += limit;
        }
        return chain;
    }

    @Test
    void aDefectInAChainHarmsOnlyWhatIsBehindIt() throws DeviceException {
        byte[] raw = GpuStreams.text(2_000_000, 7);
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Chain chain = chain(raw, 65_536);
            int damaged = random.nextInt(chain.blocks.size());
            byte[] block = chain.blocks.get(damaged);
            for (int count = random.nextInt(1, 9); count > 0; count--) {
                block[random.nextInt(block.length)] = (byte) random.nextInt();
            }
            int at = 65_536 * damaged;
            byte[] window = Arrays.copyOfRange(raw, Math.max(0, at - 65_536), at);
            boolean sound = Lz4ReferenceDecoder.decode(block, window, chain.limits.get(damaged))
                    .isPresent();
            chain.decode();
            assertThat(chain.results[damaged].isSound())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(sound);
            for (int index = 0; index < damaged; index++) {
                assertThat(chain.results[index].isSound()).isTrue();
            }
            assertThat(Arrays.equals(chain.output, 100, 100 + at, raw, 0, at))
                    .as("seed %d, round %d", seed, round)
                    .isTrue();
        }
    }

    @Test
    void tablesThatReachBeyondAreRefusedBeforeAnythingIsLaunched() {
        Chain chain = new Chain();
        chain.add(FAST.compress(new byte[100]), 100, 101);
        assertThatThrownBy(chain::decode)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("window");
        Chain large = new Chain();
        large.add(new byte[10], Lz4Kernels.MAX_LONG_OUTPUT_BYTES + 1, 0);
        assertThatThrownBy(large::decode)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than");
    }

    /** Frames as the lz4 tool writes them, through streams on this machine's pool. */
    @Test
    void framesAreReadThroughSessions() throws Exception {
        byte[] raw = GpuStreams.mixture(30_000_000, 8);
        ByteArrayOutputStream large = new ByteArrayOutputStream();
        try (LZ4FrameOutputStream out = new LZ4FrameOutputStream(
                large, BLOCKSIZE.SIZE_4MB, FLG.Bits.BLOCK_INDEPENDENCE, FLG.Bits.CONTENT_CHECKSUM)) {
            out.write(raw);
        }
        byte[] linked = Lz4LinkedBlocks.frame(raw, 4, 16);
        for (byte[] file : List.of(large.toByteArray(), linked)) {
            long before = Metrics.counter("decode.lz4.gpu.bytesOut").sum();
            for (Mode mode : List.of(Mode.CPU, Mode.GPU, Mode.GPU, Mode.GPU, Mode.AUTO)) {
                long start = System.nanoTime();
                assertThat(Arrays.equals(read(file, mode), raw)).isTrue();
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                System.out.printf("%d bytes in mode %s: %d ms%n", raw.length, mode, millis);
            }
            assertThat(Metrics.counter("decode.lz4.gpu.bytesOut").sum() - before)
                    .isGreaterThan(2L * raw.length);
        }
    }

    private static byte[] read(byte[] file, Mode mode) throws IOException {
        try (ChunkedInputStream in = new ChunkedInputStream(
                new ByteArrayInputStream(file), Format.LZ4, CodecOptions.DEFAULTS.withMode(mode))) {
            return in.readAllBytes();
        }
    }
}
