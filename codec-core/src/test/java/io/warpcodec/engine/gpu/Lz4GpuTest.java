package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CorruptDataException;
import io.warpcodec.device.Device;
import io.warpcodec.device.DeviceBuffer;
import io.warpcodec.device.DeviceDriver;
import io.warpcodec.device.DeviceException;
import io.warpcodec.device.DeviceStream;
import io.warpcodec.device.GpuTest;
import io.warpcodec.device.PinnedBuffer;
import io.warpcodec.engine.gpu.Lz4BlockResult.Status;
import io.warpcodec.engine.gpu.Lz4GpuDecoder.Strategy;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** LZ4 blocks made by lz4-java, and broken ones, against {@link Lz4ReferenceDecoder}; each batch through both strategies. */
@GpuTest
class Lz4GpuTest {
    /** Blocks of the largest mutation batch; lower it where a memory checker slows the device down. */
    private static final int MUTATIONS = Integer.getInteger("warpcodec.gpu.mutations", 20_000);

    private static final byte CANARY = (byte) 0xA5;
    private static final LZ4Compressor FAST = LZ4Factory.fastestInstance().fastCompressor();
    private static final LZ4Compressor HIGH = LZ4Factory.fastestInstance().highCompressor(9);

    private static Device device;
    private static DeviceStream stream;
    private static Lz4GpuDecoder decoder;

    @BeforeAll
    static void open() throws Exception {
        device = DeviceDriver.open(0);
        stream = device.openStream();
        decoder = Lz4GpuDecoder.open(device);
    }

    @AfterAll
    static void close() {
        decoder.close();
        stream.close();
        device.close();
    }

    @Test
    void everySmallLengthOfEveryKindOfData() throws DeviceException {
        Batch batch = new Batch(new Random(1));
        for (int kind = 0; kind < Data.KINDS; kind++) {
            for (int length = 0; length <= 600; length++) {
                byte[] raw = Data.make(new Random(kind * 1000 + length), kind, length);
                batch.add(FAST.compress(raw), length);
            }
        }
        batch.check("small");
        assertThat(batch.soundCount()).isEqualTo(batch.blocks.size());
    }

    @Test
    void lengthsAroundSlabsWindowsAndWholeBlocks() throws DeviceException {
        Batch batch = new Batch(new Random(2));
        for (int kind = 0; kind < Data.KINDS; kind++) {
            for (int around : new int[] {1 << 10, 4 << 10, 1 << 14, 65_408, 65_536}) {
                for (int length = around - 3; length <= around + 3; length++) {
                    byte[] raw = Data.make(new Random(length), kind, length);
                    batch.add(FAST.compress(raw), length);
                    batch.add(HIGH.compress(raw), length);
                }
            }
        }
        batch.check("around");
        assertThat(batch.soundCount()).isEqualTo(batch.blocks.size());
    }

    @Test
    void blocksOfFourMebibytes() throws DeviceException {
        Batch batch = new Batch(new Random(3));
        for (int kind = 0; kind < Data.KINDS; kind++) {
            batch.add(FAST.compress(Data.make(new Random(kind), kind, 4 << 20)), 4 << 20);
        }
        batch.check("large");
        assertThat(batch.soundCount()).isEqualTo(Data.KINDS);
    }

    @Test
    void aLimitBeyondTheBlockIsFineAndOneBelowIsRefused() throws DeviceException {
        byte[] raw = Data.make(new Random(4), Data.TEXT, 5000);
        byte[] block = FAST.compress(raw);
        Batch batch = new Batch(new Random(4));
        batch.add(block, 5000);
        batch.add(block, 70_000);
        batch.add(block, 4999);
        batch.add(block, 0);
        Lz4BlockResult[] results = batch.check("limits");
        assertThat(results)
                .extracting(Lz4BlockResult::status)
                .containsExactly(Status.SOUND, Status.SOUND, Status.OUTPUT_EXCEEDED, Status.OUTPUT_EXCEEDED);
        assertThat(results).extracting(Lz4BlockResult::outputBytes).containsExactly(5000, 5000, 0, 0);
    }

    @Test
    void everyPrefixOfABlockIsJudgedAsByTheReference() throws DeviceException {
        byte[] block = FAST.compress(Data.make(new Random(5), Data.TEXT, 3000));
        Batch batch = new Batch(new Random(5));
        for (int length = 0; length <= block.length; length++) {
            batch.add(Arrays.copyOf(block, length), 3000);
        }
        Lz4BlockResult[] results = batch.check("prefixes");
        assertThat(results[0].status()).isEqualTo(Status.TRUNCATED);
        assertThat(results[block.length].status()).isEqualTo(Status.SOUND);
    }

    @Test
    void everyDefectHasItsNameAndPlace() throws DeviceException {
        Batch batch = new Batch(new Random(6));
        batch.add(bytes(0x10, 'a', 0, 0, 0), 100); // a match of distance zero
        batch.add(bytes(0x10, 'a', 2, 0, 0), 100); // of distance two after one byte
        batch.add(bytes(0x10, 'a', 1, 0, 0x00, 2, 0, 0x00, 0xFF, 0xFF, 0), 100); // the third sequence reaches too far
        batch.add(bytes(0x1F, 'a', 1, 0, 255, 255), 100_000); // the match length goes on and does not
        batch.add(bytes(0xF0, 255, 255), 100_000);
        batch.add(bytes(0x10, 'a', 1), 100); // half an offset
        batch.add(bytes(0x10, 'a', 1, 0), 100); // ends with a match
        batch.add(bytes(0x1F, 'a', 1, 0, 255, 255, 255, 0, 0), 500); // too long a match
        Lz4BlockResult[] results = batch.check("defects");
        assertThat(results)
                .extracting(Lz4BlockResult::status)
                .containsExactly(
                        Status.BAD_OFFSET,
                        Status.BAD_OFFSET,
                        Status.BAD_OFFSET,
                        Status.TRUNCATED,
                        Status.TRUNCATED,
                        Status.TRUNCATED,
                        Status.TRUNCATED,
                        Status.OUTPUT_EXCEEDED);
        assertThat(results).extracting(Lz4BlockResult::defectOffset).containsExactly(0, 0, 7, 0, 0, 0, 4, 0);
        assertThatThrownBy(() -> results[2].requireSound(1000))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("lz4")
                .hasMessageContaining("1007");
    }

    @Test
    void handMadeSequencesOfEveryLengthAndDistance() throws DeviceException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Batch batch = new Batch(random);
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
            batch.add(forge.finish(random.nextInt(40)), forge.rawBytes);
        }
        batch.check("seed " + seed);
        assertThat(batch.soundCount()).isEqualTo(3000);
    }

    @Test
    void mutatedBlocksAreJudgedAsByTheReferenceAndHarmNoOther() throws DeviceException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Batch batch = new Batch(random);
        for (int turn = 0; turn < MUTATIONS; turn++) {
            int length = random.nextInt(1 << random.nextInt(1, 15));
            byte[] block = FAST.compress(Data.make(random, random.nextInt(Data.KINDS), length));
            int limit = length;
            switch (random.nextInt(5)) {
                case 0 -> block = Arrays.copyOf(block, random.nextInt(block.length + 1));
                case 1 -> block[random.nextInt(block.length)] ^= (byte) (1 << random.nextInt(8));
                case 2 -> {
                    for (int i = random.nextInt(1, 20); i > 0; i--) {
                        block[random.nextInt(block.length)] = (byte) random.nextInt();
                    }
                }
                case 3 -> limit = random.nextInt(length + 10);
                default -> {}
            }
            batch.add(block, limit);
        }
        batch.check("seed " + seed);
        assertThat(batch.soundCount()).as("seed %d", seed).isBetween(MUTATIONS / 10L, MUTATIONS * 9L / 10);
    }

    @Test
    void lz4JavaDecodesWhatTheKernelsTakeForSound() throws DeviceException {
        Batch batch = new Batch(new Random(8));
        List<byte[]> raws = new ArrayList<>();
        for (int turn = 0; turn < 200; turn++) {
            raws.add(Data.make(new Random(turn), turn % Data.KINDS, 331 * turn));
            batch.add(HIGH.compress(raws.get(turn)), raws.get(turn).length);
        }
        batch.check("lz4-java");
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
        new Batch(new Random(9)).check("empty");
    }

    @Test
    void wrongTablesAreRefusedBeforeAnythingIsLaunched() throws DeviceException {
        try (DeviceBuffer input = device.allocate(1000);
                DeviceBuffer output = device.allocate(1000);
                DeviceBuffer workspace = device.allocate(1000);
                PinnedBuffer staging = device.allocatePinned(1000)) {
            ChunkRanges fine = ranges(0, 10);
            refused("chunk 0", input, ranges(995, 10), output, fine, workspace, staging);
            refused("chunk 0", input, fine, output, ranges(995, 10), workspace, staging);
            refused("places", input, fine, output, ranges(), workspace, staging);
            refused("aligned", input, fine, output, fine, workspace.slice(4, 100), staging);
            assertThatThrownBy(() -> enqueue(input, fine, output, fine, workspace.slice(0, 31), staging))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> enqueue(input, fine, output, fine, workspace, staging.slice(0, 31)))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            stream.synchronise();
        }
        try (DeviceBuffer large = device.allocate(Lz4Kernels.MAX_INPUT_BYTES + 1L);
                DeviceBuffer workspace = device.allocate(1000);
                PinnedBuffer staging = device.allocatePinned(1000)) {
            refused(
                    "more than",
                    large,
                    ranges(0, Lz4Kernels.MAX_INPUT_BYTES + 1),
                    large,
                    ranges(0, 1),
                    workspace,
                    staging);
            refused(
                    "more than",
                    large,
                    ranges(0, 1),
                    large,
                    ranges(0, Lz4Kernels.MAX_OUTPUT_BYTES + 1),
                    workspace,
                    staging);
        }
    }

    private static void refused(
            String message,
            DeviceBuffer input,
            ChunkRanges blocks,
            DeviceBuffer output,
            ChunkRanges places,
            DeviceBuffer workspace,
            PinnedBuffer staging) {
        assertThatThrownBy(() -> enqueue(input, blocks, output, places, workspace, staging))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static void enqueue(
            DeviceBuffer input,
            ChunkRanges blocks,
            DeviceBuffer output,
            ChunkRanges places,
            DeviceBuffer workspace,
            PinnedBuffer staging)
            throws DeviceException {
        decoder.enqueueDecode(Strategy.GATHER, input, blocks, output, places, workspace, staging, stream);
    }

    /** Offset and length of each range in turn. */
    private static ChunkRanges ranges(long... offsetsAndLengths) {
        long[] offsets = new long[offsetsAndLengths.length / 2];
        long[] lengths = new long[offsets.length];
        Arrays.setAll(offsets, i -> offsetsAndLengths[2 * i]);
        Arrays.setAll(lengths, i -> offsetsAndLengths[2 * i + 1]);
        return new ChunkRanges(offsets, lengths);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    /** Blocks at odd places, with canaries around every output. */
    private static final class Batch {
        final List<byte[]> blocks = new ArrayList<>();
        final List<Optional<byte[]>> expected = new ArrayList<>();
        private final Random random;
        private final List<Long> blockRanges = new ArrayList<>();
        private final List<Long> placeRanges = new ArrayList<>();
        private final ByteArrayOutputStream input = new ByteArrayOutputStream();
        private long outputBytes;

        Batch(Random random) {
            this.random = random;
        }

        void add(byte[] block, int outputLimit) {
            blocks.add(block);
            expected.add(Lz4ReferenceDecoder.decode(block, outputLimit));
            input.writeBytes(new byte[random.nextInt(5)]);
            blockRanges.addAll(List.of((long) input.size(), (long) block.length));
            input.writeBytes(block);
            outputBytes += random.nextInt(9);
            placeRanges.addAll(List.of(outputBytes, (long) outputLimit));
            outputBytes += outputLimit;
        }

        long soundCount() {
            return expected.stream().filter(Optional::isPresent).count();
        }

        /** Decodes with both strategies, twice on the same workspace, and compares. */
        Lz4BlockResult[] check(String what) throws DeviceException {
            int workspaceBytes = Math.toIntExact(Lz4GpuDecoder.workspaceBytes(blocks.size()));
            int outputSize = Math.toIntExact(outputBytes) + 16;
            Lz4BlockResult[] results = {};
            try (DeviceBuffer memory = device.allocate(Math.max(1, input.size()));
                    DeviceBuffer output = device.allocate(outputSize);
                    DeviceBuffer workspace = device.allocate(Math.max(8, workspaceBytes));
                    PinnedBuffer staging = device.allocatePinned(Math.max(8, workspaceBytes));
                    PinnedBuffer upload = device.allocatePinned(Math.max(1, input.size()));
                    PinnedBuffer download = device.allocatePinned(outputSize)) {
                upload.view().put(input.toByteArray());
                stream.upload(upload, memory);
                stream.fill(workspace, CANARY);
                for (Strategy strategy : new Strategy[] {Strategy.GATHER, Strategy.ROUNDS, Strategy.GATHER}) {
                    stream.fill(output, CANARY);
                    decoder.enqueueDecode(
                            strategy,
                            memory,
                            toRanges(blockRanges),
                            output,
                            toRanges(placeRanges),
                            workspace,
                            staging,
                            stream);
                    stream.download(output, download);
                    stream.synchronise();
                    results = decoder.results(blocks.size(), staging);
                    byte[] bytes = new byte[outputSize];
                    download.view().get(bytes);
                    compare(what + ", " + strategy, results, bytes);
                }
            }
            return results;
        }

        private void compare(String what, Lz4BlockResult[] results, byte[] bytes) {
            int behind = 0;
            for (int block = 0; block < results.length; block++) {
                int at = placeRanges.get(2 * block).intValue();
                int limit = placeRanges.get(2 * block + 1).intValue();
                String which = what + ", block " + block;
                requireCanary(which, bytes, behind, at);
                if (results[block].isSound() != expected.get(block).isPresent()) {
                    assertThat(results[block].toString())
                            .as(which)
                            .isEqualTo(expected.get(block).isPresent() ? "sound" : "corrupt");
                }
                behind = at + limit;
                if (results[block].isSound()) {
                    byte[] raw = expected.get(block).orElseThrow();
                    behind = at + raw.length;
                    if (results[block].outputBytes() != raw.length
                            || !Arrays.equals(bytes, at, behind, raw, 0, raw.length)) {
                        assertThat(Arrays.copyOfRange(bytes, at, at + results[block].outputBytes()))
                                .as(which)
                                .isEqualTo(raw);
                    }
                }
            }
            requireCanary(what, bytes, behind, bytes.length);
        }

        private static void requireCanary(String what, byte[] bytes, int from, int to) {
            for (int at = from; at < to; at++) {
                if (bytes[at] != CANARY) {
                    assertThat(bytes[at])
                            .as("%s, byte %d beside the output", what, at)
                            .isEqualTo(CANARY);
                }
            }
        }

        private static ChunkRanges toRanges(List<Long> offsetsAndLengths) {
            return ranges(offsetsAndLengths.stream().mapToLong(Long::longValue).toArray());
        }
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

    /** Bytes to compress. */
    private static final class Data {
        static final int KINDS = 6;
        static final int TEXT = 1;

        static byte[] make(Random random, int kind, int length) {
            byte[] raw = new byte[length];
            switch (kind) {
                case 0 -> random.nextBytes(raw);
                case TEXT -> {
                    String[] words =
                            "the quick brown fox jumps over a lazy dog and then some more of it again".split(" ");
                    for (int at = 0; at < length; at++) {
                        byte[] word = words[random.nextInt(words.length)].getBytes();
                        int count = Math.min(word.length, length - at);
                        System.arraycopy(word, 0, raw, at, count);
                        at += count;
                        if (at < length) {
                            raw[at] = (byte) (random.nextInt(20) == 0 ? random.nextInt(256) : ' ');
                        }
                    }
                }
                case 2 -> Arrays.fill(raw, (byte) 'z');
                case 3 -> {
                    int period = 1 + random.nextInt(300);
                    for (int at = 0; at < length; at++) {
                        raw[at] = at < period ? (byte) random.nextInt() : raw[at - period];
                    }
                }
                case 4 -> {
                    for (int at = 0; at < length; at++) {
                        raw[at] = (byte) random.nextInt(2);
                    }
                }
                default -> {
                    for (int at = 0; at < length; at++) {
                        boolean again = at > 8 && random.nextInt(9) != 0;
                        raw[at] = again ? raw[at - 8] : (byte) random.nextInt();
                    }
                }
            }
            return raw;
        }
    }
}
