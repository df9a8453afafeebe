package io.warpcodec.engine.gpu.huffman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.block.BlockData;
import io.warpcodec.engine.gpu.block.BlockResult.Status;
import io.warpcodec.engine.gpu.huffman.HuffmanGpuEncoder.Source;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Ranges of bytes encoded with {@link HuffmanGpuEncoder}: bit for bit what {@link HuffmanReference} writes, decoded by it and by {@link HuffmanGpuDecoder}, and nothing beside their
 * places; or refused as it refuses them.
 */
abstract class HuffmanEncodeContract {
    private static final int PIECE = HuffmanKernels.ENCODE_PIECE_BYTES;
    private static final int ROW = 16;
    private static final int TURN = 32 * ROW;
    private static final int[] AROUND_ROWS = {-17, -16, -15, -8, -7, -1, 0, 1, 7, 8, 15, 16, 17};
    private static final int[] AROUND_PIECES = {-7, -1, 0, 1, 7, 8};

    private Device device;
    private DeviceStream stream;

    /** The device to test. */
    abstract Device openDevice() throws Exception;

    @BeforeEach
    void open() throws Exception {
        device = openDevice();
        stream = device.openStream();
    }

    @AfterEach
    void close() {
        stream.close();
        device.close();
    }

    HuffmanEncodeTrial trial(long seed) {
        return new HuffmanEncodeTrial(device, stream, new Random(seed));
    }

    @Test
    void everySmallLengthOfEveryKindOfData() throws Exception {
        HuffmanEncodeTrial trial = trial(1);
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int length = 0; length <= 400; length++) {
                trial.add(BlockData.make(new Random(kind * 1000 + length), kind, length));
            }
        }
        trial.check("small");
        assertThat(trial.soundCount()).isEqualTo(trial.count());
    }

    @Test
    void lengthsAroundRowsTurnsAndPieces() throws Exception {
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            HuffmanEncodeTrial trial = trial(2 + kind);
            for (int edge : new int[] {ROW, TURN, 2 * TURN, PIECE, PIECE + TURN, 2 * PIECE, 4 * PIECE}) {
                int[] around = edge < PIECE ? AROUND_ROWS : AROUND_PIECES;
                for (int more : around) {
                    trial.add(BlockData.make(new Random(edge + more), kind, Math.max(0, edge + more)));
                }
            }
            trial.check("kind " + kind);
            assertThat(trial.soundCount()).isEqualTo(trial.count());
        }
    }

    /** More pieces than a warp places at once. */
    @Test
    void streamsOfManyPieces() throws Exception {
        HuffmanEncodeTrial trial = trial(3);
        for (int pieces : new int[] {31, 32, 33, 64, 65}) {
            trial.add(BlockData.make(new Random(pieces), BlockData.TEXT, pieces * PIECE + pieces % 3 - 1));
        }
        trial.check("pieces");
        assertThat(trial.soundCount()).isEqualTo(5);
    }

    /** Where pieces meet, a byte has words of up to eight bytes of the next one. */
    @Test
    void shortWordsMeetInOneByte() throws Exception {
        HuffmanEncodeTrial trial = trial(4);
        byte[] lengths = new byte[256];
        lengths['a'] = 1;
        lengths['b'] = 2;
        lengths['c'] = 2;
        for (int turn = 0; turn < 120; turn++) {
            Random random = new Random(turn);
            byte[] raw = new byte[PIECE + 1 + random.nextInt(random.nextInt(10) == 0 ? 2 * PIECE : 40)];
            for (int at = 0; at < raw.length; at++) {
                raw[at] = (byte) (random.nextInt(6) == 0 ? 'b' + random.nextInt(2) : 'a');
            }
            trial.add(raw, lengths);
        }
        trial.check("short words");
        assertThat(trial.soundCount()).isEqualTo(120);
    }

    /** As many bits as a turn can have, from every bit on. */
    @Test
    void longestWordsFromEveryBitOn() throws Exception {
        HuffmanEncodeTrial trial = trial(5);
        byte[] lengths = new byte[256];
        for (int symbol = 0; symbol < 15; symbol++) {
            lengths[symbol] = (byte) (symbol + 1);
        }
        lengths[15] = 15;
        for (int bit = 0; bit < 40; bit++) {
            byte[] raw = new byte[bit % 5 == 0 ? PIECE + 3 * TURN : 3 * TURN + bit];
            Random random = new Random(bit);
            for (int at = bit; at < raw.length; at++) {
                raw[at] = (byte) (14 + random.nextInt(2));
            }
            trial.add(raw, lengths);
        }
        trial.check("long words");
        assertThat(trial.soundCount()).isEqualTo(40);
    }

    @Test
    void wordsThatAreEquallyLong() throws Exception {
        HuffmanEncodeTrial trial = trial(6);
        for (int bits = 1; bits <= 8; bits++) {
            byte[] raw = new byte[50_000];
            new Random(bits).nextBytes(raw);
            for (int at = 0; at < raw.length; at++) {
                raw[at] &= (byte) ((1 << bits) - 1);
            }
            byte[] lengths = new byte[256];
            Arrays.fill(lengths, 0, 1 << bits, (byte) bits);
            trial.add(raw, lengths);
        }
        trial.check("equal words");
        assertThat(trial.soundCount()).isEqualTo(8);
    }

    @Test
    void oneWordOfAnyLengthIsACode() throws Exception {
        HuffmanEncodeTrial trial = trial(7);
        for (int bits = 1; bits <= 15; bits++) {
            byte[] lengths = new byte[256];
            lengths[bits * 17] = (byte) bits;
            byte[] raw = new byte[2 * PIECE + bits];
            Arrays.fill(raw, (byte) (bits * 17));
            trial.add(raw, lengths);
        }
        trial.check("one word");
        assertThat(trial.soundCount()).isEqualTo(15);
    }

    @Test
    void everyRefusalHasItsNameAndNothingIsWritten() throws Exception {
        HuffmanEncodeTrial trial = trial(8);
        byte[] none = new byte[256];
        byte[] two = none.clone();
        two['a'] = 1;
        two['b'] = 1;
        byte[] tooMany = two.clone();
        tooMany['c'] = 15;
        byte[] tooLong = none.clone();
        tooLong['a'] = 16;
        byte[] negative = none.clone();
        negative['a'] = -1;
        byte[] threePieces = new byte[3 * PIECE];
        Arrays.fill(threePieces, (byte) 'a');
        byte[] withStranger = threePieces.clone();
        withStranger[2 * PIECE + 77] = 'c';
        int exactly = threePieces.length / Byte.SIZE;
        trial.add(threePieces, none, exactly);
        trial.add(threePieces, tooMany, exactly);
        trial.add(threePieces, tooLong, 2 * threePieces.length);
        trial.add(threePieces, negative, 2 * threePieces.length);
        trial.add(withStranger, two, exactly);
        trial.add(threePieces, two, exactly - 1);
        trial.add(threePieces, two, 0);
        trial.add(threePieces, two, exactly);
        trial.add(new byte[0], none, 0);
        trial.add(new byte[0], tooMany, 0);
        assertThat(trial.check("refusals"))
                .extracting(HuffmanGpuEncoder.Result::status)
                .containsExactly(
                        Status.BAD_HEADER,
                        Status.BAD_HEADER,
                        Status.BAD_HEADER,
                        Status.BAD_HEADER,
                        Status.BAD_SYMBOL,
                        Status.OUTPUT_EXCEEDED,
                        Status.OUTPUT_EXCEEDED,
                        Status.SOUND,
                        Status.SOUND,
                        Status.SOUND);
    }

    @Test
    void damagedCodesAndScarceRoomAreJudgedAsByTheReferenceAndHarmNoOther() throws Exception {
        long seed = Long.getLong("warpcodec.test.mutations.seed", new Random().nextLong());
        Random random = new Random(seed);
        HuffmanEncodeTrial trial = trial(seed);
        for (int turn = 0; turn < 3000; turn++) {
            byte[] raw = BlockData.make(
                    random, random.nextInt(BlockData.KINDS), random.nextInt(random.nextInt(20) == 0 ? 100_000 : 3000));
            byte[] lengths = HuffmanReference.lengths(raw);
            int limit = HuffmanReference.encode(raw, lengths).length;
            switch (random.nextInt(6)) {
                case 1 -> lengths[random.nextInt(lengths.length)] = (byte) random.nextInt(18);
                case 2 -> lengths[random.nextInt(lengths.length)] = (byte) random.nextInt();
                case 3 -> limit = random.nextInt(limit + 1);
                case 4 -> limit = Math.max(0, limit - 1);
                case 5 -> limit += random.nextInt(100);
                default -> {}
            }
            trial.add(raw, lengths, limit);
        }
        trial.check("seed " + seed);
        assertThat(trial.soundCount()).as("seed %d", seed).isBetween(300L, 2700L);
    }

    /** Also on memory that other work has been on. */
    @Test
    void sameBytesAgainInOtherCompany() throws Exception {
        byte[] raw = BlockData.make(new Random(9), BlockData.TEXT, 3 * PIECE + 5);
        for (int turn = 0; turn < 20; turn++) {
            HuffmanEncodeTrial trial = trial(100 + turn);
            for (int before = 0; before < turn; before++) {
                trial.add(BlockData.make(new Random(before), before % BlockData.KINDS, 1 + 997 * before));
            }
            trial.add(raw);
            trial.check("turn " + turn);
        }
    }

    @Test
    void whatLiesOutsideItsBufferIsNotLaunched() throws Exception {
        try (HuffmanGpuEncoder encoder = HuffmanGpuEncoder.open(device);
                DeviceBuffer memory = device.allocate(4096);
                PinnedBuffer staging = device.allocatePinned(4096)) {
            for (Source source : List.of(
                    new Source(0, 4097, 0, 0, 10),
                    new Source(-1, 10, 0, 0, 10),
                    new Source(4096, 1, 0, 0, 10),
                    new Source(0, 10, 3841, 0, 10),
                    new Source(0, 10, -1, 0, 10),
                    new Source(0, 10, 0, 4087, 10),
                    new Source(0, 10, 0, -1, 10),
                    new Source(0, 10, 0, 0, -1),
                    new Source(0, -1, 0, 0, 10))) {
                assertThatThrownBy(() -> encoder.enqueueEncode(
                                memory, List.of(source), memory, memory, memory, staging, memory, stream))
                        .as("%s", source)
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> encoder.enqueueEncode(
                            memory,
                            List.of(new Source(0, 4096, 0, 0, 10)),
                            memory,
                            memory,
                            memory,
                            staging,
                            memory.slice(0, 1024),
                            stream))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            encoder.enqueueEncode(memory, List.of(), memory, memory, memory, staging, memory, stream);
            assertThat(encoder.results(0, staging)).isEmpty();
        }
    }

    @Test
    void bytesAreCounted() throws Exception {
        HuffmanEncodeTrial trial = trial(10);
        for (int kind = 0; kind < BlockData.KINDS; kind++) {
            for (int length : new int[] {0, 1, 15, 16, 17, 511, 512, 513, 4096, 65_535, 65_536, 65_537, 300_000}) {
                trial.add(BlockData.make(new Random(length), kind, length));
            }
        }
        trial.checkWeights();
    }
}
