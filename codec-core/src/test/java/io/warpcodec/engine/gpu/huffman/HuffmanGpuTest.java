package io.warpcodec.engine.gpu.huffman;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.block.BlockData;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.BlockResult.Status;
import io.warpcodec.engine.gpu.block.TrialMemory;
import io.warpcodec.engine.gpu.huffman.HuffmanGpuDecoder.Source;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Streams of one prefix code, sound and broken, against {@link HuffmanReference}. */
@GpuTest
class HuffmanGpuTest {
    private static Device device;
    private static DeviceStream stream;
    private static HuffmanGpuDecoder decoder;

    @BeforeAll
    static void open() throws Exception {
        device = DeviceDriver.open(0);
        stream = device.openStream();
        decoder = HuffmanGpuDecoder.open(device);
    }

    @AfterAll
    static void close() {
        decoder.close();
        stream.close();
        device.close();
    }

    @Test
    void everySmallLengthOfEveryKindOfData() throws DeviceException {
        Trial trial = new Trial(new Random(1));
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int length = 1; length <= 400; length++) {
                trial.add(BlockData.make(new Random(kind * 1000 + length), kind, length));
            }
        }
        trial.check("small");
        assertThat(trial.soundCount()).isEqualTo(trial.sources.size());
    }

    @Test
    void streamsOfManyPiecesOfEveryKindOfData() throws DeviceException {
        Trial trial = new Trial(new Random(2));
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int length : new int[] {15_359, 15_360, 15_361, 65_536, 262_144, 3_000_000}) {
                trial.add(BlockData.make(new Random(length), kind, length));
            }
        }
        trial.check("pieces");
        assertThat(trial.soundCount()).isEqualTo(trial.sources.size());
    }

    /** Words that are all equally long never fall into step by themselves; those of 7 bits do not begin where parts do. */
    @Test
    void codesThatDoNotSynchroniseAreDecoded() throws DeviceException {
        Trial trial = new Trial(new Random(3));
        for (int bits = 1; bits <= 8; bits++) {
            byte[] raw = new byte[200_000];
            Random random = new Random(bits);
            for (int at = 0; at < raw.length; at++) {
                raw[at] = (byte) random.nextInt(1 << bits);
            }
            byte[] lengths = new byte[256];
            Arrays.fill(lengths, 0, 1 << bits, (byte) bits);
            trial.add(HuffmanReference.encode(raw, lengths), lengths, raw.length);
        }
        trial.check("equal words");
        assertThat(trial.soundCount()).isEqualTo(8);
    }

    @Test
    void wordsOfAllLengthsAreRead() throws DeviceException {
        Trial trial = new Trial(new Random(4));
        byte[] lengths = new byte[256];
        for (int symbol = 0; symbol < 15; symbol++) {
            lengths[symbol] = (byte) (symbol + 1);
        }
        lengths[15] = 15;
        for (int length : new int[] {1, 100, 50_000}) {
            byte[] raw = new byte[length];
            Random random = new Random(length);
            for (int at = 0; at < length; at++) {
                raw[at] = (byte) random.nextInt(16);
            }
            trial.add(HuffmanReference.encode(raw, lengths), lengths, length);
        }
        trial.check("all lengths");
        assertThat(trial.soundCount()).isEqualTo(3);
    }

    @Test
    void everyDefectHasItsName() throws DeviceException {
        Trial trial = new Trial(new Random(5));
        byte[] none = new byte[256];
        byte[] one = none.clone();
        one['a'] = 1;
        byte[] tooMany = none.clone();
        Arrays.fill(tooMany, 0, 3, (byte) 1);
        byte[] tooLong = none.clone();
        tooLong[0] = 16;
        trial.add(new byte[] {0}, none, 1);
        trial.add(new byte[] {0}, tooMany, 1);
        trial.add(new byte[] {0}, tooLong, 1);
        trial.add(new byte[] {0}, one, 9);
        trial.add(new byte[] {8}, one, 4);
        trial.add(new byte[] {8}, one, 3);
        assertThat(trial.check("defects"))
                .extracting(BlockResult::status)
                .containsExactly(
                        Status.BAD_HEADER,
                        Status.BAD_HEADER,
                        Status.BAD_HEADER,
                        Status.TRUNCATED,
                        Status.BAD_HEADER,
                        Status.SOUND);
    }

    @Test
    void mutatedStreamsAreJudgedAsByTheReferenceAndHarmNoOther() throws DeviceException {
        long seed = Long.getLong("warpcodec.test.mutations.seed", new Random().nextLong());
        Random random = new Random(seed);
        Trial trial = new Trial(random);
        for (int turn = 0; turn < 4000; turn++) {
            int bytes = 1 + random.nextInt(random.nextInt(20) == 0 ? 100_000 : 4000);
            byte[] raw = BlockData.make(random, random.nextInt(BlockData.KINDS), bytes);
            byte[] lengths = HuffmanReference.lengths(raw);
            byte[] coded = HuffmanReference.encode(raw, lengths);
            int count = bytes;
            switch (random.nextInt(6)) {
                case 1 -> coded = Arrays.copyOf(coded, 1 + random.nextInt(coded.length));
                case 2 -> coded[random.nextInt(coded.length)] = (byte) random.nextInt();
                case 3 -> lengths[random.nextInt(lengths.length)] = (byte) random.nextInt(18);
                case 4 -> count += 1 + random.nextInt(20);
                case 5 -> count = random.nextInt(count + 1);
                default -> {}
            }
            trial.add(coded, lengths, count);
        }
        trial.check("seed " + seed);
        assertThat(trial.soundCount()).as("seed %d", seed).isBetween(400L, 3600L);
    }

    /** Streams at odd places, with canaries between their outputs. */
    private static final class Trial {
        final List<Source> sources = new ArrayList<>();
        private final List<Optional<byte[]>> expected = new ArrayList<>();
        private final ByteArrayOutputStream input = new ByteArrayOutputStream();
        private final Random random;
        private int outputBytes;

        Trial(Random random) {
            this.random = random;
        }

        void add(byte[] raw) {
            byte[] lengths = HuffmanReference.lengths(raw);
            add(HuffmanReference.encode(raw, lengths), lengths, raw.length);
        }

        void add(byte[] coded, byte[] lengths, int count) {
            expected.add(HuffmanReference.decode(coded, lengths, count));
            input.writeBytes(new byte[random.nextInt(9)]);
            int lengthsAt = input.size();
            input.writeBytes(lengths);
            input.writeBytes(new byte[random.nextInt(9)]);
            outputBytes += 1 + random.nextInt(20);
            sources.add(new Source(input.size(), coded.length, lengthsAt, outputBytes, count));
            input.writeBytes(coded);
            outputBytes += count;
        }

        long soundCount() {
            return expected.stream().filter(Optional::isPresent).count();
        }

        BlockResult[] check(String what) throws DeviceException {
            while (input.size() % Long.BYTES != 0) {
                input.write(0);
            }
            int workspaceBytes = Math.toIntExact(HuffmanGpuDecoder.workspaceBytes(sources.size()));
            try (TrialMemory memory = new TrialMemory(device, stream)) {
                DeviceBuffer output = memory.poisoned(outputBytes + 16);
                PinnedBuffer staging = memory.staging(workspaceBytes);
                decoder.enqueueDecode(
                        memory.holding(input.toByteArray()),
                        sources,
                        output,
                        memory.poisoned(workspaceBytes),
                        staging,
                        memory.poisoned(HuffmanGpuDecoder.scratchBytes(sources)),
                        stream);
                byte[] bytes = memory.bytes(output);
                BlockResult[] results = decoder.results(sources.size(), staging);
                compare(what, results, bytes);
                return results;
            }
        }

        private void compare(String what, BlockResult[] results, byte[] bytes) {
            int behind = 0;
            for (int index = 0; index < results.length; index++) {
                Source source = sources.get(index);
                int at = (int) source.outputAt();
                String which = what + ", stream " + index;
                TrialMemory.requireCanary(which, bytes, behind, at);
                behind = at + source.symbolCount();
                assertThat(results[index].isSound())
                        .as(which)
                        .isEqualTo(expected.get(index).isPresent());
                if (expected.get(index).isPresent()
                        && !Arrays.equals(bytes, at, behind, expected.get(index).get(), 0, source.symbolCount())) {
                    assertThat(Arrays.copyOfRange(bytes, at, behind))
                            .as(which)
                            .isEqualTo(expected.get(index).get());
                }
            }
            TrialMemory.requireCanary(what + ", behind", bytes, behind, bytes.length);
        }
    }
}
